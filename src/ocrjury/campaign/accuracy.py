"""Accuracy of ratings against known values: gold, a consensus, or an earlier rating."""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import median_low
from typing import NamedTuple

from ocrjury.estimate import Estimate
from ocrjury.findings.raters import Accuracy
from ocrjury.scales import Scale

_NO_ORDER = Estimate(math.nan, reason="scale_mismatch")


class Rated(NamedTuple):
    """One rating on one dimension."""

    item: str
    rater: str
    value: float


def measure_accuracy(
    values: Sequence[float],
    known: Sequence[float],
    *,
    scale: Scale,
    tolerance: float = 0.0,
    n_gold: int | None = None,
    together: Sequence[Hashable] | None = None,
) -> Accuracy:
    """Accuracy of values against known ones, with 95 % intervals.

    Parameters
    ----------
    values, known
        Values of the same ratings, as numbers; on a nominal scale indices of categories.
    tolerance
        Largest deviation that counts as within.
    n_gold
        Number of known values that are gold; None: all.
    together
        Item of each rating, or its page where several systems read it: ratings of the same one
        count as one draw. None: each rating is a draw of its own.

    Returns
    -------
    Accuracy
        Undefined estimates have a reason, such as ``no_items``.

    Examples
    --------
    >>> near = measure_accuracy([4, 5, 2], [5, 5, 5], scale=Scale.likert(1, 5), tolerance=1)
    >>> round(near.share_equal.value, 3), round(near.share_within.value, 3)
    (0.333, 0.667)
    >>> near.mean_deviation.value
    -1.3333333333333333
    """
    from ocrjury.estimation import plain_mean  # noqa: PLC0415  # the rating page does not need it

    deviations = [value - right for value, right in zip(values, known, strict=True)]
    slack = 1e-9  # .3 - .2 is not above .1
    places = {name: place for place, name in enumerate(dict.fromkeys(together or ()))}
    cluster = [places[name] for name in together or ()] if len(places) < len(deviations) else None
    mean = partial(plain_mean, cluster=cluster or None)
    return Accuracy(
        n=len(deviations),
        n_gold=len(deviations) if n_gold is None else n_gold,
        share_equal=mean([float(abs(error) <= slack) for error in deviations]),
        share_within=mean([float(abs(error) <= tolerance + slack) for error in deviations]),
        mean_absolute_error=mean(list(map(abs, deviations))) if scale.ordered else _NO_ORDER,
        mean_deviation=mean(deviations) if scale.ordered else _NO_ORDER,
        weighted_kappa=_kappa(values, known, scale, cluster=cluster or None),
    )


def known_values(
    ratings: Iterable[Rated], gold: Mapping[str, float], *, scale: Scale
) -> dict[tuple[str, str], float]:
    """Known value for each rating of one dimension, by item and rater.

    Gold where an item has it; else the consensus of the other raters of the item: their lower
    median, or the most frequent category on a nominal scale. A rating without either is left out.

    Examples
    --------
    >>> ratings = [Rated("a", "R1", 4), Rated("a", "R2", 5), Rated("b", "R1", 2)]
    >>> known_values(ratings, {"b": 3.0}, scale=Scale.likert(1, 5))
    {('a', 'R1'): 5, ('a', 'R2'): 4, ('b', 'R1'): 3.0}
    """
    by_item: dict[str, list[Rated]] = {}
    for rating in ratings:
        by_item.setdefault(rating.item, []).append(rating)
    known: dict[tuple[str, str], float] = {}
    for item, given in by_item.items():
        for rating in given:
            others = [other.value for other in given if other.rater != rating.rater]
            value = gold[item] if item in gold else _consensus(others, scale)
            if value is not None:
                known[item, rating.rater] = value
    return known


def _consensus(values: Sequence[float], scale: Scale) -> float | None:
    """Consensus of several raters: lower median or mode; None without ratings or on a tied mode."""
    if not values:
        return None
    if scale.ordered:
        return median_low(values)
    (name, most), *rest = Counter(values).most_common(2)
    return None if rest and rest[0][1] == most else name


def _kappa(
    values: Sequence[float], known: Sequence[float], scale: Scale, *, cluster: list[int] | None
) -> Estimate:
    if scale.kind in {"nominal", "interval"}:
        return _NO_ORDER
    if not values:
        return Estimate(math.nan, reason="no_items")
    import numpy as np  # noqa: PLC0415  # as above

    from ocrjury.agreement import cohen_kappa  # noqa: PLC0415  # as above
    from ocrjury.ratings import RatingTable  # noqa: PLC0415  # as above

    table = RatingTable.from_matrix(list(zip(values, known, strict=True)), scale=scale)
    if cluster is not None:
        table = replace(table, cluster=np.array(cluster, dtype=np.int64))
    return cohen_kappa(table, weights="quadratic")
