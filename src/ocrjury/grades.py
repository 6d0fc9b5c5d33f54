"""The words that the literature puts on coefficients of agreement."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from ocrjury.language import Phrase, phrase

COMMON: Final = tuple(map(phrase, ("poor", "fair", "moderate", "good", "excellent")))
"""The one word of every level where grades of several sources stand beside each other."""


class Grade(NamedTuple):
    """A word of its source, and a level from 0 (poor) to 4 (excellent) that colours repeat."""

    word: Phrase
    level: int

    @property
    def common(self) -> Phrase:
        """Word of the level; the grade's own where it is no source's, as of an undefined value."""
        return WORDS.get(self.word, self.word)


@dataclass(frozen=True, slots=True)
class Grades:
    """The words that the literature puts on values, the highest first, each from a lowest value.

    ``digits`` is how far a value is rounded before it is graded, None for not at all.
    """

    source: str
    steps: tuple[tuple[float, Grade], ...]
    digits: int | None = None

    def of(self, value: float) -> Grade:
        """Grade of a value."""
        judged = value if self.digits is None else round(value, self.digits)
        return next(grade for lowest, grade in self.steps if judged >= lowest)


def _grades(source: str, /, *steps: tuple[float, Phrase, int], digits: int | None = None) -> Grades:
    return Grades(source, tuple((low, Grade(word, level)) for low, word, level in steps), digits)


LANDIS_KOCH: Final = _grades(
    "Landis and Koch (1977), Biometrics 33(1), 159-174",
    (0.81, phrase("almost perfect"), 4),
    (0.61, phrase("substantial"), 3),
    (0.41, phrase("moderate"), 2),
    (0.21, phrase("fair"), 1),
    (0.0, phrase("slight"), 0),
    (-math.inf, phrase("poor"), 0),
    digits=2,  # the published bands have two digits (.21 to .40) and no place for .2051
)
KRIPPENDORFF: Final = _grades(
    "Krippendorff (2004), Content Analysis, 2nd edition, page 241",
    (0.80, phrase("reliable"), 4),
    (0.667, phrase("tentative"), 2),
    (-math.inf, phrase("unreliable"), 0),
)
GDPVAL: Final = _grades(
    "The human agreement specification, for shares that are not corrected for chance",
    (0.90, phrase("excellent"), 4),
    (0.75, phrase("good"), 3),
    (0.60, phrase("moderate"), 2),
    (0.50, phrase("fair"), 1),
    (-math.inf, phrase("poor"), 0),
)
KOO_LI: Final = _grades(
    "Koo and Li (2016), Journal of Chiropractic Medicine 15(2), 155-163",
    (0.90, phrase("excellent"), 4),
    (0.75, phrase("good"), 3),
    (0.50, phrase("moderate"), 2),
    (-math.inf, phrase("poor"), 0),
)
WORDS: Final[Mapping[str, Phrase]] = {
    grade.word: COMMON[grade.level]
    for table in (LANDIS_KOCH, KRIPPENDORFF, GDPVAL, KOO_LI)
    for _, grade in table.steps
}
"""The common word of every source's word."""


def lowest_word(words: Iterable[str | None]) -> str | None:
    """Lowest of sources' words, none where any is missing.

    >>> lowest_word(["reliable", "tentative"]), lowest_word(["reliable", None])
    ('tentative', None)
    """
    return min(words, key=lambda word: COMMON.index(WORDS[word]) if word else -1)


def common_word(word: str | None) -> str:
    """Common word of a source's word, nothing where there is none.

    >>> common_word("reliable"), common_word(None)
    ('excellent', '')
    """
    return WORDS[word] if word else ""
