"""Everything a report prints, already computed: plain values and estimates.

`ReportData` is the contract between the numbers and the templates. No template computes a
statistic, and nothing here knows of HTML or of the sections.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self, TypeVar

from ocrjury.estimate import Estimate
from ocrjury.findings.field_errors import FieldErrors
from ocrjury.findings.looks import Look
from ocrjury.findings.pool_estimates import PoolEstimates, Sources, TypeEstimate
from ocrjury.findings.systems import Preferences, Systems
from ocrjury.findings.trend import Trend
from ocrjury.gate.policy import GatePolicy
from ocrjury.gate.shown_dimensions import is_shown
from ocrjury.gate.verdict import Action, Decision
from ocrjury.language import tr
from ocrjury.pages.numbers import clauses, short
from ocrjury.report.distributions import RatingCounts
from ocrjury.report.evidence import Items
from ocrjury.report.identity import Identity
from ocrjury.report.outcome import Outcome, PrintedTarget
from ocrjury.scales import Kind as ScaleKind
from ocrjury.scales import Scale
from ocrjury.sentences import changed

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class PrintedDimension:
    """Dimension in print: its key in the data, its name, and the name that raters saw."""

    key: str
    name: str
    local_name: str | None = None
    description: str | None = None
    scale: "ScaleLabels | None" = None
    """Scale of the dimension, None for that of the headline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleLabels:
    """The numbers of the scale in order, and the anchor of each (may be empty)."""

    levels: tuple[float, ...]
    anchors: tuple[str, ...] = ()
    text: str = ""
    kind: ScaleKind = "likert"

    @classmethod
    def of(cls, scale: Scale) -> Self:
        """Labels of a scale that has no rubric."""
        if scale.kind == "interval":
            return cls(levels=(scale.low, scale.high), text=scale.words, kind=scale.kind)
        if scale.ordered:
            numbers = tuple(float(str(level)) for level in scale.categories)
            return cls(levels=numbers, text=scale.words, kind=scale.kind)
        names = tuple(map(str, scale.categories))
        places = tuple(float(place) for place in range(len(names)))
        return cls(levels=places, anchors=names, text=scale.words, kind=scale.kind)

    @property
    def ordered(self) -> bool:
        """Whether levels have an order; else their numbers are places."""
        return self.kind != "nominal"

    def name(self, value: float) -> str:
        """A value as people call it: the name of a category, or the number."""
        named = not self.ordered and math.isfinite(value)
        return self.anchors[int(value)] if named else short(value)

    @property
    def low(self) -> float:
        """Lowest value."""
        return self.levels[0]

    @property
    def high(self) -> float:
        """Highest value."""
        return self.levels[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class DimensionDecision:
    """The gate's decision on one dimension."""

    dimension: str
    decision: Decision
    grade: str | None = None
    reasons: tuple[str, ...] = ()
    needed_items: int | None = None


@dataclass(frozen=True, slots=True)
class Release:
    """A person let an evaluation through against the gate."""

    name: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GateVerdict:
    """The gate's decision, its reasons as whole sentences, and what to do."""

    decision: Decision
    grade: str | None = None
    reasons: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()
    dimensions: tuple[DimensionDecision, ...] = ()
    policy: GatePolicy = field(default_factory=GatePolicy)
    looks: tuple[tuple[int, Look], ...] = ()
    """Every look of the gate with its round, oldest first; none where nothing was stored."""
    release: Release | None = None
    advisory: bool = False
    """True where nothing depends on it: a report on ratings that somebody already has."""

    @property
    def trusted(self) -> bool:
        """Whether a headline may be printed as a result."""
        return self.decision == "PASS" or self.release is not None or self.advisory

    def shows(self, dimension: str) -> bool:
        """Return whether estimates on a dimension are printed."""
        own = self.of(dimension)
        decision = None if own is None or self.advisory else own.decision
        return is_shown(decision, trusted=self.trusted)

    def agreed_on(self, dimension: str) -> bool:
        """Return whether agreement on a dimension was shown."""
        own = self.of(dimension)
        return own is None or own.decision == "PASS" or self.advisory

    def of(self, dimension: str) -> DimensionDecision | None:
        """Decision on a dimension."""
        return next((row for row in self.dimensions if row.dimension == dimension), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The number on the cover.

    ``others`` is for other raters like these, ``these`` what these raters would say at equal
    weight; ``uncorrected`` is ``others`` without gold, None where gold corrected nothing, and
    ``sources`` what enters it. ``naive`` is the unweighted mean, printed crossed out in the
    appendix only.
    """

    dimension: str
    these: Estimate
    others: Estimate
    share_at_least: float | None = None
    """Level of a share (share of the pool at this rating or better); None: a mean rating."""
    hajek: Estimate | None = None
    uncorrected: Estimate | None = None
    sources: Sources | None = None
    naive: float | None = None
    items_only: bool = False
    """True where nothing is said about a pool: "these items only"."""
    weighted: bool = True
    """Whether items count by their inclusion probability; False: all items count alike."""
    gold_unused: bool = False
    """True where gold corrects the mean on the dimension, but not this share."""

    @property
    def is_share(self) -> bool:
        """Whether the number is a share between 0 and 1."""
        return self.share_at_least is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportData:
    """Contents of a report, section by section, as templates print them.

    No interval reaches beyond what its statistic can be, whatever was given. ``n_ratings`` counts
    the ratings that estimates and agreement rest on: of an evaluation the first-pass ones.
    """

    identity: Identity
    dimensions: tuple[PrintedDimension, ...]
    scale: ScaleLabels
    verdict: GateVerdict
    outcome: Outcome | None = None
    target: PrintedTarget | None = None
    headline: Headline | None = None
    n_ratings: int
    counts: tuple[RatingCounts, ...] = ()
    estimates: tuple[PoolEstimates, ...] = ()
    field_errors: FieldErrors | None = None
    systems: tuple[Systems, ...] = ()
    preferences: Preferences | None = None
    trend: Trend | None = None
    items: Items
    sections: Mapping[str, Any] = field(default_factory=dict)
    """Records of the sections, by name; None or absent where there is nothing to say."""
    methods: tuple[tuple[str, str], ...] = ()
    """Further paragraphs for "Methods": title and text."""

    @property
    def types(self) -> tuple[TypeEstimate, ...]:
        """Document types on the headline's dimension."""
        name = None if self.headline is None else self.headline.dimension
        return next((row.types for row in self.estimates if row.dimension == name), ())

    @property
    def shown_headline(self) -> Headline | None:
        """Headline, None where nothing is printed on its dimension."""
        headline = self.headline
        return headline if headline and self.verdict.shows(headline.dimension) else None

    def get(self, record: type[Record]) -> Record | None:
        """A section's record by its class, None where the report has none."""
        return next((row for row in self.sections.values() if isinstance(row, record)), None)

    def __getitem__(self, record: type[Record]) -> Record:
        """A section's record by its class, for sections that every report has."""
        section = self.get(record)
        if section is None:
            raise KeyError(record.__name__)
        return section

    def dimension(self, key: str) -> PrintedDimension:
        """A dimension by its key; one that the rubric lacks is named by its key."""
        return next((row for row in self.dimensions if row.key == key), PrintedDimension(key, key))

    def labels(self, key: str) -> ScaleLabels:
        """Levels of a dimension's scale."""
        return self.dimension(key).scale or self.scale

    @property
    def one_scale(self) -> bool:
        """Whether all dimensions have the same scale."""
        return len({self.labels(row.key).text for row in self.dimensions}) < 2

    @property
    def scale_text(self) -> str:
        """Scale in words, or that of each dimension where they differ."""
        if self.one_scale:
            return self.scale.text
        own = [(row.name, self.labels(row.key).text) for row in self.dimensions]
        return clauses(tr("{label}: {text}", label=name, text=text) for name, text in own)

    def name(self, key: str) -> str:
        """Printed name of a dimension."""
        return self.dimension(key).name

    def with_names(self, text: str) -> str:
        """A sentence in which dimensions bear their printed names instead of their keys."""
        return changed(text, "dimension", self.name)
