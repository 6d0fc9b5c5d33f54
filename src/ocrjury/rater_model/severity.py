"""Severity of each rater, with an interval."""

from collections.abc import Hashable

import numpy as np
from scipy.special import stdtrit

from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.rater_model.additive import fit_additive_table
from ocrjury.ratings import RatingTable
from ocrjury.ratings.expected import check_table


def rater_severities(table: RatingTable, *, confidence: float = 0.95) -> dict[Hashable, Estimate]:
    """Shift of each rater against colleagues on the same items, in scale points.

    Returns
    -------
    dict
        By rater; below 0 is stricter. ``nan`` with reason ``no_pairable_items`` where a rater
        shares no item with anybody, ``scale_mismatch`` on a nominal scale.

    Examples
    --------
    >>> from ocrjury import Scale
    >>> table = RatingTable.from_matrix([[4, 5], [2, 3], [3, 4]], scale=Scale.likert(1, 5))
    >>> round(rater_severities(table)[0].value, 2)
    -0.5
    """
    check_table(table, "rater_severities")
    if not 0 < confidence < 1:
        raise InputError(f"confidence must lie between 0 and 1; found {confidence!r}.")
    counts = np.bincount(table.rater, minlength=table.n_raters)
    method = "additive item and rater model"
    if not table.scale.ordered:
        return {r: Estimate(np.nan, method=method, reason="scale_mismatch") for r in table.raters}
    fit = fit_additive_table(table)
    alone = np.bincount(fit.group, minlength=fit.n_groups)[fit.group] < 2
    quantile = float(stdtrit(fit.df, (1 + confidence) / 2)) if fit.df > 0 else np.nan
    severities: dict[Hashable, Estimate] = {}
    for place, rater in enumerate(table.raters):
        if alone[place] or not np.isfinite(fit.severity[place]):
            severities[rater] = Estimate(np.nan, method=method, reason="no_pairable_items")
            continue
        value, error = float(fit.severity[place]), float(fit.severity_error[place])
        severities[rater] = Estimate(
            value,
            value - quantile * error,
            value + quantile * error,
            error,
            n_ratings=int(counts[place]),
            n_raters=table.n_raters,
            method=method,
        )
    return severities
