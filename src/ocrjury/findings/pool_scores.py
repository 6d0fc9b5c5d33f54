"""Automatic metrics of a pool, and what of it could not be used."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ocrjury.findings.record import Measured, Number, Record
from ocrjury.text.lengths import is_long

Unit = Literal["documents", "pages"]
"""Sampling unit behind the intervals of automatic metrics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSummary(Record):
    """One automatic metric over the pool, or over one ``stratum`` of it.

    Counts and averages are those of `ocrjury.text.summarize_scores`.
    """

    metric: str
    n: int
    n_undefined: int
    micro: Number
    macro: Number
    median: Number
    p95: Number
    low: Number
    high: Number
    n_missing: int = 0
    std: Number = math.nan
    max: Number = math.nan
    stratum: str | None = None


@dataclass(frozen=True, slots=True)
class RankCorrelations(Record):
    """Spearman's rank correlation of each automatic metric with the mean rating on a dimension.

    It is over the rated items, each counted alike; a metric that none of them has is left out.
    """

    dimension: str
    by_metric: Mapping[str, Measured]


@dataclass(frozen=True, slots=True)
class FieldAccuracy(Record):
    """Share of fields of one kind that were read exactly, over the pool."""

    kind: str
    n: int
    exact: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Unused(Record):
    """A file, row, page or document that was left out or read otherwise: where, and why."""

    where: str
    reason: str
    position: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolGaps(Record):
    """Parts of the pool that could not be used; the lists hold the first entries of each kind.

    ``n_without_output`` of those that are unmatched are references; the others are documents of the
    pool. ``formats`` counts documents by format; ``confidence_source`` tells where confidences come
    from.
    ``unit`` is what was read as one document. ``pairing`` counts lines or words by how they were
    paired with the reference's; ``as_pages`` are the pages where they could not be, each scored as
    a whole.
    """

    n_quarantined: int = 0
    quarantine: tuple[Unused, ...] = ()
    n_unmatched: int = 0
    n_without_output: int = 0
    unmatched: tuple[Unused, ...] = ()
    n_skipped: int = 0
    skipped: tuple[Unused, ...] = ()
    n_unscored: int = 0
    unscored: tuple[Unused, ...] = ()
    warnings: tuple[str, ...] = ()
    formats: Mapping[str, int] = field(default_factory=dict)
    confidence_source: Mapping[str, str] = field(default_factory=dict)
    unit: str = "page"
    pairing: Mapping[str, int] = field(default_factory=dict)
    n_as_pages: int = 0
    as_pages: tuple[Unused, ...] = ()

    @property
    def n_unread(self) -> int:
        """Number of files and rows that are no document of the pool; no number is about them."""
        return self.n_quarantined + self.n_without_output

    @property
    def any(self) -> bool:
        """Whether the pool has any gap or warning."""
        counts = (self.n_quarantined, self.n_unmatched, self.n_skipped, self.n_unscored)
        return bool(self.warnings) or any(counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolScores(Record):
    """Automatic metrics of the pool; ``signature`` and ``options`` tell how they were made.

    ``clustered_by`` is the column whose equal values belong together when intervals are drawn;
    ``n_pages`` counts these values, None where every document is one of its own.
    """

    signature: str
    options: Mapping[str, str | int | bool | None]
    options_hash: str
    summary: tuple[MetricSummary, ...]
    clustered_by: str | None
    fields: tuple[FieldAccuracy, ...]
    findings: PoolGaps
    n_pages: int | None = None


def median_of_long(summary: Iterable[MetricSummary]) -> float | None:
    """Median number of characters where texts are long, such as whole pages; None where not."""
    lengths = [row.median for row in summary if row.metric == "n_ref_chars"]
    return next((median for median in lengths if is_long(median)), None)


def unit_of(clustered_by: str | None) -> Unit:
    """Unit that a range of automatic metrics counts as drawn."""
    return "documents" if clustered_by is None else "pages"
