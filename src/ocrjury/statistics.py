"""The statistics of agreement: their names, questions, ranges and grades.

The one table of them: gate, artifacts, desk, report, command line and glossary read it, so it
imports nothing heavy.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from ocrjury.errors import InputError

Unit = Literal["share", "coefficient"]
Direction = Literal["higher is better", "describes the ratings"]

_MOST: Final = 1 + 1e-9  # and a crumb of rounding


class Grade(NamedTuple):
    """A word, and a level from 0 (poor) to 4 (excellent) that colours repeat."""

    word: str
    level: int


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


def _grades(source: str, /, *steps: tuple[float, str, int], digits: int | None = None) -> Grades:
    """Grades from lowest value, word and level."""
    return Grades(source, tuple((low, Grade(word, level)) for low, word, level in steps), digits)


LANDIS_KOCH: Final = _grades(
    "Landis and Koch (1977), Biometrics 33(1), 159-174",
    (0.81, "almost perfect", 4),
    (0.61, "substantial", 3),
    (0.41, "moderate", 2),
    (0.21, "fair", 1),
    (0.0, "slight", 0),
    (-math.inf, "poor", 0),
    digits=2,  # the published bands have two digits (.21 to .40) and no place for .2051
)
KRIPPENDORFF: Final = _grades(
    "Krippendorff (2004), Content Analysis, 2nd edition, page 241",
    (0.80, "reliable", 4),
    (0.667, "tentative", 2),
    (-math.inf, "unreliable", 0),
)
GDPVAL: Final = _grades(
    "the human agreement specification, for shares that are not corrected for chance",
    (0.90, "excellent", 4),
    (0.75, "good", 3),
    (0.60, "moderate", 2),
    (0.50, "fair", 1),
    (-math.inf, "poor", 0),
)
KOO_LI: Final = _grades(
    "Koo and Li (2016), Journal of Chiropractic Medicine 15(2), 155-163",
    (0.90, "excellent", 4),
    (0.75, "good", 3),
    (0.50, "moderate", 2),
    (-math.inf, "poor", 0),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """One statistic of agreement.

    Attributes
    ----------
    label
        As it stands in a sentence or at the head of a row.
    short_label
        At the head of a narrow column.
    question
        What it answers.
    unit
        A share is printed as a percentage.
    low, high
        Ends of its range; an interval beyond them is cut where people read it.
    """

    label: str
    short_label: str
    question: str
    unit: Unit = "coefficient"
    low: float = -1
    high: float = 1
    grades: Grades | None = None
    direction: Direction = "higher is better"

    @property
    def is_share(self) -> bool:
        """Whether it is printed as a percentage."""
        return self.unit == "share"


STATISTICS: Final[Mapping[str, Statistic]] = {
    "krippendorff_alpha": Statistic(
        label="Krippendorff's alpha",
        short_label="Krippendorff’s α",
        question="Agreement beyond chance; any number of raters, gaps allowed",
        grades=KRIPPENDORFF,
    ),
    "cohen_kappa": Statistic(
        label="Cohen's kappa",
        short_label="Cohen’s κ",
        question="Agreement of two raters beyond chance",
        grades=LANDIS_KOCH,
    ),
    "cohen_kappa_quadratic": Statistic(
        label="Cohen's weighted kappa",
        short_label="Cohen’s weighted κ",
        question="Agreement of two raters beyond chance; far disagreement weighs more",
        grades=LANDIS_KOCH,
    ),
    "conger_kappa": Statistic(
        label="Conger's kappa",
        short_label="Conger’s κ",
        question="Agreement beyond chance of raters with habits of their own",
        grades=LANDIS_KOCH,
    ),
    "fleiss_kappa": Statistic(
        label="Fleiss' kappa",
        short_label="Fleiss’ κ",
        question="Agreement beyond chance of raters who are interchangeable",
        grades=LANDIS_KOCH,
    ),
    "mean_pairwise_kappa": Statistic(
        label="mean pairwise kappa",
        short_label="Pairwise κ",
        question="Agreement of two raters beyond chance; mean of pairs",
        grades=LANDIS_KOCH,
    ),
    "mean_pairwise_weighted_kappa": Statistic(
        label="mean pairwise weighted kappa",
        short_label="Weighted κ",
        question=(
            "Agreement of two raters beyond chance, far disagreement weighs more; mean of pairs"
        ),
        grades=LANDIS_KOCH,
    ),
    "gwet_ac": Statistic(
        label="Gwet's AC1",
        short_label="Gwet’s AC1",
        question="Agreement beyond chance that holds where one category is common",
        grades=LANDIS_KOCH,
    ),
    "brennan_prediger": Statistic(
        label="Brennan-Prediger",
        short_label="Brennan-Prediger",
        question="Agreement beyond guessing among all categories alike",
        grades=LANDIS_KOCH,
    ),
    "icc": Statistic(
        label="intraclass correlation ICC(2,1)",
        short_label="ICC(2,1)",
        question="Share of the variance of one rating that is due to the items",
        grades=KOO_LI,
    ),
    "percent_agreement": Statistic(
        label="percent agreement",
        short_label="Percent agreement",
        question="Share of equal ratings of an item, mean of items",
        unit="share",
        low=0,
        grades=GDPVAL,
    ),
    "exact_agreement": Statistic(
        label="exact agreement of pairs",
        short_label="Equal",
        question="Share of rating pairs that are equal",
        unit="share",
        low=0,
        grades=GDPVAL,
    ),
    "adjacent_agreement": Statistic(
        label="exact or adjacent agreement of pairs",
        short_label="Within ±1",
        question="Share of rating pairs at most one level apart",
        unit="share",
        low=0,
        grades=GDPVAL,
    ),
    "human_agreement": Statistic(
        label="human agreement A^HH",
        short_label="A^HH",
        question="How close two raters’ ratings are on average; chance is not subtracted",
        low=0,
        grades=GDPVAL,
    ),
    "human_agreement_chance": Statistic(
        label="A^HH by chance alone",
        short_label="A^HH by chance",
        question="A^HH of the same raters, rating at random",
        low=0,
        direction="describes the ratings",
    ),
    "human_agreement_corrected": Statistic(
        label="human agreement A^HH beyond chance",
        short_label="A^HH beyond chance",
        question="How far A^HH lies on the way from chance to perfect",
        low=-math.inf,  # it is divided by what chance leaves, which may be next to nothing
        grades=LANDIS_KOCH,
    ),
    "judge_alignment": Statistic(
        label="judge alignment A^HA",
        short_label="A^HA",
        question="How close an automatic judge comes to the raters; A^HH is its ceiling",
        low=0,
        grades=GDPVAL,
    ),
    "modal_share": Statistic(
        label="share of the most frequent rating",
        short_label="Most frequent",
        question="How common one category is",
        unit="share",
        low=0,
        direction="describes the ratings",
    ),
    "prevalence_index": Statistic(
        label="prevalence index",
        short_label="Prevalence",
        question="How unevenly two categories are used: 0 equally, 1 one of them never",
        low=0,
        direction="describes the ratings",
    ),
}

UNDEFINED: Final[Mapping[str, str]] = {
    "no_items": "no items were rated",
    "fewer_than_two_raters": "fewer than two raters",
    "no_pairable_items": "no item has two ratings",
    "no_variation": "all ratings are equal",
    "fewer_than_two_items": "fewer than two items",
    "fewer_than_two_categories": "fewer than two categories",
    "no_complete_items": "no item was rated by every rater",
    "too_few_common_items": "too few items in common",
    "scale_mismatch": "not defined on this scale",
    "fewer_than_two_dimensions": "only one dimension was rated",
    "too_few_items": "too few items",
    "too_few_ratings": "too few ratings",
    "not_connected": "raters fall into groups that have no item in common",
    "no_order": "nobody kept the order of the ratings",
    "same_order": "raters saw the items in one and the same order",
    "no_disagreement": "raters never differ",
    "no_agreement": "raters agree too little for it to show",
}
"""Why a statistic has no value, by the reason of its estimate."""


def statistic(key: str) -> Statistic:
    """Entry of a statistic.

    Raises
    ------
    InputError
        For a key that the table lacks.

    Examples
    --------
    >>> statistic("icc").short_label
    'ICC(2,1)'
    """
    if key not in STATISTICS:
        raise InputError(f"there is no statistic {key!r}; known are {', '.join(STATISTICS)}.")
    return STATISTICS[key]


def grade(key: str, value: float) -> Grade | None:
    """Grade of a statistic's value; None for ``nan`` and for a statistic that nobody grades.

    Above 1 an estimate says nothing about agreement (ICC(2,k) of raters who oppose each other).

    Examples
    --------
    >>> grade("fleiss_kappa", 0.21), grade("krippendorff_alpha", 0.75)
    (Grade(word='fair', level=1), Grade(word='tentative', level=2))
    >>> grade("icc", 4.0).word, grade("modal_share", 0.5)
    ('undefined', None)
    """
    grades = statistic(key).grades
    if grades is None or math.isnan(value):
        return None
    return Grade("undefined", 0) if value > _MOST else grades.of(value)


def words_by_level() -> dict[int, tuple[str, ...]]:
    """Every word of a grade by its level, the best level first.

    Examples
    --------
    >>> words_by_level()[3]
    ('substantial', 'good')
    """
    tables = dict.fromkeys(row.grades for row in STATISTICS.values() if row.grades)
    grades = dict.fromkeys(grade for table in tables for _, grade in table.steps)
    return {
        level: tuple(grade.word for grade in grades if grade.level == level)
        for level in range(4, -1, -1)
    }


def reason_words(reason: str | None) -> str:
    """Words for why there is no value.

    Examples
    --------
    >>> reason_words("no_pairable_items")
    'no item has two ratings'
    >>> reason_words("pool_is_empty")
    'pool is empty'
    """
    if not reason:
        return "not computed"
    return UNDEFINED.get(reason, reason.replace("_", " "))
