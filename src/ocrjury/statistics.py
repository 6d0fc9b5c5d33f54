"""The statistics of agreement and of raters: their names, questions, ranges and grades.

The one table of them: gate, desk, report, command line and glossary read it. It imports little.
"""

import math
from collections.abc import Mapping
from typing import Final

from ocrjury.errors import InputError
from ocrjury.grades import KOO_LI, KRIPPENDORFF, Grade
from ocrjury.language import phrase
from ocrjury.rater_statistics import OF_RATERS
from ocrjury.statistic_kinds import (
    NO_CHANCE,
    NOTHING_TO_COMPARE,
    ONE_CATEGORY,
    UNFIT_SCALE,
    Statistic,
    beyond_chance,
    closeness,
    description,
    of_one_category,
    of_pairs,
    of_two,
)

_MOST: Final = 1 + 1e-9  # and a crumb of rounding

STATISTICS: Final[Mapping[str, Statistic]] = {
    "krippendorff_alpha": Statistic(
        phrase("Krippendorff's alpha"),
        phrase("Krippendorff’s α"),
        phrase("Agreement beyond chance; any number of raters, gaps allowed"),
        "krippendorff.krippendorff_alpha",
        column=1,
        in_artifact=True,
        in_means=True,
        grades=KRIPPENDORFF,
        undefined=NO_CHANCE,
    ),
    "cohen_kappa": of_two(
        phrase("Cohen's kappa"),
        phrase("Cohen’s κ"),
        phrase("Agreement of two raters beyond chance"),
    ),
    "cohen_kappa_linear": of_two(
        phrase("Cohen's kappa with linear weights"),
        phrase("Cohen’s κ, linear weights"),
        phrase("Agreement of two raters beyond chance; disagreement weighs by its distance"),
    ),
    "cohen_kappa_quadratic": of_two(
        phrase("Cohen's kappa with quadratic weights"),
        phrase("Cohen’s κ, quadratic weights"),
        phrase("Agreement of two raters beyond chance; far disagreement weighs more"),
    ),
    "conger_kappa": beyond_chance(
        phrase("Conger's kappa"),
        phrase("Conger’s κ"),
        phrase("Agreement beyond chance of raters with habits of their own"),
        compares_raters=True,
        weighted="conger_kappa",
    ),
    "fleiss_kappa": beyond_chance(
        phrase("Fleiss' kappa"),
        phrase("Fleiss’ κ"),
        phrase("Agreement beyond chance of raters who are interchangeable"),
        "kappa.fleiss_kappa",
        categorical=True,
        in_artifact=True,
        weighted="fleiss_kappa",
        undefined=(*UNFIT_SCALE, "no_variation"),
    ),
    "mean_pairwise_kappa": of_pairs(
        phrase("mean pairwise kappa"),
        phrase("Pairwise κ"),
        phrase("Agreement of two raters beyond chance; mean of pairs"),
        "mean_kappa.mean_pairwise_kappa",
        in_means=True,
    ),
    "mean_pairwise_weighted_kappa": of_pairs(
        phrase("mean pairwise weighted kappa"),
        phrase("Weighted κ"),
        phrase(
            "Agreement of two raters beyond chance, far disagreement weighs more; mean of pairs"
        ),
        "mean_kappa.mean_pairwise_weighted_kappa",
        column=2,
        in_artifact=True,
    ),
    "gwet_ac": beyond_chance(
        phrase("Gwet's AC1"),
        phrase("Gwet’s AC1"),
        phrase("Agreement beyond chance that holds where one category is common"),
        "gwet.gwet_ac",
        categorical=True,
        weighted="gwet_ac2",
        undefined=(*UNFIT_SCALE, "fewer_than_two_categories"),
    ),
    "gwet_ac2": beyond_chance(
        phrase("Gwet's AC2"),
        phrase("Gwet’s AC2"),
        phrase("As AC1; near disagreement counts in part"),
        undefined=NOTHING_TO_COMPARE,
    ),
    "brennan_prediger": beyond_chance(
        "Brennan-Prediger",
        "Brennan-Prediger",
        phrase("Agreement beyond guessing among all categories alike"),
        weighted="brennan_prediger",
        undefined=ONE_CATEGORY,
    ),
    "icc": Statistic(
        phrase("intraclass correlation ICC(2,1)"),
        "ICC(2,1)",
        phrase("Share of the variance of one rating that is due to the items"),
        "intraclass.icc_of_all_ratings",
        compares_raters=True,
        column=3,
        grades=KOO_LI,
        undefined=(*UNFIT_SCALE, "no_variation", "fewer_than_two_items"),
    ),
    "percent_agreement": closeness(
        phrase("percent agreement"),
        phrase("Percent agreement"),
        phrase("Share of equal ratings of an item, mean of items"),
        "gwet.percent_agreement",
        categorical=True,
        weighted="percent_agreement",
        unit="share",
        undefined=UNFIT_SCALE,
    ),
    "exact_agreement": closeness(
        phrase("exact agreement of pairs"),
        phrase("Equal"),
        phrase("Share of rating pairs that are equal"),
        "rater_pairs.pairwise_agreement",
        in_artifact=True,
        in_means=True,
        unit="share",
    ),
    "adjacent_agreement": closeness(
        phrase("exact or adjacent agreement of pairs"),
        phrase("Within ±1"),
        phrase("Share of rating pairs at most one level apart"),
        "rater_pairs.adjacent_agreement",
        column=5,
        in_artifact=True,
        unit="share",
        undefined=UNFIT_SCALE,
    ),
    "human_agreement": closeness(
        phrase("human agreement A^HH"),
        "A^HH",
        phrase("How close two raters’ ratings are on average; chance is not subtracted"),
        "gdpval.human_agreement",
        column=4,
        in_artifact=True,
        in_means=True,
        undefined=ONE_CATEGORY,
    ),
    "human_agreement_chance": description(
        phrase("A^HH by chance alone"),
        phrase("A^HH by chance"),
        phrase("A^HH of the same raters, rating at random"),
        "gdpval.human_agreement_chance",
        undefined=ONE_CATEGORY,
    ),
    "human_agreement_corrected": beyond_chance(
        phrase("human agreement A^HH beyond chance"),
        phrase("A^HH beyond chance"),
        phrase("How far A^HH lies on the way from chance to perfect"),
        "gdpval.human_agreement_corrected",
        low=-math.inf,  # it is divided by what chance leaves, which may be next to nothing
        undefined=(*ONE_CATEGORY, "no_variation"),
    ),
    "judge_alignment": closeness(
        phrase("judge alignment A^HA"),
        "A^HA",
        phrase("How close an automatic judge comes to the raters; A^HH is its ceiling"),
        undefined=("no_items",),
    ),
    "judge_ceiling": closeness(
        phrase("ceiling A^HH on the judge's items"),
        phrase("Possible (A^HH)"),
        phrase("How close the raters come to each other on the items that a judge scored"),
        undefined=ONE_CATEGORY,
    ),
    "spearman_rho": Statistic(
        phrase("Spearman's rho with the mean rating"),
        phrase("ρ with people"),
        phrase("How far an automatic metric puts items in the order of their mean ratings"),
        undefined=("no_variation", "too_few_items"),
    ),
    **OF_RATERS,
    "disagreement_share": description(
        phrase("share of items whose ratings lie far apart, weighted"),
        phrase("Far apart"),
        phrase("How often the ratings of an item lie far apart"),
        unit="share",
        undefined=("no_items",),
    ),
    "modal_share": description(
        phrase("share of the most frequent rating"),
        phrase("Most frequent"),
        phrase("How common one category is"),
        "marginals.modal_share",
        unit="share",
        undefined=UNFIT_SCALE,
    ),
    "prevalence_index": description(
        phrase("prevalence index"),
        phrase("Prevalence"),
        phrase("How unevenly two categories are used: 0 equally, 1 one of them never"),
        "marginals.prevalence_index",
        compares_raters=True,
        undefined=UNFIT_SCALE,
    ),
    "bias_index": description(
        phrase("bias index"),
        phrase("Bias of use"),
        phrase("How differently two raters use two categories: 0 alike"),
    ),
    "pabak": Statistic(
        "PABAK",
        "PABAK",
        phrase("Kappa of two raters, as if they used two categories equally often"),
    ),
    "positive_agreement": of_one_category(
        phrase("positive agreement"),
        phrase("Positive"),
        phrase("Agreement of two raters on the items that either puts into the upper category"),
    ),
    "negative_agreement": of_one_category(
        phrase("negative agreement"),
        phrase("Negative"),
        phrase("Agreement of two raters on the items that either puts into the lower category"),
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
