"""All coefficients of agreement of one dimension, for the gate and the report."""

from dataclasses import replace

from ocrjury.agreement.gdpval import (
    human_agreement,
    human_agreement_chance,
    human_agreement_corrected,
)
from ocrjury.agreement.gwet import gwet_ac, percent_agreement
from ocrjury.agreement.intervals import Resampling, undefined
from ocrjury.agreement.intraclass import icc, is_complete
from ocrjury.agreement.kappa import fleiss_kappa
from ocrjury.agreement.krippendorff import krippendorff_alpha
from ocrjury.agreement.marginals import modal_share, prevalence_index
from ocrjury.agreement.pairwise import mean_pairwise_kappa, pairwise_agreement
from ocrjury.agreement.patterns import usable
from ocrjury.estimate import Estimate
from ocrjury.ratings import RatingTable


def measure_agreement(
    table: RatingTable, *, ci: Resampling | None = "jackknife", seed: int = 0
) -> dict[str, Estimate]:
    """All coefficients of one dimension, each with its 95 % interval where there is one.

    Parameters
    ----------
    ci
        None gives the intervals that rest on a published standard error, and no others.

    Returns
    -------
    dict
        ``krippendorff_alpha`` at the scale's own level, ``fleiss_kappa`` and ``gwet_ac``
        unweighted, ``mean_pairwise_kappa`` and, with quadratic weights,
        ``mean_pairwise_weighted_kappa``, ``percent_agreement`` (items count the same),
        ``exact_agreement`` and ``adjacent_agreement`` (pairs count the same),
        ``human_agreement``, ``human_agreement_chance``, ``human_agreement_corrected``, ``icc``
        (ICC(2,1) from all ratings), ``modal_share`` and ``prevalence_index``. A coefficient that
        does not fit the scale is ``nan`` with reason ``scale_mismatch``: kappas on an interval
        scale, weights and neighbours on a nominal or binary one.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[3, 4, 5], [1, 1, 2]], scale=Scale.likert(1, 5))
    >>> estimates = measure_agreement(table)
    >>> round(estimates["krippendorff_alpha"].value, 3), estimates["human_agreement"].value
    (0.743, 0.75)
    """
    table = usable(table, "measure_agreement", compares_raters=True)
    return {
        "krippendorff_alpha": krippendorff_alpha(table, ci=ci, seed=seed),
        **_kappas(table, ci, seed),
        "exact_agreement": pairwise_agreement(table, ci=ci, seed=seed),
        "adjacent_agreement": _adjacent(table, ci, seed),
        "human_agreement": human_agreement(table, ci=ci, seed=seed),
        "human_agreement_chance": human_agreement_chance(table),
        "human_agreement_corrected": human_agreement_corrected(table, ci=ci, seed=seed),
        "icc": icc(table, missing="listwise" if is_complete(table) else "mixed"),
        "modal_share": modal_share(table),
        "prevalence_index": prevalence_index(table),
    }


def _kappas(table: RatingTable, ci: Resampling | None, seed: int) -> dict[str, Estimate]:
    """Coefficients that need categories."""
    if table.scale.kind == "interval":
        return {
            name: undefined(table, "scale_mismatch", method)
            for name, method in (
                ("fleiss_kappa", "Fleiss' kappa"),
                ("mean_pairwise_kappa", "mean of pairwise kappas"),
                ("mean_pairwise_weighted_kappa", "mean of pairwise kappas, quadratic weights"),
                ("gwet_ac", "Gwet's AC1"),
                ("percent_agreement", "percent agreement"),
            )
        }
    return {
        "fleiss_kappa": fleiss_kappa(table, ci=ci, seed=seed),
        "mean_pairwise_kappa": mean_pairwise_kappa(table),
        "mean_pairwise_weighted_kappa": _weighted(table),
        "gwet_ac": gwet_ac(table, ci=ci, seed=seed),
        "percent_agreement": percent_agreement(table, ci=ci, seed=seed),
    }


def _weighted(table: RatingTable) -> Estimate:
    """Mean pairwise kappa with quadratic weights, on an ordered scale."""
    if not table.scale.ordered:
        method = "mean of pairwise kappas, quadratic weights"
        return undefined(table, "scale_mismatch", method)
    return mean_pairwise_kappa(table, weights="quadratic")


def _adjacent(table: RatingTable, ci: Resampling | None, seed: int) -> Estimate:
    """Share of pairs at most one category apart, on a Likert scale."""
    if table.scale.kind != "likert":
        return undefined(table, "scale_mismatch", "adjacent pairwise agreement")
    adjacent = pairwise_agreement(table, tolerance=1, ci=ci, seed=seed)
    return replace(adjacent, method=adjacent.method.replace("pairwise", "adjacent pairwise"))
