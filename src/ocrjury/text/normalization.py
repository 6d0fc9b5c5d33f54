"""Texts without the differences that the options ignore."""

import functools
import sys
import unicodedata
from collections.abc import Sequence

from ocrjury.text.options import Normalization, TextOptions, Whitespace


def normalize_text(text: str, options: TextOptions) -> str:
    """Text with normal form, case and punctuation as the options say, spacing unchanged."""
    if options.normalization is not None:
        text = _normal_form(text, options.normalization)
    if options.case == "fold":
        text = text.casefold()
        if options.normalization is not None:
            # Case folding may separate a letter from its mark (Unicode 3.13, D145).
            text = _normal_form(text, options.normalization)
    if options.punctuation == "remove":
        text = text.translate(_punctuation())
    return text


def space_text(text: str, whitespace: Whitespace) -> str:
    """Text with its white space collapsed, removed, stripped or kept."""
    match whitespace:
        case "collapse":
            return " ".join(text.split())
        case "remove":
            return "".join(text.split())
        case "strip":
            return text.strip()
        case "keep":
            return text


def normalize_texts(texts: Sequence[str], options: TextOptions) -> list[str]:
    """Texts with normal form, case and punctuation as the options say."""
    plain = options.case == "keep" and options.punctuation == "keep"
    # A line feed combines with nothing, so one check of the joined text stands for all texts.
    if plain and _is_normal("\n".join(texts), options.normalization):
        return list(texts)
    return [normalize_text(text, options) for text in texts]


def _is_normal(text: str, form: Normalization | None) -> bool:
    return form is None or text.isascii() or unicodedata.is_normalized(form, text)


def _normal_form(text: str, form: Normalization) -> str:
    """Normal form of a text; most texts are in it already, which is cheap to check."""
    return text if _is_normal(text, form) else unicodedata.normalize(form, text)


@functools.cache
def _punctuation() -> dict[int, None]:
    """Translation table that drops punctuation."""
    every = range(sys.maxunicode + 1)
    return {code: None for code in every if unicodedata.category(chr(code)).startswith("P")}
