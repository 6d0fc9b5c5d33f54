"""Texts for the benchmarks of scoring: Korean and English words, with OCR errors."""

import random
from typing import NamedTuple

SYLLABLES = (
    "가나다라마바사아자차카타파하금액청구서진료비영수증환자성명입원기간수술질병코드병원"
    "약국보험계약증권번호일시지급사유본인부담여합계"
)
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MISREAD = SYLLABLES + LETTERS + "0123456789,.|"
MOST_NOISE = 0.4


class Texts(NamedTuple):
    """References and OCR outputs."""

    references: list[str]
    hypotheses: list[str]


def make_texts(number: int, *, shortest: int, longest: int, seed: int = 20261120) -> Texts:
    """Pairs of texts, each with up to 40 % of the characters wrong."""
    rng = random.Random(f"{seed}/{number}/{longest}")
    references = [_text(rng, rng.randint(shortest, longest)) for _ in range(number)]
    return Texts(references, [_misread(rng, text) for text in references])


def _text(rng: random.Random, length: int) -> str:
    """Words divided by spaces, cut at a length."""
    words: list[str] = []
    size = 0
    while size < length:
        words.append(_word(rng))
        size += len(words[-1]) + 1
    return " ".join(words)[:length].strip()


def _word(rng: random.Random) -> str:
    """Korean word, English word or number."""
    kind = rng.random()
    if kind < 0.55:
        return "".join(rng.choices(SYLLABLES, k=rng.randint(1, 5)))
    if kind < 0.8:
        return "".join(rng.choices(LETTERS, k=rng.randint(2, 9)))
    return f"{rng.randint(1, 9_999_999):,}"


def _misread(rng: random.Random, text: str) -> str:
    """Text with characters replaced, left out and added."""
    noise = rng.random() * MOST_NOISE
    read = []
    for character in text:
        if rng.random() >= noise:
            read.append(character)
            continue
        kind = rng.random()
        if kind < 0.6:
            read.append(rng.choice(MISREAD))
        elif kind >= 0.8:
            read += [character, rng.choice(f"{MISREAD} ")]
    return " ".join("".join(read).split())
