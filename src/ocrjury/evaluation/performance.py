"""The record of a rater over evaluations: accuracy, severity, and its change over time.

Right is a rating that equals the inferred label of its item, or gold. Ratings of pilots and second
ratings do not count: people learn from the first and remember the second.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from ocrjury.campaign.accuracy import measure_accuracy
from ocrjury.estimate import Estimate
from ocrjury.findings.raters import Accuracy
from ocrjury.scales import Scale, Scales, scale_of
from ocrjury.store.raters import RecordRow

COUNTED = ("main", "adaptive", "gold")
LEAST_EVALUATIONS = 3
NOTHING: Mapping[str, int] = MappingProxyType({})
_EITHER = Scale.nominal(["equal", "not equal"])
_FEW = Estimate(math.nan, reason="gold_in_fewer_than_three_evaluations")


@dataclass(frozen=True, slots=True)
class RaterRecord:
    """Record of one rater in one evaluation, or in all.

    Attributes
    ----------
    n_set_aside
        Ratings beside ``n_ratings`` that do not count, because the rater was recalibrated.
    inferred, gold
        Accuracy against the inferred labels and against gold.
    """

    rater: str
    evaluations: tuple[str, ...]
    opened_at: datetime
    n_ratings: int
    n_set_aside: int
    inferred: Accuracy
    gold: Accuracy

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "rater": self.rater,
            "evaluations": list(self.evaluations),
            "opened_at": self.opened_at.isoformat(),
            "n_ratings": self.n_ratings,
            "n_set_aside": self.n_set_aside,
            "inferred": self.inferred.to_json(),
            "gold": self.gold.to_json(),
        }


def records_of(
    rows: Sequence[RecordRow], scales: Mapping[str, Scales], *, aside: Mapping[str, int] = NOTHING
) -> list[RaterRecord]:
    """Record of one rater in every evaluation, the oldest first.

    Parameters
    ----------
    scales
        Of the dimensions, by evaluation.
    aside
        How many ratings were set aside, by evaluation.
    """
    by_evaluation: dict[str, list[RecordRow]] = {}
    for row in rows:
        if row.kind in COUNTED:
            by_evaluation.setdefault(row.evaluation, []).append(row)
    return [
        _record(of, scales, n_set_aside=aside.get(name, 0)) for name, of in by_evaluation.items()
    ]


def whole_record(
    rows: Sequence[RecordRow], scales: Mapping[str, Scales], *, aside: Mapping[str, int] = NOTHING
) -> RaterRecord | None:
    """Record of one rater in all evaluations, None without a rating that counts.

    Where scales differ, deviations have no common unit and are undefined.
    """
    counted = [row for row in rows if row.kind in COUNTED]
    if not counted:
        return None
    return _record(counted, scales, n_set_aside=sum(aside.values()))


def gold_trend(records: Sequence[RaterRecord]) -> Estimate:
    """Change of the share right on gold from one evaluation to the next.

    A weighted straight line through the evaluations' shares, by their ratings of gold; ``nan``
    below three of them.

    Notes
    -----
    Weighted least squares with the residual variance of the line, t with k - 2 degrees of freedom
    for k evaluations.
    """
    on_gold = [(place, record.gold) for place, record in enumerate(records) if record.gold.n]
    if len(on_gold) < LEAST_EVALUATIONS:
        return _FEW
    x = np.array([place for place, _ in on_gold], dtype=float)
    y = np.array([gold.share_equal.value for _, gold in on_gold])
    weight = np.array([gold.n for _, gold in on_gold], dtype=float)
    centred = x - np.average(x, weights=weight)
    spread = float(weight @ centred**2)
    slope = float(weight @ (centred * y)) / spread
    rest = y - np.average(y, weights=weight) - slope * centred
    df = len(on_gold) - 2
    se = math.sqrt(max(float(weight @ rest**2), 0.0) / df / spread)
    half = float(stdtrit(df, 0.975)) * se
    return Estimate(
        slope,
        slope - half,
        slope + half,
        se,
        n_ratings=int(weight.sum()),
        method="weighted line through the shares right on gold",
    )


def _record(
    rows: Sequence[RecordRow], scales: Mapping[str, Scales], *, n_set_aside: int
) -> RaterRecord:
    inferred: list[_Pair] = []
    gold: list[_Pair] = []
    used = set()
    for row, draw in zip(rows, _draws(rows), strict=True):
        scale = scale_of(scales[row.evaluation], row.dimension)
        used.add(scale)
        label = _number(row.label, scale)
        if label is not None and row.kind != "gold":
            inferred.append(_Pair(row.value, label, draw))
        if row.known is not None:
            gold.append(_Pair(row.value, row.known, draw))
    common = used.pop() if len(used) == 1 else None
    return RaterRecord(
        rater=rows[0].rater,
        evaluations=tuple(dict.fromkeys(row.evaluation for row in rows)),
        opened_at=rows[0].opened_at,
        n_ratings=len(rows),
        n_set_aside=n_set_aside,
        inferred=_accuracy(inferred, common),
        gold=_accuracy(gold, common),
    )


class _Pair(NamedTuple):
    """A rating beside what is right, and what it was drawn with."""

    value: float
    right: float
    draw: tuple[str, ...]


def _draws(rows: Sequence[RecordRow]) -> list[tuple[str, ...]]:
    """Item of each rating, or its page where several systems read it, in its evaluation."""
    systems: dict[tuple[str, str | None], set[str | None]] = {}
    for row in rows:
        systems.setdefault((row.evaluation, row.page_id), set()).add(row.system)
    return [
        (row.evaluation, "page", str(row.page_id))
        if len(systems[row.evaluation, row.page_id]) > 1
        else (row.evaluation, "item", row.item)
        for row in rows
    ]


def _accuracy(pairs: Sequence[_Pair], scale: Scale | None) -> Accuracy:
    if scale is None:
        # On unlike scales only equality can be compared.
        pairs = [_Pair(0.0, float(value != right), draw) for value, right, draw in pairs]
        scale = _EITHER
    return measure_accuracy(
        [pair.value for pair in pairs],
        [pair.right for pair in pairs],
        scale=scale,
        together=[pair.draw for pair in pairs],
    )


def _number(label: Any, scale: Scale) -> float | None:
    """Label as the store keeps ratings."""
    if label is None:
        return None
    if scale.ordered:
        return float(label)
    place = scale.codes.get(label)
    return None if place is None else float(place)
