"""Intraclass correlation: the share of the rating variance that is due to the items.

Symbols follow Shrout and Fleiss (1979): n items (targets), k raters (judges), mean squares BMS
between targets, JMS between judges, EMS residual, WMS within targets.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args
from weakref import WeakKeyDictionary

import numpy as np

from ocrjury.agreement.icc_forms import FORMS, Form
from ocrjury.agreement.intervals import IntervalOptions, undefined
from ocrjury.agreement.mean_squares import MeanSquares, coefficient_of, interval_of
from ocrjury.agreement.mixed_model import DROPPED, complete_icc, mixed_icc, mixed_iccs
from ocrjury.agreement.patterns import (
    active_raters,
    items_by_size,
    n_raters,
    usable,
    why_undefined,
)
from ocrjury.agreement.rows import cached_by_table, distinct_rows
from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate, Reason
from ocrjury.ratings import RatingTable

Missing = Literal["listwise", "mixed"]

_MISSING: Final = get_args(Missing)


@dataclass(frozen=True, slots=True)
class Analysis:
    """Mean squares of a table's complete items, or the reason why there are none.

    Attributes
    ----------
    dropped
        Number of rated items without a rating by every rater.
    """

    squares: MeanSquares | None
    reason: Reason | None = None
    dropped: int = 0


def icc(
    table: RatingTable,
    *,
    form: Form = "ICC(2,1)",
    missing: Missing = "listwise",
    confidence: float = 0.95,
) -> Estimate:
    """Share of the variance of a rating, or of a mean of k ratings, that is due to the items.

    Parameters
    ----------
    form
        1: each item has other raters; 2: all items have the same raters, a sample from a
        population, and severity counts as disagreement; 3: these raters only, and severity does
        not count. ``,1``: a single rating; ``,k``: the mean over the raters.
    missing
        ``"listwise"`` drops items that not all raters rated. ``"mixed"`` uses all ratings (see
        `mixed_icc`), for designs in which each item goes to some of the raters.

    Returns
    -------
    Estimate
        At most 1, with an interval from F distributions (``"mixed"`` and tables with clusters: from
        a jackknife over items or clusters). Where raters contradict each other ICC(2,k) may exceed
        1, because a variance estimate is negative; it then has a warning and no interval. ``nan``
        with reason ``no_complete_items`` if no item has all ratings, ``fewer_than_two_items``,
        ``no_variation``, and ``scale_mismatch`` on a nominal scale.

    Notes
    -----
    Shrout and Fleiss (1979), Psychological Bulletin 86(2), 420-428. The interval of ICC(2,k) is
    that of ICC(2,1) stepped up by Spearman-Brown. Item weights are not used.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix(
    ...     [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]],
    ...     scale=Scale.likert(1, 10))
    >>> [round(icc(table, form=form).value, 2) for form in ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)")]
    [0.17, 0.29, 0.71]
    """
    options = IntervalOptions(confidence=confidence)
    _check(form, missing)
    one_way = FORMS[form].raters == "changing" and missing == "listwise"
    table = usable(table, "icc", compares_raters=not one_way)
    if not table.scale.ordered:
        return undefined(table, "scale_mismatch", form)
    if missing == "listwise" and table.cluster is None:
        return _listwise(table, form=form, confidence=confidence)
    if reason := why_undefined(table):
        return undefined(table, reason, f"{form}, mixed")
    if missing == "listwise":
        return complete_icc(table, form=form, options=options)
    return mixed_icc(table, form=form, options=options)


def icc_of_all_ratings(table: RatingTable, *, form: Form = "ICC(2,1)") -> Estimate:
    """Intraclass correlation that leaves no rating out: mixed unless every rater rated all."""
    return iccs_of_all_ratings(table, forms=(form,))[form]


def iccs_of_all_ratings(
    table: RatingTable, *, forms: Sequence[Form] = tuple(FORMS)
) -> dict[str, Estimate]:
    """Intraclass correlations of several forms, as `icc_of_all_ratings` gives them one by one.

    Their intervals are jackknife intervals over items in any design. F distributions suppose normal
    ratings: with 85 % of them in one category, their 95 % intervals hold the truth in 70 %.
    """
    n_items = items_by_size(table)[1:]
    n_ratings = n_items @ np.arange(1, 1 + len(n_items))
    complete = n_ratings == n_items.sum() * n_raters(table)
    exact: dict[str, Estimate] = {}
    if complete or not table.scale.ordered:
        exact = {form: icc(table, form=form) for form in forms}
    if exact and all(math.isnan(estimate.low) for estimate in exact.values()):
        return exact
    table = usable(table, "icc", compares_raters=True)
    if reason := why_undefined(table):
        return {form: undefined(table, reason, f"{form}, mixed") for form in forms}
    mixed = mixed_iccs(table, forms, options=IntervalOptions())
    return mixed | {form: each for form, each in exact.items() if math.isnan(each.low)}


def complete_rows(table: RatingTable) -> tuple[Floats, Floats]:
    """Distinct rows of ratings by every rater, (J, k), and the number of items of each, (J,).

    Where `distinct_rows` does not apply, equal rows are not merged.
    """
    raters, rows = active_raters(table), distinct_rows(table)
    if rows is None:
        matrix = table.matrix()[:, raters]
        matrix = matrix[~np.isnan(matrix).any(axis=1)]
        return matrix, np.ones(len(matrix))
    codes = rows.codes[:, raters]
    complete = (codes >= 0).all(axis=1)
    return table.categories[codes[complete]], rows.frequency[complete].astype(float)


def analyse(rows: Floats, frequency: Floats) -> MeanSquares:
    """Mean squares of complete ratings of two or more items by two or more raters.

    Parameters
    ----------
    rows, frequency
        Ratings, shape (J, k), and the number of items of each row, shape (J,).
    """
    n, k = round(float(frequency.sum())), rows.shape[1]
    rows = rows - frequency @ rows.mean(axis=1) / n
    of_item, of_rater = rows.mean(axis=1), frequency @ rows / n
    residual = rows - of_item[:, None] - of_rater
    between = k * float(frequency @ of_item**2)
    judges = n * float(of_rater @ of_rater)
    error = float(frequency @ (residual**2).sum(axis=1))
    # Rounding leaves a residue where the exact sum is 0.
    residue = 1e-12 * (between + judges + error)
    between, judges, error = (0.0 if part <= residue else part for part in (between, judges, error))
    return MeanSquares(
        n,
        k,
        bms=between / (n - 1),
        jms=judges / (k - 1),
        ems=error / ((n - 1) * (k - 1)),
        wms=(judges + error) / (n * (k - 1)),
    )


_KNOWN: WeakKeyDictionary[RatingTable, Analysis] = WeakKeyDictionary()


@cached_by_table(_KNOWN)
def analysis_of(table: RatingTable) -> Analysis:
    """Analysis of variance that all six forms share."""
    if reason := why_undefined(table):
        return Analysis(None, reason)
    rows, frequency = complete_rows(table)
    n = round(float(frequency.sum()))
    dropped = int(items_by_size(table)[1:].sum()) - n
    if n < 2:
        return Analysis(None, "fewer_than_two_items" if n else "no_complete_items", dropped)
    return Analysis(analyse(rows, frequency), None, dropped)


def _listwise(table: RatingTable, *, form: Form, confidence: float) -> Estimate:
    """Coefficient of the items that all raters rated."""
    method = f"{form}, F interval"
    analysis = analysis_of(table)
    squares = analysis.squares
    if squares is None:
        return undefined(table, analysis.reason or "no_items", method)
    value = coefficient_of(squares, form)
    if math.isnan(value):
        return undefined(table, "no_variation", method)
    warnings = [DROPPED.format(analysis.dropped)] if analysis.dropped else []
    low = high = math.nan
    if value > 1:
        warnings.append("Not a share of variance: the estimated variance of the raters is below 0.")
    else:
        low, high = interval_of(squares, form, tail=(1 - confidence) / 2)
    return Estimate(
        value,
        low,
        high,
        n_items=squares.n,
        n_raters=squares.k,
        n_ratings=squares.n * squares.k,
        method=method,
        warnings=tuple(warnings),
    )


def _check(form: str, missing: str) -> None:
    """Raise on an unknown form or treatment of missing ratings."""
    if form not in FORMS:
        raise InputError(f"form must be one of {', '.join(FORMS)}; found {form!r}.")
    if missing not in _MISSING:
        raise InputError(f'missing must be "listwise" or "mixed"; found {missing!r}.')
