"""Share of the pool's fields with a critical error."""

from dataclasses import dataclass

from ocrjury.findings.record import Measured, Record


@dataclass(frozen=True, slots=True)
class KindErrors(Record):
    """Fields of one kind: in the pool, judged, and the share with a critical error.

    ``few`` marks a share that rests on too few cases.
    """

    kind: str
    pool: int
    n: int
    estimate: Measured
    few: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldErrors(Record):
    """Share of the pool's fields with a critical error, by the rubric's field rules.

    ``unknown`` counts fields that were drawn and have no reference.
    """

    dimension: str
    share: Measured
    by_kind: tuple[KindErrors, ...]
    unknown: int = 0
    few: bool = False

    def of(self, kind: str) -> KindErrors | None:
        """Fields of a kind, None if no rule is about it."""
        return next((row for row in self.by_kind if row.kind == kind), None)
