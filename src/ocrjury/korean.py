"""Korean particles, which depend on whether the word before ends in a consonant, and ranges."""

import re
from collections.abc import Iterable
from typing import Final

PARTICLES: Final = frozenset(
    {"은/는", "이/가", "을/를", "과/와", "으로/로", "이나/나", "이라/라", "이며/며", "이고/고"}
    | {"이다/다", "이었/였", "아/야"}
)
"""Pairs of particles: after a consonant / after a vowel."""
_RIEUL: Final = 8
_DIGITS: Final = {"0": 21, "1": 8, "2": 0, "3": 16, "4": 0, "5": 0, "6": 1, "7": 8, "8": 8, "9": 0}
"""Final consonants of the digits as they are read: 영 일 이 삼 사 오 육 칠 팔 구."""
_LETTERS: Final = {"l": 8, "r": 8, "m": 16, "n": 4, "b": 17, "c": 1, "k": 1, "p": 17, "t": 19}
"""Final consonants of words in Latin letters; but for ng, others end in a vowel."""
_CAPITALS: Final = {"L": 8, "R": 8, "M": 16, "N": 4}
"""Final consonants of letters that are read one by one: 엘 알 엠 엔."""
_ASIDE: Final = re.compile(r"[\s\"'”’»」』.,:;]*+(\([^()]*\))?+[\s\"'”’»」』.,:;]*+$")
_CLOSED: Final = re.compile(r"(</\w+>)++$")
_READ: Final = 300
"""Characters at the end of a word that may decide; names of documents may be of any length."""
_SIGNED: Final = ("−", "+")


def with_particle(word: str, particle: str) -> str:
    """A word with the form of the particle that fits it.

    What stands in brackets at the end is not read, as in Korean: 알파(0.8)는. Nor is a tag of HTML.

    Examples
    --------
    >>> [with_particle(word, "은/는") for word in ("평가자", "항목", "R01", "CER(중앙값)")]
    ['평가자는', '항목은', 'R01은', 'CER(중앙값)은']
    >>> with_particle("문서", "으로/로"), with_particle("서울", "으로/로")
    ('문서로', '서울로')
    >>> with_particle("<b>계속 진행</b>", "이/가")
    '<b>계속 진행</b>이'
    """
    after_consonant, after_vowel = particle.split("/")
    end = _CLOSED.sub("", word[-_READ:])
    final = _final(_ASIDE.sub("", end) or end)
    if particle == "으로/로" and final == _RIEUL:
        return word + after_vowel
    return word + (after_consonant if final else after_vowel)


def with_ranges(pieces: Iterable[str]) -> str:
    r"""Pieces of a sentence, with blanks about a tilde beside a number with a sign.

    A tilde stands close to its numbers in Korean, but a minus right after it is hard to read.

    Examples
    --------
    >>> with_ranges(["0.68", "~", "0.84"]), with_ranges(["구간 ", "−0.36", "~", "−0.08"])
    ('0.68~0.84', '구간 −0.36\xa0~ −0.08')
    """
    shown = [piece for piece in pieces if piece]
    signed = [piece.startswith(_SIGNED) for piece in shown]
    for place in range(1, len(shown) - 1):
        if shown[place] == "~" and (signed[place - 1] or signed[place + 1]):
            shown[place] = "\xa0~ "
    return "".join(shown)


def _final(word: str) -> int:
    """Number of the final consonant of a word as it is read, 0 for a vowel."""
    last = word[-1:]
    if "가" <= last <= "힣":
        return (ord(last) - ord("가")) % 28
    if last in _DIGITS:
        return _zeros(word) if last == "0" else _DIGITS[last]
    if last.isupper():
        return _CAPITALS.get(last, 0)
    return _DIGITS["0"] if word.endswith("ng") else _LETTERS.get(last, 0)


def _zeros(word: str) -> int:
    """Final consonant of a number that ends in 0: 영, 십, 백, 천, 만."""
    number = re.search(r"(?<![\d.,])[1-9][\d,]*+$", word)
    if number is None:  # 0 itself, and decimals
        return _DIGITS["0"]
    digits = number[0].replace(",", "")
    return {1: 17, 2: 1, 3: 4}.get(len(digits) - len(digits.rstrip("0")), 4)
