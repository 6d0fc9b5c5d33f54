"""Share of the pool's fields with a critical error."""

from dataclasses import dataclass

from ocrjury.findings.record import Measured, Record


@dataclass(frozen=True, slots=True)
class KindErrors(Record):
    """Fields of one kind: in the pool, with a reference, and the share with a critical error.

    ``exact`` tells that every field of the pool has a reference and was judged, so that the share
    has no sampling error; ``few`` marks an estimate that rests on too few cases.
    """

    kind: str
    pool: int
    n: int
    estimate: Measured
    few: bool = False
    exact: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldErrors(Record):
    """Share of the pool's fields with a critical error, by the rubric's field rules.

    ``share`` is that of all kinds together: their shares add up to it. ``unknown`` counts fields
    of estimated kinds that have no reference, ``unlike`` those of them in whose kind and stratum no
    field has one. ``unjudged`` are the kinds with rules of which no field has a reference.
    """

    dimension: str
    share: Measured
    by_kind: tuple[KindErrors, ...]
    unknown: int = 0
    unlike: int = 0
    few: bool = False
    unjudged: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether every field was judged."""
        return all(row.exact for row in self.by_kind)

    def of(self, kind: str) -> KindErrors | None:
        """Fields of a kind, None if no rule is about it."""
        return next((row for row in self.by_kind if row.kind == kind), None)
