"""The statistics of agreement: their names, questions, ranges and grades.

The one table of them: gate, desk, report, command line and glossary read it. It imports little.
"""

import math
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Final

from ocrjury.errors import InputError
from ocrjury.grades import GDPVAL, KOO_LI, KRIPPENDORFF, LANDIS_KOCH, Grade, Grades
from ocrjury.language import phrase

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
    is_share
        Whether it is printed as a percentage.
    low, high
        Ends of its range; an interval beyond them is cut where people read it.
    """

    label: str
    short_label: str
    question: str
    function: str | None = None
    _: KW_ONLY
    categorical: bool = False
    compares_raters: bool = False
    column: int | None = None
    is_share: bool = False
    low: float = -1
    high: float = 1
    grades: Grades | None = None


_beyond_chance = partial(Statistic, grades=LANDIS_KOCH)
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
    ),
    "cohen_kappa": _beyond_chance(
        phrase("Cohen's kappa"),
        phrase("Cohen’s κ"),
        phrase("Agreement of two raters beyond chance"),
    ),
    "cohen_kappa_quadratic": _beyond_chance(
        phrase("Cohen's weighted kappa"),
        phrase("Cohen’s weighted κ"),
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
    ),
    "mean_pairwise_kappa": _of_pairs(
        phrase("mean pairwise kappa"),
        phrase("Pairwise κ"),
        phrase("Agreement of two raters beyond chance; mean of pairs"),
        "mean_kappa.mean_pairwise_kappa",
    ),
    "mean_pairwise_weighted_kappa": _of_pairs(
        phrase("mean pairwise weighted kappa"),
        phrase("Weighted κ"),
        phrase(
            "Agreement of two raters beyond chance, far disagreement weighs more; mean of pairs"
        ),
        "mean_kappa.mean_pairwise_weighted_kappa",
        column=2,
    ),
    "gwet_ac": _beyond_chance(
        phrase("Gwet's AC1"),
        phrase("Gwet’s AC1"),
        phrase("Agreement beyond chance that holds where one category is common"),
        "gwet.gwet_ac",
        categorical=True,
    ),
    "brennan_prediger": _beyond_chance(
        "Brennan-Prediger",
        "Brennan-Prediger",
        phrase("Agreement beyond guessing among all categories alike"),
    ),
    "icc": Statistic(
        phrase("intraclass correlation ICC(2,1)"),
        "ICC(2,1)",
        phrase("Share of the variance of one rating that is due to the items"),
        "intraclass.icc_of_all_ratings",
        compares_raters=True,
        column=3,
        grades=KOO_LI,
    ),
    "percent_agreement": _closeness(
        phrase("percent agreement"),
        phrase("Percent agreement"),
        phrase("Share of equal ratings of an item, mean of items"),
        "gwet.percent_agreement",
        categorical=True,
        is_share=True,
    ),
    "exact_agreement": _closeness(
        phrase("exact agreement of pairs"),
        phrase("Equal"),
        phrase("Share of rating pairs that are equal"),
        "pairwise.pairwise_agreement",
        is_share=True,
    ),
    "adjacent_agreement": _closeness(
        phrase("exact or adjacent agreement of pairs"),
        phrase("Within ±1"),
        phrase("Share of rating pairs at most one level apart"),
        "pairwise.adjacent_agreement",
        column=5,
        is_share=True,
    ),
    "human_agreement": _closeness(
        phrase("human agreement A^HH"),
        "A^HH",
        phrase("How close two raters’ ratings are on average; chance is not subtracted"),
        "gdpval.human_agreement",
        column=4,
    ),
    "human_agreement_chance": _description(
        phrase("A^HH by chance alone"),
        phrase("A^HH by chance"),
        phrase("A^HH of the same raters, rating at random"),
        "gdpval.human_agreement_chance",
    ),
    "human_agreement_corrected": _beyond_chance(
        phrase("human agreement A^HH beyond chance"),
        phrase("A^HH beyond chance"),
        phrase("How far A^HH lies on the way from chance to perfect"),
        "gdpval.human_agreement_corrected",
        low=-math.inf,  # it is divided by what chance leaves, which may be next to nothing
    ),
    "judge_alignment": _closeness(
        phrase("judge alignment A^HA"),
        "A^HA",
        phrase("How close an automatic judge comes to the raters; A^HH is its ceiling"),
    ),
    "modal_share": _description(
        phrase("share of the most frequent rating"),
        phrase("Most frequent"),
        phrase("How common one category is"),
        "marginals.modal_share",
        is_share=True,
    ),
    "prevalence_index": _description(
        phrase("prevalence index"),
        phrase("Prevalence"),
        phrase("How unevenly two categories are used: 0 equally, 1 one of them never"),
        "marginals.prevalence_index",
        compares_raters=True,
    ),
}


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
