"""Rows of the items: their labels, and their documents with what the campaign lets out of them."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from ocrjury.export.cells import Row
from ocrjury.export.tables import PROBABILITY_OF
from ocrjury.report.stored_evaluation import Stored
from ocrjury.scales import Scale
from ocrjury.store.documents import SampledItem
from ocrjury.store.results import TruthRow

MOST_CATEGORIES = 25
"""Categories of a scale up to which each has a column for its probability."""


class Texts(NamedTuple):
    """Setting of texts in an export, and the reason if they are left out."""

    setting: str
    reason: str | None
    purged_at: str | None


def texts_of(stored: Stored) -> Texts:
    """Texts that the campaign lets out of its documents, and that are still there."""
    purged = next((item.purged_at for item in stored.items if item.purged_at), None)
    setting = stored.campaign.report.examples
    reason = "purged" if purged else None if setting == "shown" else setting
    return Texts(setting, reason, None if purged is None else purged.isoformat())


def label_rows(stored: Stored) -> Iterator[Row]:
    """Every label with the probabilities of the categories."""
    scales = stored.campaign.rubric.scales
    for truth in stored.truths:
        scale = scales[truth.dimension]
        row = truth._asdict() | _probabilities(truth, scale)
        del row["probabilities"]
        if scale.kind == "interval":
            row["confidence"] = None
        missing = {row[name] for name in ("label", "median", "mean", "confidence")} & {None}
        yield {**row, "reason": "scale_mismatch" if missing else None}


def _probabilities(truth: TruthRow, scale: Scale) -> dict[str, float]:
    """Probability of each category by its column; none where there are too many or no categories.

    >>> truth = TruthRow("d1", "usable", 1, 1.0, 0.9, 0.9, False, [0.1, 0.9], 3)
    >>> _probabilities(truth, Scale.binary())
    {'p:0': 0.1, 'p:1': 0.9}
    """
    names = scale.categories
    if not names or len(names) > MOST_CATEGORIES or len(names) != len(truth.probabilities):
        return {}
    return {
        f"{PROBABILITY_OF}{name}": chance
        for name, chance in zip(names, truth.probabilities, strict=True)
    }


def document_rows(stored: Stored) -> Iterator[Row]:
    """Every document that raters may have seen, the sample first in the order of the draw."""
    texts = texts_of(stored)
    for item in stored.items:
        yield {
            "item": item.item,
            "doc_id": item.doc_id,
            "page_id": item.page_id,
            "system": item.system,
            "doc_type": item.doc_type,
            "language": item.language,
            "kind": item.kind,
            "purpose": item.purpose,
            "confidence": item.confidence,
            **(_of_draw(item) if item.purpose == "sample" else {}),
            **item.scores,
            "score_reason": _score_reason(item),
            **_texts(item, texts),
        }


def _of_draw(item: SampledItem) -> Row:
    return {
        "inclusion_probability": item.inclusion_probability,
        "weight": item.weight,
        "stratum": item.stratum,
        "part": item.reason,
        "cluster": item.draw_number,
    }


def _score_reason(item: SampledItem) -> str | None:
    """Reason for missing metrics: all without a reference, the rates for an empty one."""
    missing = [value is None or math.isnan(value) for value in item.scores.values()]
    if not missing or all(missing):
        return "no_reference"
    return "empty_reference" if any(missing) else None


def _texts(item: SampledItem, texts: Texts) -> Row:
    if texts.reason is not None:
        return {"text_reason": texts.reason}
    return {
        "reference": item.reference,
        "hypothesis": item.hypothesis,
        "text_reason": "no_reference" if item.reference is None else None,
    }
