"""Precision of a statistic of N items: the jackknife and the bootstrap over items or clusters.

A statistic is described by each item's contribution to a few sums, and by its value as a function
of those sums. Items with equal contributions form one group, so the work depends on the number of
groups and not on N. Items that were drawn together, such as the outputs of one page, form a
cluster, and are left out or drawn together. Symbols: P groups, F sums, B replicates, C clusters.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from ocrjury.arrays import Floats, Integers

_CELLS = 2_000_000  # numbers in memory at once, 16 MB
_ITEMS_PER_GROUP = 8  # drawing this many items takes as long as drawing the frequency of one group


@dataclass(frozen=True, slots=True, eq=False)
class SummedStatistic:
    """A statistic that depends on items only through sums over them.

    Attributes
    ----------
    features
        Contribution of one item of each group to every sum, shape (P, F); an array or a SciPy CSR
        matrix.
    frequency
        Number of items in each group, shape (P,).
    value
        The statistic of B rows of sums, from (B, F) to (B,); ``nan`` where it has no value.
    left_out
        Closed form of the statistic without one item of each group, shape (P,), if there is one.
    cluster
        Cluster of each group, shape (P,); None: every item was drawn by itself.
    """

    features: Any
    frequency: Floats
    value: Callable[[Floats], Floats]
    left_out: Callable[[], Floats] | None = None
    cluster: Integers | None = None

    @property
    def n(self) -> int:
        """Number of items."""
        return round(float(self.frequency.sum()))

    @property
    def n_draws(self) -> int:
        """Number of items, or of clusters."""
        return self.n if self.cluster is None else len(np.unique(self.cluster))

    def by_cluster(self) -> "SummedStatistic":
        """The same statistic with one group for each cluster, shape (C,)."""
        if self.cluster is None:
            return self
        clusters, place = np.unique(self.cluster, return_inverse=True)
        shape = len(clusters), len(place)
        gather = sparse.csr_matrix((self.frequency, (place, np.arange(len(place)))), shape=shape)
        features, ones = gather @ self.features, np.ones(len(clusters))
        return replace(self, features=features, frequency=ones, left_out=None, cluster=None)

    def sums(self) -> Floats:
        """Sums over all items, shape (1, F)."""
        return np.asarray(self.features.T @ self.frequency, dtype=float)[None, :]

    def point(self) -> float:
        """Statistic of all items."""
        return float(self.value(self.sums())[0])


def jackknife_error(statistic: SummedStatistic) -> float:
    """Standard error from leaving out one item at a time.

    Parameters
    ----------
    statistic
        Any statistic; items of one group have the same replicate, so P replicates suffice.

    Returns
    -------
    float
        ``nan`` with fewer than two items, or if the statistic is undefined without some item.

    Notes
    -----
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, equation 11.5.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[1.0, 2.0], [1.0, 4.0], [1.0, 9.0]])
    >>> mean = SummedStatistic(x, np.ones(3), lambda sums: sums[:, 1] / sums[:, 0])
    >>> round(jackknife_error(mean), 4), round(float(np.std([2, 4, 9], ddof=1)) / 3**0.5, 4)
    (2.0817, 2.0817)
    """
    n = statistic.n
    if n < 2:
        return float("nan")
    replicates = left_out_values(statistic)
    centre = statistic.frequency @ replicates / n
    squares = statistic.frequency @ (replicates - centre) ** 2
    return float(np.sqrt((n - 1) / n * squares))


def bootstrap_replicates(
    statistics: Sequence[SummedStatistic], *, resamples: int = 2000, rng: np.random.Generator
) -> list[Floats]:
    """Values of each statistic over resamples of the items, each of shape (B,).

    All statistics must have the same groups. Drawing N items with replacement is equivalent to
    drawing the groups' frequencies from a multinomial distribution; where groups are small, drawing
    the items themselves is faster.
    """
    frequency = statistics[0].frequency
    replicates: list[list[Floats]] = [[] for _ in statistics]
    for drawn in _draws(frequency, resamples, rng):
        for values, statistic in zip(replicates, statistics, strict=True):
            values.append(statistic.value(np.asarray(drawn @ statistic.features)))
    return [np.concatenate(values) for values in replicates]


def percentile_interval(
    replicates: Floats, *, confidence: float = 0.95, least_valid: float = 0.9
) -> tuple[float, float, float]:
    """Standard error and percentile interval of bootstrap replicates.

    Standard error, low and high, all ``nan`` if fewer than two replicates, or a smaller share of
    them than ``least_valid``, have a value.
    """
    valid = replicates[np.isfinite(replicates)]
    if len(valid) < max(2.0, least_valid * len(replicates)):
        return float("nan"), float("nan"), float("nan")
    tail = (1 - confidence) / 2
    low, high = np.quantile(valid, [tail, 1 - tail])
    return float(valid.std(ddof=1)), float(low), float(high)


def _draws(frequency: Floats, resamples: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield the groups' frequencies in resamples, in blocks of shape (some, P)."""
    n, n_groups = round(float(frequency.sum())), len(frequency)
    by_item = n <= _ITEMS_PER_GROUP * n_groups
    group = np.repeat(np.arange(n_groups), frequency.astype(np.int64)) if by_item else frequency
    step = max(1, _CELLS // max(n if by_item else n_groups, 1))
    for start in range(0, resamples, step):
        n_draws = min(step, resamples - start)
        if not by_item:
            yield rng.multinomial(n, frequency / frequency.sum(), size=n_draws).astype(float)
            continue
        drawn = group[rng.integers(n, size=(n_draws, n))]
        drawn += n_groups * np.arange(n_draws)[:, None]
        counted = np.bincount(drawn.ravel(), minlength=n_draws * n_groups)
        yield counted.reshape(n_draws, n_groups).astype(float)


def left_out_values(statistic: SummedStatistic) -> Floats:
    """Statistic without one item of each group, shape (P,)."""
    if statistic.left_out is not None:
        return statistic.left_out()
    total = statistic.sums()
    return np.concatenate([statistic.value(total - rows) for rows in _blocks(statistic.features)])


def _blocks(features: Any) -> Iterator[Floats]:
    """Yield the rows in dense blocks that fit in memory."""
    rows, columns = features.shape
    step = max(1, _CELLS // max(columns, 1))
    for start in range(0, rows, step):
        block = features[start : start + step]
        yield block if isinstance(block, np.ndarray) else block.toarray()
