"""Looks of the gate: what each judgement saw, and the bound that it was held to."""

from dataclasses import dataclass

from ocrjury.findings.record import Number, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Look(Record):
    """One look at one dimension.

    Attributes
    ----------
    look, planned
        Which look it was, and how many the gate had planned by then; None: any number.
    items
        Items with two ratings or more that it saw.
    statistic, value, lower, confidence
        Key of the primary estimate, its value, and its one-sided lower bound at that confidence.
    """

    dimension: str
    look: int
    planned: int | None
    items: int
    statistic: str
    value: Number
    lower: Number
    confidence: Number
    decision: str


@dataclass(frozen=True, slots=True)
class Looks(Record):
    """Looks of one judgement at every dimension."""

    rows: tuple[Look, ...] = ()

    def of(self, dimension: str) -> Look | None:
        """Look at a dimension, None where it was not judged."""
        return next((look for look in self.rows if look.dimension == dimension), None)
