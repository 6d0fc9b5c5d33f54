"""Gwet's linearised standard error of Krippendorff's alpha.

Symbols follow `krippendorff`: m_u values of unit (item) u, c_u their counts per category, n_c
those of all units, delta the distance of two values, D_o and D_e observed and expected
disagreement.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from ocrjury.agreement.chance import summed_squares
from ocrjury.agreement.continuous_alpha import (
    counts_by_item,
    nominal_pairs,
    pull_of,
    ratio_distance,
    ratio_pairs,
)
from ocrjury.agreement.many_values import seen_values
from ocrjury.agreement.patterns import Patterns
from ocrjury.arrays import Floats, Integers
from ocrjury.ratings import RatingTable
from ocrjury.scales import Level


class _Units(NamedTuple):
    """Counts per value, (U, K), weight, frequency, m and cluster of each unit, and the values."""

    counts: sparse.csr_matrix
    weight: Floats
    frequency: Floats
    m: Floats
    values: Floats
    cluster: Integers | None

    @property
    def mass(self) -> Floats:
        """Weight of each kind of unit in sums, (U,)."""
        return self.frequency * self.weight

    @property
    def n_c(self) -> Floats:
        """Ratings of each value, (K,)."""
        return np.asarray(self.mass @ self.counts)


def linearised_alpha_error(table: RatingTable, patterns: Patterns | None, level: Level) -> float:
    """Standard error of alpha over items, ``nan`` with fewer than two items or without spread.

    Parameters
    ----------
    patterns
        Patterns of the table with two or more ratings; None: units are taken one by one.

    Notes
    -----
    Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition, chapter 5, as in
    ``krippen.alpha.raw`` of irrCAC, which calls 1 - D_o p_a and 1 - D_e p_e; the formula is for
    fixed distances. Ordinal distances depend on how often each value occurs; what that adds is the
    derivative of alpha with respect to the mid-ranks (delta method). With inclusion weights each
    item's term is multiplied by its own.
    """
    units = _units(table, patterns)
    total, n = units.mass.sum(), float(units.frequency.sum())
    n_values = float(units.mass @ units.m)
    within, pull = _distances(table if patterns is None else None, units, level)
    expected = float(units.mass @ pull) / n_values
    if n < 2 or not expected > 0:
        return float("nan")
    observed = float(units.mass @ within) / n_values  # D_o without the small-sample part
    ratio = observed / expected
    mean = n_values / total
    smaller = (1 - 1 / n_values) * observed
    term = ratio - (within - smaller * (units.m - mean)) / (mean * expected)
    term -= 2 * ratio * (units.m * expected - pull) / (mean * expected)
    if level == "ordinal":
        term -= total / n_values * _of_ranks(units, ratio) / expected
    squares, n = summed_squares(units.weight * term, units.frequency, units.cluster)
    return float(np.sqrt(n / (n - 1) * squares) / total) if n > 1 else float("nan")


def _units(table: RatingTable, patterns: Patterns | None) -> _Units:
    """Units with two or more values, equal ones as one if there are patterns."""
    if patterns is not None:
        counts = sparse.csr_matrix(patterns.counts)
        rows = patterns.weight, patterns.frequency, patterns.size
        return _Units(counts, *rows, table.categories, patterns.cluster)
    table = seen_values(table)
    counts, weight, cluster = counts_by_item(table)
    m = np.asarray(counts.sum(axis=1)).ravel()
    return _Units(counts, weight, np.ones(len(weight)), m, table.categories, cluster)


def _distances(table: RatingTable | None, units: _Units, level: Level) -> tuple[Floats, Floats]:
    """Distances within each unit over m - 1, and of its values to the average rating, (U,).

    ``table`` is that of units taken one by one.
    """
    counts, m, n_c = units.counts, units.m, units.n_c
    n_values = n_c.sum()
    if level == "nominal":
        return nominal_pairs(counts, m) / (m - 1), m - counts @ n_c / n_values
    if level == "ratio":
        pull = counts @ pull_of(n_c[None, :], units.values, level)[0] / n_values
        if table is not None:
            return ratio_pairs(table) / (m - 1), pull
        delta = ratio_distance(units.values[:, None], units.values[None, :])
        within = counts.multiply(counts @ delta).sum(axis=1)
        return np.asarray(within).ravel() / (m - 1), pull
    x = _mid_ranks(n_c) if level == "ordinal" else units.values - units.values.mean()
    s1, s2 = counts @ x, counts @ x**2
    within = 2 * (m * s2 - s1**2) / (m - 1)
    return within, s2 - 2 * s1 * (n_c @ x) / n_values + m * (n_c @ x**2) / n_values


def _of_ranks(units: _Units, ratio: float) -> Floats:
    """Change of the distances within units, less ratio times that of all pairs, by each unit, (U,).

    A unit moves the mid-rank of a value by its counts below it and half of those equal to it.
    """
    counts, m, n_c = units.counts, units.m, units.n_c
    rank, n_values = _mid_ranks(n_c), n_c.sum()
    share = units.mass / (m - 1)
    within = 4 * (rank * ((share * m) @ counts) - (share * (counts @ rank)) @ counts)
    between = 4 * n_c * (rank - n_c @ rank / n_values)
    slope = within - ratio * between
    return np.asarray(counts @ (np.cumsum(slope[::-1])[::-1] - slope / 2))


def _mid_ranks(n_c: Floats) -> Floats:
    """Mid-rank of each value, less half the number of all ratings."""
    return np.asarray(np.cumsum(n_c) - (n_c + n_c.sum()) / 2)
