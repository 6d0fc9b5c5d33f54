"""Record behind the page of a comparison of texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ocrjury.findings.pool_metrics import PoolMetrics
from ocrjury.findings.pool_scores import Unit
from ocrjury.report.evidence import MarkedText
from ocrjury.text.alignment import Op

WIDTH = 1000.0
Rows = list[dict[str, Any]]


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
class ScoreReport:
    """Everything on the page.

    Attributes
    ----------
    summary, groups
        Rows of `ocrjury.text.summarize_scores`: of all documents, and per group.
    long
        Median number of characters of long texts, whose perfect match is left out; else None.
    documents
        The worst documents first, a thousand at most: doc_id, cer, wer, exact_match and counts.
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
    summary: Rows
    group: str | None
    groups: Rows
    confusions: Rows
    blocks: Rows
    metrics: PoolMetrics
    documents: Rows
    differing: Sequence[ComparedTexts]
    n_differing: int
    left_out: Mapping[Any, Any]
    options: Mapping[str, object]
    options_hash: str
    signature: str
    version: str
    long: float | None = None
