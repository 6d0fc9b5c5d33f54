"""What each section of the report prints."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ocrjury.estimate import Estimate
from ocrjury.findings.pool_scores import FieldAccuracy, MetricSummary
from ocrjury.findings.sampling import Balance
from ocrjury.pages.bias_rows import BiasRow
from ocrjury.report.profile_section import Profiles

Part = Literal["random", "stratified", "error_focused"]
PARTS: tuple[Part, ...] = ("random", "stratified", "error_focused")


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePart:
    """One of the parts whose odds were added up to each document's odds.

    ``mean_rating`` is the plain mean of the part's item means on the headline dimension, nan
    where nothing was rated; ``mean_weight`` the mean of 1 / inclusion probability.
    """

    reason: Part
    share: float
    items: int
    mean_weight: float
    mean_rating: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumCounts:
    """Documents of one stratum in the pool, and how many of them each part drew."""

    stratum: str
    pool: int
    drawn: Mapping[Part, int]

    @property
    def sample(self) -> int:
        """Return how many were drawn in all."""
        return sum(self.drawn.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """The design of the sample."""

    pool_size: int
    n: int
    stratum: str
    parts: tuple[SamplePart, ...]
    strata: tuple[StratumCounts, ...]
    weight_low: float
    weight_median: float
    weight_high: float
    risk: str = "cer"
    """Rule of the risk: ``cer``, ``confidence``, ``cer and confidence`` or ``none``."""
    recommended_n: int | None = None
    """Documents for a share within 5 points at 95 %, this pool's size taken into account."""
    note: str | None = None
    """What departed from the plan, as a sentence."""
    design: Literal["mixture", "stratified", "target"] = "mixture"
    spread_from: str | None = None
    """Evaluation that showed where the outcome of the design target varies."""
    balance: tuple[Balance, ...] = ()

    @property
    def everything(self) -> bool:
        """Return whether the whole pool was taken."""
        return self.n >= self.pool_size

    @property
    def focused(self) -> bool:
        """Return whether documents that are likely to be bad had better odds."""
        odds = any(row.reason == "error_focused" and row.share > 0 for row in self.parts)
        return odds and self.risk != "none"


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A recommendation, beside what was done; ``met`` is None where that is unknown."""

    topic: str
    recommended: str
    actual: str
    met: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterRow:
    """One rater. ``severity`` is the difference from colleagues on the same items, in points."""

    rater: str
    n_ratings: int
    mean: float
    severity: Estimate
    counts: tuple[int, ...] = ()
    """Ratings per level of the scale on the headline dimension."""
    accuracy: float | None = None
    """Share of ratings equal to the inferred label."""
    flags: tuple[str, ...] = ()
    """Findings that survived adjustment for many tests, as `ocrjury.report.findings` words them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raters:
    """All raters; ``tolerance`` is the severity that nobody need worry about.

    ``tested`` tells whether anybody looked for findings, so that none means none; ``bias`` are
    those tests.
    """

    rows: tuple[RaterRow, ...]
    dimension: str
    mean: float
    tolerance: float = 0.25
    tested: bool = False
    bias: tuple[BiasRow, ...] = ()
    profiles: tuple[Profiles, ...] = ()


@dataclass(frozen=True, slots=True)
class RatingCounts:
    """Ratings per level of the scale on one dimension, as they were given."""

    dimension: str
    counts: tuple[int, ...]

    @property
    def n(self) -> int:
        """Return the number of ratings."""
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts between edges; ``beyond`` values lie above the last edge and are drawn in its bin."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]
    median: float
    p95: float
    beyond: int = 0

    @property
    def n(self) -> int:
        """Return the number of values."""
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Point:
    """One rated item: its error rate, its human score and the part that drew it."""

    x: float
    y: float
    reason: Part


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Automatic metrics of the pool, and how people's scores go with them."""

    pool_size: int
    n_reference: int
    metrics: tuple[MetricSummary, ...]
    histogram: Histogram | None = None
    points: tuple[Point, ...] = ()
    rho: float = float("nan")
    fields: tuple[FieldAccuracy, ...] = ()
    signature: str = ""
