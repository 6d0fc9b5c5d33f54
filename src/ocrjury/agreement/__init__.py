"""Coefficients of agreement between raters.

Where the table has inclusion weights, the coefficients speak about the population that the items
were drawn from: each item's contribution is multiplied by its weight, and the weights are scaled
to sum to the number of items with two or more ratings, so that constant weights change nothing.
Items of weight 0 are left out. Only `icc` does not use weights.
"""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach
from ocrjury.statistics import STATISTICS

if TYPE_CHECKING:
    from ocrjury.agreement.alignment import judge_alignment
    from ocrjury.agreement.alternative_annotator import (
        Replacement,
        SeatComparison,
        judge_replacement,
    )
    from ocrjury.agreement.difference import agreement_difference
    from ocrjury.agreement.disagreement import (
        ProblemPattern,
        find_disagreements,
        find_problem_patterns,
        mean_distribution,
    )
    from ocrjury.agreement.gdpval import (
        human_agreement,
        human_agreement_chance,
        human_agreement_corrected,
    )
    from ocrjury.agreement.gwet import brennan_prediger, gwet_ac, percent_agreement
    from ocrjury.agreement.intraclass import icc
    from ocrjury.agreement.kappa import cohen_kappa, conger_kappa, fleiss_kappa
    from ocrjury.agreement.krippendorff import krippendorff_alpha
    from ocrjury.agreement.leave_one_out import gain_without_raters
    from ocrjury.agreement.marginals import Prevalence, prevalence
    from ocrjury.agreement.measurement import measure_agreement, measure_counts
    from ocrjury.agreement.rater_pairs import pairwise_agreement, pairwise_kappa
    from ocrjury.agreement.suggestions import Suggestion, suggest_improvements

__all__ = [
    "Prevalence",
    "ProblemPattern",
    "Replacement",
    "SeatComparison",
    "Suggestion",
    "agreement_difference",
    "brennan_prediger",
    "cohen_kappa",
    "conger_kappa",
    "find_disagreements",
    "find_problem_patterns",
    "fleiss_kappa",
    "gain_without_raters",
    "gwet_ac",
    "human_agreement",
    "human_agreement_chance",
    "human_agreement_corrected",
    "icc",
    "judge_alignment",
    "judge_replacement",
    "krippendorff_alpha",
    "mean_distribution",
    "measure_agreement",
    "measure_counts",
    "pairwise_agreement",
    "pairwise_kappa",
    "percent_agreement",
    "prevalence",
    "suggest_improvements",
]

if not TYPE_CHECKING:
    _measured = (row.function.split(".") for row in STATISTICS.values() if row.function)
    __getattr__, __dir__ = attach(__name__, {name: module for module, name in _measured})
