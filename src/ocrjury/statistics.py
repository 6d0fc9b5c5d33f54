"""The statistics of agreement: their names, questions, ranges and grades.

The one table of them: gate, desk, report, command line and glossary read it. It imports little.
"""

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Final, Literal

from ocrjury.errors import InputError
from ocrjury.grades import GDPVAL, KOO_LI, KRIPPENDORFF, LANDIS_KOCH, Grade, Grades
from ocrjury.language import phrase

NOTHING_TO_COMPARE: Final = ("no_items", "fewer_than_two_raters", "no_pairable_items")
"""Why no statistic of agreement between raters has a value, whatever it is."""
_NO_CHANCE: Final = (*NOTHING_TO_COMPARE, "no_variation")
_ONE_CATEGORY: Final = (*NOTHING_TO_COMPARE, "fewer_than_two_categories")
_UNFIT_SCALE: Final = (*NOTHING_TO_COMPARE, "scale_mismatch")

_MOST: Final = 1 + 1e-9  # and a crumb of rounding


@dataclass(frozen=True, slots=True)
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
    function
        Module and function in `ocrjury.agreement` by which `measure_agreement` measures it on
        every table, with its ``ci`` and ``seed`` if it takes them; None if it does not. The
        package exports the function.
    categorical, compares_raters
        Whether the function refuses a continuous scale, and counts without raters.
    column
        Its place among the columns of the report's table by dimension, None if it has none.
    unit
        "coefficient", printed as a decimal number, or "share", printed as a percentage.
    low, high
        Ends of its range; an interval beyond them is cut where people read it.
    undefined
        Reasons for which it has no value; `ocrjury.estimate.UNDEFINED` has their words.
    """

    label: str
    short_label: str
    question: str
    function: str | None = None
    _: KW_ONLY
    categorical: bool = False
    compares_raters: bool = False
    column: int | None = None
    unit: Literal["coefficient", "share"] = "coefficient"
    low: float = -1
    high: float = 1
    grades: Grades | None = None
    undefined: tuple[str, ...] = NOTHING_TO_COMPARE

    @property
    def is_share(self) -> bool:
        """Whether it is printed as a percentage."""
        return self.unit == "share"


_beyond_chance = partial(Statistic, grades=LANDIS_KOCH, undefined=_NO_CHANCE)
_of_pairs = partial(_beyond_chance, compares_raters=True)
_closeness = partial(Statistic, low=0, grades=GDPVAL)
_description = partial(Statistic, low=0)

STATISTICS: Final[Mapping[str, Statistic]] = {
    "krippendorff_alpha": Statistic(
        phrase("Krippendorff's alpha"),
        phrase("Krippendorff’s α"),
        phrase("Agreement beyond chance; any number of raters, gaps allowed"),
        "krippendorff.krippendorff_alpha",
        column=1,
        grades=KRIPPENDORFF,
        undefined=_NO_CHANCE,
    ),
    "cohen_kappa": _beyond_chance(
        phrase("Cohen's kappa"),
        phrase("Cohen’s κ"),
        phrase("Agreement of two raters beyond chance"),
    ),
    "cohen_kappa_linear": _beyond_chance(
        phrase("Cohen's kappa with linear weights"),
        phrase("Cohen’s κ, linear weights"),
        phrase("Agreement of two raters beyond chance; disagreement weighs by its distance"),
    ),
    "cohen_kappa_quadratic": _beyond_chance(
        phrase("Cohen's kappa with quadratic weights"),
        phrase("Cohen’s κ, quadratic weights"),
        phrase("Agreement of two raters beyond chance; far disagreement weighs more"),
    ),
    "conger_kappa": _beyond_chance(
        phrase("Conger's kappa"),
        phrase("Conger’s κ"),
        phrase("Agreement beyond chance of raters with habits of their own"),
    ),
    "fleiss_kappa": _beyond_chance(
        phrase("Fleiss' kappa"),
        phrase("Fleiss’ κ"),
        phrase("Agreement beyond chance of raters who are interchangeable"),
        "kappa.fleiss_kappa",
        categorical=True,
        undefined=(*_UNFIT_SCALE, "no_variation"),
    ),
    "mean_pairwise_kappa": _of_pairs(
        phrase("mean pairwise kappa"),
        phrase("Pairwise κ"),
        phrase("Agreement of two raters beyond chance; mean of pairs"),
        "mean_kappa.mean_pairwise_kappa",
        undefined=(*_UNFIT_SCALE, "no_variation", "too_few_common_items"),
    ),
    "mean_pairwise_weighted_kappa": _of_pairs(
        phrase("mean pairwise weighted kappa"),
        phrase("Weighted κ"),
        phrase(
            "Agreement of two raters beyond chance, far disagreement weighs more; mean of pairs"
        ),
        "mean_kappa.mean_pairwise_weighted_kappa",
        column=2,
        undefined=(*_UNFIT_SCALE, "no_variation", "too_few_common_items"),
    ),
    "gwet_ac": _beyond_chance(
        phrase("Gwet's AC1"),
        phrase("Gwet’s AC1"),
        phrase("Agreement beyond chance that holds where one category is common"),
        "gwet.gwet_ac",
        categorical=True,
        undefined=(*_UNFIT_SCALE, "fewer_than_two_categories"),
    ),
    "gwet_ac2": _beyond_chance(
        phrase("Gwet's AC2"),
        phrase("Gwet’s AC2"),
        phrase("As AC1; near disagreement counts in part"),
        undefined=NOTHING_TO_COMPARE,
    ),
    "brennan_prediger": _beyond_chance(
        "Brennan-Prediger",
        "Brennan-Prediger",
        phrase("Agreement beyond guessing among all categories alike"),
        undefined=_ONE_CATEGORY,
    ),
    "icc": Statistic(
        phrase("intraclass correlation ICC(2,1)"),
        "ICC(2,1)",
        phrase("Share of the variance of one rating that is due to the items"),
        "intraclass.icc_of_all_ratings",
        compares_raters=True,
        column=3,
        grades=KOO_LI,
        undefined=(*_UNFIT_SCALE, "no_variation", "fewer_than_two_items"),
    ),
    "percent_agreement": _closeness(
        phrase("percent agreement"),
        phrase("Percent agreement"),
        phrase("Share of equal ratings of an item, mean of items"),
        "gwet.percent_agreement",
        categorical=True,
        unit="share",
        undefined=_UNFIT_SCALE,
    ),
    "exact_agreement": _closeness(
        phrase("exact agreement of pairs"),
        phrase("Equal"),
        phrase("Share of rating pairs that are equal"),
        "pairwise.pairwise_agreement",
        unit="share",
    ),
    "adjacent_agreement": _closeness(
        phrase("exact or adjacent agreement of pairs"),
        phrase("Within ±1"),
        phrase("Share of rating pairs at most one level apart"),
        "pairwise.adjacent_agreement",
        column=5,
        unit="share",
        undefined=_UNFIT_SCALE,
    ),
    "human_agreement": _closeness(
        phrase("human agreement A^HH"),
        "A^HH",
        phrase("How close two raters’ ratings are on average; chance is not subtracted"),
        "gdpval.human_agreement",
        column=4,
        undefined=_ONE_CATEGORY,
    ),
    "human_agreement_chance": _description(
        phrase("A^HH by chance alone"),
        phrase("A^HH by chance"),
        phrase("A^HH of the same raters, rating at random"),
        "gdpval.human_agreement_chance",
        undefined=_ONE_CATEGORY,
    ),
    "human_agreement_corrected": _beyond_chance(
        phrase("human agreement A^HH beyond chance"),
        phrase("A^HH beyond chance"),
        phrase("How far A^HH lies on the way from chance to perfect"),
        "gdpval.human_agreement_corrected",
        low=-math.inf,  # it is divided by what chance leaves, which may be next to nothing
        undefined=(*_ONE_CATEGORY, "no_variation"),
    ),
    "judge_alignment": _closeness(
        phrase("judge alignment A^HA"),
        "A^HA",
        phrase("How close an automatic judge comes to the raters; A^HH is its ceiling"),
        undefined=("no_items",),
    ),
    "modal_share": _description(
        phrase("share of the most frequent rating"),
        phrase("Most frequent"),
        phrase("How common one category is"),
        "marginals.modal_share",
        unit="share",
        undefined=_UNFIT_SCALE,
    ),
    "prevalence_index": _description(
        phrase("prevalence index"),
        phrase("Prevalence"),
        phrase("How unevenly two categories are used: 0 equally, 1 one of them never"),
        "marginals.prevalence_index",
        compares_raters=True,
        undefined=_UNFIT_SCALE,
    ),
    "bias_index": _description(
        phrase("bias index"),
        phrase("Bias of use"),
        phrase("How differently two raters use two categories: 0 alike"),
    ),
    "pabak": Statistic(
        "PABAK",
        "PABAK",
        phrase("Kappa of two raters, as if they used two categories equally often"),
    ),
    "positive_agreement": _description(
        phrase("positive agreement"),
        phrase("Positive"),
        phrase("Agreement of two raters on the items that either puts into the upper category"),
        undefined=_NO_CHANCE,
    ),
    "negative_agreement": _description(
        phrase("negative agreement"),
        phrase("Negative"),
        phrase("Agreement of two raters on the items that either puts into the lower category"),
        undefined=_NO_CHANCE,
    ),
}

KAPPAS: Final[Mapping[str, str]] = {
    "none": "cohen_kappa",
    "linear": "cohen_kappa_linear",
    "quadratic": "cohen_kappa_quadratic",
}
"""Kappa of a pair of raters by its weights."""


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
    return Grade(phrase("undefined"), 0) if value > _MOST else grades.of(value)
