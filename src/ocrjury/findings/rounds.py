"""Size, cost and yield of one round of rating."""

from dataclasses import dataclass

from ocrjury.findings.record import Number, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSummary(Record):
    """One round, and the confidence of the labels after it.

    ``items`` and ``ratings`` leave gold and second ratings out. ``uncertain_share`` counts items
    below the target confidence; it and the mean ``confidence`` are nan where no label was inferred,
    as after a pilot. ``calibrated`` tells whether the confidence of every dimension was checked
    against gold, so that it may be read as a probability; None without labels.
    """

    items: int
    assignments: int
    ratings: int
    gold_ratings: int
    second_ratings: int
    raters: int
    cost: Number
    uncertain_share: Number
    confidence: Number
    calibrated: bool | None
