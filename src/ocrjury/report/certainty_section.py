"""How far the estimates can be relied on: cautions, cross-checks, the plan, what came back."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ocrjury.estimate import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """How much of what was asked of the sample came back on a dimension.

    Items ``drawn``, ``rated`` at all and ``complete`` (as often as the design asks), ratings
    ``given`` and ``wanted``. ``growth`` is the largest factor by which a rated item's weight grew
    because it stands for others; ``silent`` counts items without a rating by stratum.
    """

    drawn: int
    rated: int
    complete: int
    given: int
    wanted: int
    growth: float = 1.0
    silent: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Certainty:
    """What stands behind the estimates of one dimension.

    ``others`` is the headline's kind of mean (GREG), ``hajek`` the one without auxiliaries,
    ``inferred`` the mean of the inferred labels, ``uncorrected`` what the raters would say without
    the correction by gold. ``cautions`` are whole sentences, by what they are about.
    """

    dimension: str
    others: Estimate
    hajek: Estimate
    inferred: Estimate | None = None
    uncorrected: Estimate | None = None
    gold_ratings: int = 0
    response: Response | None = None
    quartiles: tuple[Estimate, ...] = ()
    cautions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    trusted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What was planned, or what became of it; None where nobody said.

    Widths are lengths of 95 % ranges, in points of the scale and, of a share, between 0 and 1.
    """

    items: int | None = None
    ratings: int | None = None
    gold_ratings: int | None = None
    raters: int | None = None
    cost: float | None = None
    width_others: float | None = None
    width_these: float | None = None
    width_share: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanComparison:
    """The plan that was kept when the sample was drawn, beside what was achieved.

    ``source`` says from where the plan knew how much scores and raters vary: the name of an earlier
    evaluation, or ``measured`` is False and it is a sentence.
    """

    dimension: str
    planned: Expected
    achieved: Expected
    source: str
    measured: bool
    hours: float


@dataclass(frozen=True, slots=True)
class KindErrors:
    """Fields of one kind: in the pool, judged, and the share with a critical error."""

    kind: str
    pool: int
    n: int
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldErrors:
    """Share of the pool's fields with a critical error, by the rubric's field rules.

    ``unknown`` counts fields that were drawn and have no reference.
    """

    dimension: str
    share: Estimate
    by_kind: tuple[KindErrors, ...]
    unknown: int = 0

    def of(self, kind: str) -> KindErrors | None:
        """Return the fields of a kind, None if no rule is about it."""
        return next((row for row in self.by_kind if row.kind == kind), None)


@dataclass(frozen=True, slots=True)
class SystemMean:
    """One OCR system: its documents in the pool and their mean rating."""

    system: str
    pool: int
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class SystemDifference:
    """The mean of system a less that of b; ``both`` counts pages rated of both.

    ``paired`` says that pages were drawn for both and compared one by one.
    """

    a: str
    b: str
    both: int
    estimate: Estimate
    paired: bool = False


@dataclass(frozen=True, slots=True)
class Systems:
    """OCR systems that read the same pages, on one dimension."""

    dimension: str
    systems: tuple[SystemMean, ...]
    differences: tuple[SystemDifference, ...]


@dataclass(frozen=True, slots=True)
class Preferred:
    """On which share of the pool's pages raters who saw all outputs prefer each system.

    ``same`` is the share without a difference; ``p_value`` that of the sign test, None without one.
    """

    shares: tuple[tuple[str, Estimate], ...]
    same: Estimate
    pages: int
    raters: int
    answers: int
    p_value: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendRow:
    """One evaluation of the campaign, and its change from the one before.

    ``both`` counts documents that were rated in both; ``same_rubric`` tells whether the rubric is
    that of the newest evaluation.
    """

    evaluation: str
    period: str
    mean: Estimate
    change: Estimate
    both: int = 0
    same_rubric: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """The headline over evaluations, the oldest first and this one last.

    ``left_out`` are evaluations whose raters did not agree on the dimension.
    """

    dimension: str
    rows: tuple[TrendRow, ...]
    share_at_least: float | None = None
    left_out: tuple[str, ...] = ()

    @property
    def is_share(self) -> bool:
        """Return whether the numbers are shares."""
        return self.share_at_least is not None

    @property
    def newest(self) -> TrendRow:
        """Return this evaluation."""
        return self.rows[-1]
