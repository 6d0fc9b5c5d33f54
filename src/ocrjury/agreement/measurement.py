"""All coefficients of agreement of one dimension, for the gate and the report."""

from importlib import import_module
from inspect import signature
from typing import Any

from ocrjury.agreement.intervals import undefined
from ocrjury.agreement.patterns import usable
from ocrjury.estimate import Estimate, Resampling
from ocrjury.ratings import RatingTable
from ocrjury.statistic_kinds import Statistic
from ocrjury.statistics import STATISTICS


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
        By the keys of `ocrjury.statistics.STATISTICS`, those whose row names a function:
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
        key: measure_statistic(table, row, ci=ci, seed=seed)
        for key, row in STATISTICS.items()
        if row.function
    }


def measure_counts(
    table: RatingTable, *, ci: Resampling | None = "jackknife", seed: int = 0
) -> dict[str, Estimate]:
    """Measure what does not depend on who rated, as for a table of counts.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_counts([[3, 0], [0, 3], [1, 2]], scale=Scale.binary())
    >>> round(measure_counts(table)["fleiss_kappa"].value, 3)
    0.55
    """
    table = usable(table, "measure_counts")
    return {
        key: measure_statistic(table, row, ci=ci, seed=seed)
        for key, row in STATISTICS.items()
        if row.function and not row.compares_raters
    }


def measure_statistic(table: RatingTable, row: Statistic, **options: Any) -> Estimate:
    """One statistic by the function that its row names, undefined on a scale it does not fit."""
    if row.categorical and table.scale.kind == "interval":
        return undefined(table, "scale_mismatch", row.label)
    module, _, name = (row.function or "").partition(".")
    function = getattr(import_module(f"ocrjury.agreement.{module}"), name)
    accepted = signature(function).parameters.keys() & options.keys()
    estimate: Estimate = function(table, **{key: options[key] for key in accepted})
    return estimate
