"""How near ratings come to values that are known: gold, a consensus, or an earlier rating."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
) -> Accuracy:
    """Return how near values come to known ones, with 95 % intervals.

    Parameters
    ----------
    values, known
        Of the same ratings, as numbers; on a nominal scale places of categories.
    tolerance
        How far off a rating may be and still lie within.
    n_gold
        How many of the known values are gold; None: all.

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

    off = [value - right for value, right in zip(values, known, strict=True)]
    slack = 1e-9  # .3 - .2 is not above .1
    return Accuracy(
        n=len(off),
        n_gold=len(off) if n_gold is None else n_gold,
        share_equal=plain_mean([float(abs(one) <= slack) for one in off]),
        share_within=plain_mean([float(abs(one) <= tolerance + slack) for one in off]),
        mean_absolute_error=plain_mean(list(map(abs, off))) if scale.ordered else _NO_ORDER,
        mean_deviation=plain_mean(off) if scale.ordered else _NO_ORDER,
        weighted_kappa=_kappa(values, known, scale),
    )


def known_values(
    ratings: Iterable[Rated], gold: Mapping[str, float], *, scale: Scale
) -> dict[tuple[str, str], float]:
    """Return what each rating of one dimension is compared with, by item and rater.

    Gold where an item has it; else what the other raters of the item say: their lower median, of
    names the one that most of them give. A rating with nothing to compare it with is left out.

    Examples
    --------
    >>> ratings = [Rated("a", "R1", 4), Rated("a", "R2", 5), Rated("b", "R1", 2)]
    >>> known_values(ratings, {"b": 3.0}, scale=Scale.likert(1, 5))
    {('a', 'R1'): 5, ('a', 'R2'): 4, ('b', 'R1'): 3.0}
    """
    by_item: dict[str, list[Rated]] = {}
    for one in ratings:
        by_item.setdefault(one.item, []).append(one)
    known: dict[tuple[str, str], float] = {}
    for item, given in by_item.items():
        for one in given:
            others = [other.value for other in given if other.rater != one.rater]
            value = gold[item] if item in gold else _consensus(others, scale)
            if value is not None:
                known[item, one.rater] = value
    return known


def _consensus(values: Sequence[float], scale: Scale) -> float | None:
    """Return what several raters say together, None if they say nothing together."""
    if not values:
        return None
    if scale.ordered:
        return median_low(values)
    (name, most), *rest = Counter(values).most_common(2)
    return None if rest and rest[0][1] == most else name


def _kappa(values: Sequence[float], known: Sequence[float], scale: Scale) -> Estimate:
    """Quadratic kappa of values and known ones."""
    if scale.kind in {"nominal", "interval"}:
        return _NO_ORDER
    if not values:
        return Estimate(math.nan, reason="no_items")
    from ocrjury.agreement import cohen_kappa  # noqa: PLC0415  # as above
    from ocrjury.ratings import RatingTable  # noqa: PLC0415  # as above

    table = RatingTable.from_matrix(list(zip(values, known, strict=True)), scale=scale)
    return cohen_kappa(table, weights="quadratic")
