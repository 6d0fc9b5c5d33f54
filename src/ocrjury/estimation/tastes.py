"""Tastes of raters: by how much one rates some documents higher or lower than others do there.

A severity is the same everywhere. One rater minds lost lines and another wrong digits, so that a
rater may also be strict in one group of documents alone, such as a document type, or from one
evaluation to the next.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.estimation.interval import Part
from ocrjury.estimation.rater_error import RatedFit, left_by_rater
from ocrjury.rater_model import AdditiveFit, fit_additive


def shifts_of(fit: RatedFit) -> tuple[Floats, Floats]:
    """Shift of each rater in a group of documents and its noise variance, shape (M,).

    It is ``nan`` without ratings there, and so is the noise where each rater has one document,
    which shows none. Where the group's own documents connect all its raters, severities of an
    additive fit tell them apart; elsewhere what their documents leave unexplained does, on top of
    their severities. Severities have a mean of 0, and that took as much off their noise as the mean
    of as many independent ones takes off.
    """
    alone = _fit_alone(fit)
    seen = np.isfinite(alone.severity)
    if len(set(alone.group[seen])) == 1 and np.isfinite(alone.residual_variance):
        n = int(seen.sum())
        return alone.severity, alone.severity_error**2 * n / max(n - 1, 1)
    beyond, noise = left_by_rater(fit)
    return fit.additive.severity + beyond, np.where(noise > 0, noise, np.nan)


def spread_of_moves(first: RatedFit, second: RatedFit) -> Part | None:
    """Variance over raters of how their shifts differ between two groups or evaluations.

    Raters are the same by their ids. The noise of shifts is taken off. None where fewer than two
    raters have a shift in both.
    """
    sides = []
    for fit in (first, second):
        ids, columns = fit.data.raters, zip(*shifts_of(fit), strict=True)
        sides.append(
            {rater: own for rater, own in zip(ids, columns, strict=True) if own[0] == own[0]}
        )
    before, after = sides
    both = [rater for rater in before if rater in after]
    if len(both) < 2:
        return None
    measured = float(np.var([after[rater][0] - before[rater][0] for rater in both], ddof=1))
    noise = float(np.nan_to_num([after[rater][1] + before[rater][1] for rater in both]).mean())
    return Part(max(0.0, measured - noise), len(both) - 1, measured)


def _fit_alone(fit: RatedFit) -> AdditiveFit:
    """Additive fit of the ratings of these documents."""
    data, here = fit.data, np.isin(fit.data.item, fit.rows)
    return fit_additive(
        data.item[here],
        data.rater[here],
        data.value[here],
        n_items=data.n_items,
        n_raters=data.n_raters,
        rater_weight=fit.additive.weight,
    )


class Tastes(NamedTuple):
    """Tastes of raters in the groups of a sample.

    Attributes
    ----------
    part
        Variance of the taste of a rater in a group.
    counted
        Share of that variance that the variance of each rater's severity holds, shape (M,): all of
        it for a rater of one group, and less the more groups the severity is a mean over.
    """

    part: Part
    counted: Floats

    def of(self, fit: RatedFit) -> Part:
        """Error of a group's mean from tastes, beside that from severities."""
        return self.part.times(float(fit.direct**2 @ (1 - self.counted)))


class _Cells(NamedTuple):
    """Ratings of one rater in one group, shape (C,): their number, their shift and its noise."""

    group: Integers
    rater: Integers
    number: Integers
    shift: Floats
    noise: Floats


def tastes_between(groups: Iterable[RatedFit]) -> Tastes | None:
    """Tastes of raters in groups of one sample; None where nothing shows them.

    Notes
    -----
    A rater's shift in a group is a severity, a constant of the group, and a taste. The sum of
    squares that severities and constants leave, cells weighted by their ratings, is on average the
    tastes' variance and the noise of the shifts, each times what the fit leaves free (Searle,
    Casella and McCulloch 1992, Variance Components, chapter 5). Leverages are those of raters who
    are assigned to groups at random.
    """
    fits = list(groups)
    cells = _cells(fits)
    rows = np.repeat(np.arange(len(cells.number)), cells.number)
    fit = fit_additive(cells.group[rows], cells.rater[rows], cells.shift[rows])
    df = fit.df - len(rows) + len(cells.number)
    of_group = np.bincount(cells.group, cells.number)
    of_rater = np.bincount(cells.rater, cells.number)
    leverage = cells.number * (1 / of_group[cells.group] + 1 / of_rater[cells.rater])
    free = np.maximum(1 - leverage + cells.number / max(len(rows), 1), 0.0)
    if df < 1 or free.sum() <= 0:
        return None
    free *= cells.number * df / free.sum()
    left = np.zeros(len(cells.number))
    left[rows] = fit.residual
    measured = float(cells.number @ left**2) / free.sum()
    variance = max(measured - float(free @ cells.noise) / free.sum(), 0.0)
    n_raters = fits[0].data.n_raters
    squares, total = (
        np.bincount(cells.rater, n, n_raters) for n in (cells.number**2, cells.number)
    )
    counted = np.divide(squares, total**2, out=np.ones(n_raters), where=total > 0)
    return Tastes(Part(variance, df, measured), counted)


def _cells(groups: Sequence[RatedFit]) -> _Cells:
    """Cells of the raters in each group who can be told apart there."""
    of_groups = [_cells_of(place, fit) for place, fit in enumerate(groups)]
    return _Cells(*(np.concatenate(column) for column in zip(*of_groups, strict=True)))


def _cells_of(place: int, fit: RatedFit) -> _Cells:
    """Cells of one group; where noise is not known, nothing shows what of a shift is chance."""
    shift, noise = shifts_of(fit)
    rater = np.flatnonzero(np.isfinite(shift) & np.isfinite(noise))
    data = fit.data
    ratings = np.bincount(data.rater[np.isin(data.item, fit.rows)], minlength=data.n_raters)
    return _Cells(np.full(len(rater), place), rater, ratings[rater], shift[rater], noise[rater])
