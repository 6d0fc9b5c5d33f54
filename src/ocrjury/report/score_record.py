"""Record behind the page of a comparison of texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ocrjury.findings.pool_metrics import PoolMetrics
from ocrjury.findings.pool_scores import MetricSummary, PoolGaps, Unit
from ocrjury.report.evidence import MarkedText
from ocrjury.text.alignment import Op

WIDTH = 1000.0


@dataclass(frozen=True, slots=True)
class Ribbon:
    """Paths of an SVG, ``WIDTH`` wide and 16 high, one for each kind of edit that there is.

    Kinds differ in height as in colour: replaced text takes the whole height, added text the
    upper half, missing text the lower half.
    """

    paths: dict[Op, str]
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedTexts:
    """One document whose texts differ, with its texts marked."""

    doc_id: str
    cer: float
    wer: float
    edits: Mapping[str, int]
    text: MarkedText
    ribbon: Ribbon


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequentEdit:
    """One character read as another; the missing side of an insertion or deletion is empty.

    ``share`` of all edits; ``doc_id`` is a document that has it.
    """

    reference: str
    hypothesis: str
    n: int
    n_documents: int
    share: float
    doc_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockErrors:
    """Edits of the characters of one Unicode block; ``share`` of all edits."""

    block: str
    n_ref_chars: int
    edits: int
    cer: float
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentScores:
    """One document with a reference."""

    doc_id: str
    cer: float
    wer: float
    n_ref_chars: int
    edit_distance: int
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReport:
    """Everything on the page.

    Attributes
    ----------
    summary, groups
        Metrics that people read, of all documents, and of each group (its ``stratum``).
    long
        Median number of characters of long texts, whose perfect match is left out; else None.
    documents
        The worst documents first, a thousand at most.
    differing
        The worst documents with their texts, a hundred at most.
    n_differing
        How many differ at all.
    metrics
        Distributions of the metrics, confidences, and groups of documents.
    """

    title: str
    n_documents: int
    n_scored: int
    unit: Unit
    summary: Sequence[MetricSummary]
    group: str | None
    groups: Sequence[MetricSummary]
    confusions: Sequence[FrequentEdit]
    blocks: Sequence[BlockErrors]
    metrics: PoolMetrics
    documents: Sequence[DocumentScores]
    differing: Sequence[ComparedTexts]
    n_differing: int
    left_out: PoolGaps
    options: Mapping[str, object]
    options_hash: str
    signature: str
    version: str
    long: float | None = None
