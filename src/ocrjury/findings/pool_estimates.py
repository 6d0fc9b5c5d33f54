"""The quality of the whole pool on one dimension, and what supports the estimate."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ocrjury.estimate import Estimate
from ocrjury.findings.record import UNKNOWN, Measured, Number, Record

About = Literal["mean", "share", "usable", "unusable", "inferred", "type"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Response(Record):
    """Number of requested ratings of the sample that arrived on a dimension.

    Items ``drawn``, ``rated`` at all and ``complete`` (as often as the design asks), ratings
    ``given`` and ``wanted``. ``growth`` is the largest factor by which a rated item's weight grew
    because it stands for others; ``silent`` counts items without a rating by stratum. A lead
    ``excluded`` drawn items, counted by the reason, ``excluded_late`` of them after the gate had
    judged; ``excluded_share`` is their part of the sample by weight. ``aside`` counts ratings that
    were given and set aside for a recalibration; they are none of ``given``.
    """

    drawn: int
    rated: int
    complete: int
    given: int
    wanted: int
    growth: Number = 1.0
    silent: Mapping[str, int] = field(default_factory=dict)
    excluded: Mapping[str, int] = field(default_factory=dict)
    excluded_late: int = 0
    excluded_share: Number = 0.0
    aside: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldCorrection(Record):
    """Gold ratings behind a corrected mean, and the estimates for other raters without them.

    ``n_sampled`` of the items were drawn into the sample too. ``usable`` and ``unusable`` are None
    where gold did not correct that share.
    """

    n_items: int
    n_ratings: int
    uncorrected: Measured
    usable: Measured | None = None
    unusable: Measured | None = None
    n_sampled: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterInMean(Record):
    """One rater's part in the mean, as in `ocrjury.estimation.RaterPart`.

    ``without`` is the mean by all the others, None where it was not computed. ``flagged`` tells
    whether a test for bias found something, on the dimension or on all together.
    """

    rater: str
    n_ratings: int
    weight: Number
    share: Number
    severity: Number
    without: Measured | None = None
    flagged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources(Record):
    """Composition of the mean for other raters and of its range.

    ``variance`` is the share of each source of error: documents, ratings, raters, gold. ``length``
    is that of the range, the other two what it would be with twice the raters or ``more_items``
    times the items: twice, or as often as makes up the whole pool.
    """

    raters: tuple[RaterInMean, ...]
    effective_raters: Number
    df: Number
    variance: Mapping[str, Number]
    length: Number
    with_more_items: Number
    with_more_raters: Number
    more_items: Number = 2.0
    estimator: Literal["GREG", "Hajek"] = "GREG"


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetShare(Record):
    """Share of the pool at the target's level or better; fields as in `PoolEstimates`."""

    others: Measured
    these: Measured
    hajek: Measured
    naive: Measured
    sources: Sources | None = None
    uncorrected: Measured | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeEstimate(Record):
    """Mean rating of one document type.

    The intervals of all types hold at once with 95 %; ``few`` marks one that is a rough guide.
    ``apart`` is the mean less that of the whole pool, of which the severity of the raters cancels.
    """

    doc_type: str | None
    pool: int
    n: int
    estimate: Measured
    few: bool = False
    apart: Measured = UNKNOWN

    @property
    def name(self) -> str:
        """Printed name of the type."""
        return self.doc_type or "(no type)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Saving(Record):
    """Work behind a mean that an auxiliary saved.

    Without it, ``needed`` times as many items would have given the same interval for these raters.
    ``source`` is a judge, another column of the pool, or None for all of them together.
    """

    source: str | None
    needed: Number


class Caution(NamedTuple):
    """A warning of an estimate, and the estimate that it belongs to."""

    about: About
    text: str
    doc_type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolEstimates(Record):
    """Everything that is estimated about the pool on one dimension.

    ``others`` is the mean (GREG) for other raters, corrected by ``gold``, which is None where gold
    corrected nothing, and ``sources`` what enters it; ``these`` is what these raters would give at
    equal weight, without gold; ``hajek`` is the cross-check, which shares nothing with them but the
    ratings, ``naive`` the unweighted mean, ``inferred`` the mean of the inferred labels. ``usable``
    is the share of the pool at ``usable_level`` or better, ``unusable`` the share at the lowest
    level; ``few`` names those of the two that rest on too few cases. ``parts`` are the plain mean
    ratings of what each part of the design drew, ``auxiliaries`` the variables behind GREG,
    ``savings`` what each source of them saved, and all together.
    """

    dimension: str
    others: Measured
    these: Measured
    sources: Sources | None = None
    hajek: Measured | None = None
    naive: Measured | None = None
    inferred: Measured | None = None
    usable: Measured | None = None
    unusable: Measured | None = None
    usable_level: Number = 4.0
    few: tuple[Literal["usable", "unusable"], ...] = ()
    target_share: TargetShare | None = None
    gold: GoldCorrection | None = None
    response: Response | None = None
    quartiles: tuple[Measured, ...] = ()
    types: tuple[TypeEstimate, ...] = ()
    parts: Mapping[str, Number] = field(default_factory=dict)
    auxiliaries: tuple[str, ...] = ()
    savings: tuple[Saving, ...] = ()

    def cautions(self) -> Iterator[Caution]:
        """Warnings in order; a sentence about the whole pool comes once."""
        seen: set[str] = set()
        for about, estimates in self._groups().items():
            for text in (text for estimate in estimates if estimate for text in estimate.warnings):
                if text not in seen:
                    seen.add(text)
                    yield Caution(about, text)
        for row in self.types:
            yield from (Caution("type", text, row.name) for text in row.estimate.warnings)

    def _groups(self) -> dict[About, tuple[Estimate | None, ...]]:
        """Estimates of the whole pool, by the statistic."""
        share = self.target_share
        return {
            "mean": (self.others, self.these, self.hajek),
            "share": () if share is None else (share.others, share.these, share.hajek, share.naive),
            "usable": (self.usable,),
            "unusable": (self.unusable,),
            "inferred": (self.inferred,),
        }
