"""Savings by machines: error rates, confidences and judges beside the ratings."""

import math

from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.language import phrase, said, tr
from ocrjury.pages.numbers import NOTHING, decimal, percent
from ocrjury.report.data import ReportData
from ocrjury.report.sections.certainty import shown

NAMES = {
    "cer": phrase("Error rate"),
    "confidence": phrase("OCR confidence"),
    "doc_type": phrase("Document type"),
}
TOGETHER = phrase("All of these")
READING = phrase(
    "How many times as many items would have been needed for the same range without it, by the "
    "spread of these ratings; sources that know the same can replace each other, so that the last "
    "row may be far above the others. About 1: it saved nothing. Below 1: fewer items "
    "would have been enough without it."
)
_COSTLY = 0.95
"""Times as many items below which what is known of the pool did harm, more than by chance."""


def dimensions(report: ReportData) -> list[PoolEstimates]:
    """Dimensions with a printed estimate and auxiliaries."""
    return [row for row in shown(report) if row.savings]


def rows(report: ReportData) -> list[tuple[str, list[str]]]:
    """Every source with its cell of each dimension, all sources together last."""
    by_dimension = [
        {saving.source: saving.needed for saving in row.savings} for row in dimensions(report)
    ]
    sources = list(dict.fromkeys(source for savings in by_dimension for source in savings))
    return [
        (_name(source), [_times(savings.get(source, math.nan)) for savings in by_dimension])
        for source in sorted(sources, key=lambda source: source is None)
    ]


def title(report: ReportData) -> str:
    """Finding of the table: what the headline would have cost without auxiliaries."""
    row = dimensions(report)[0]
    last, name = row.savings[-1], report.name(row.dimension)
    if last.needed < _COSTLY:
        return tr(
            "What is known of the whole pool cost {share} of the items on {dimension}",
            share=percent(1 - last.needed, 0),
            dimension=name,
        )
    saved = percent(1 - 1 / last.needed, 0)
    if not last.needed > 1 or saved == percent(0, 0):  # the row says about 1, so nothing
        return tr("What is known of the whole pool saved nothing on {dimension}", dimension=name)
    return tr(
        "What is known of the whole pool saved {share} of the items on {dimension}",
        share=saved,
        dimension=name,
    )


def _name(source: str | None) -> str:
    return str(said(TOGETHER if source is None else NAMES.get(source, source)))


def _times(needed: float) -> str:
    return NOTHING if math.isnan(needed) else f"× {decimal(needed)}"
