"""Texts without the differences that the options ignore."""

import functools
import sys
import unicodedata
from collections.abc import Sequence

from ocrjury.normal_forms import is_normal, normal_form
from ocrjury.text.options import TextOptions, Whitespace


def normalize_text(text: str, options: TextOptions) -> str:
    """Text with normal form, case and punctuation as the options say, spacing unchanged."""
    if options.normalization is not None:
        text = normal_form(options.normalization, text)
    if options.case == "fold":
        text = text.casefold()
        if options.normalization is not None:
            # Case folding may separate a letter from its mark (Unicode 3.13, D145).
            text = normal_form(options.normalization, text)
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
    form = options.normalization
    if plain and (form is None or is_normal(form, "\n".join(texts))):
        return list(texts)
    return [normalize_text(text, options) for text in texts]


@functools.cache
def _punctuation() -> dict[int, None]:
    """Translation table that drops punctuation."""
    every = range(sys.maxunicode + 1)
    return {code: None for code in every if unicodedata.category(chr(code)).startswith("P")}
