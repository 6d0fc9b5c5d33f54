"""Text of documents made fit to print: visible, short, and masked where it must stay private.

OCR output is hostile until proven otherwise. Escaping is Jinja's work; what escaping does not
touch - control characters, overrides of the writing direction, endless length - is handled here.
"""

import re
import unicodedata
from hashlib import sha256

from markupsafe import Markup

from ocrjury.text.grapheme_clusters import split_graphemes

LETTER_SHAPE = "○"
DIGIT_SHAPE = "□"
LINE_END = "⏎"
_LONGEST_ANCHOR = 60

# Controls, format characters, private use, surrogates, unassigned.
_UNPRINTABLE = frozenset({"Cc", "Cf", "Co", "Cs", "Cn"})
# What no page may hold: controls that break a parser, and marks that turn the writing direction.
HARMFUL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
# They join letters of several scripts and have no effect outside a cluster.
_JOINERS = frozenset("\u200c\u200d")


def visible(text: str) -> str:
    r"""Text in which nothing acts unseen.

    Line ends become ``⏎``, tabs and other spaces a space; controls, bidirectional overrides,
    zero-width and private characters become their code point between ``‹›``.

    Examples
    --------
    >>> visible("a\tb\nc\x00"), visible("\u202e12")
    ('a b⏎c‹U+0000›', '‹U+202E›12')
    """
    return "".join(map(_visible_character, text.replace("\r\n", "\n")))


def anchor(text: str) -> str:
    """Text as part of an address within a page; one that had to be changed ends in its hash.

    Examples
    --------
    >>> anchor("kr-041/total"), anchor("<kr 041>")
    ('kr-041/total', '-kr-041--f0a87d')
    """
    plain = re.sub(r"[^\w./-]+", "-", text)[:_LONGEST_ANCHOR]
    if plain == text:
        return plain
    return f"{plain}-{sha256(text.encode('utf-8', 'replace')).hexdigest()[:6]}"


def _visible_character(character: str) -> str:
    """A character, or what stands for it in print."""
    if character == "\n":
        return LINE_END
    if character.isspace():
        return " "
    if character in _JOINERS or unicodedata.category(character) not in _UNPRINTABLE:
        return character
    return _code_point(character)


def _code_point(character: str) -> str:
    """A character by its number."""
    return f"‹U+{ord(character):04X}›"


def harmless(value: object) -> object:
    r"""Any value as it is, but text without controls and direction overrides.

    The environment does this to everything that a template prints.

    Examples
    --------
    >>> harmless("1\u202e2\n3"), harmless(4)
    ('1‹U+202E›2\n3', 4)
    """
    # Markup is ours: what went into it was looked at before.
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    # Nothing harmful is printable, which Python knows of a text sooner than a pattern finds it.
    if value.isprintable():
        return value
    return HARMFUL.sub(lambda match: _code_point(match[0]), value)


def cut(text: str, length: int = 80) -> str:
    """Text of at most so many characters, with an ellipsis where something was left out.

    Examples
    --------
    >>> cut("진료비 영수증", 4), cut("short", 9)
    ('진료비…', 'short')
    """
    characters = split_graphemes(text)
    return text if len(characters) <= length else "".join(characters[: length - 1]).rstrip() + "…"


def mask(text: str) -> str:
    """Text whose letters and digits are shapes; spaces and punctuation stay.

    One shape stands for one character as people count them, so places do not move.

    Examples
    --------
    >>> mask("진단 S72.0, ₩1,284")
    '○○ ○□□.□, ₩□,□□□'
    """
    return "".join(map(_masked, split_graphemes(text)))


def _masked(sign: str) -> str:
    """Shape that stands for a letter or digit; anything else as it is."""
    kinds = {unicodedata.category(character)[0] for character in sign}
    if "N" in kinds:
        return DIGIT_SHAPE
    return LETTER_SHAPE if kinds & {"L", "M"} else sign
