"""What is estimated of each OCR system of a pool on its own."""

import numpy as np
import pandas as pd

from ocrjury.estimation import RatedSample, auxiliaries, within_scale
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.evidence import evidence_on, target_level
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.evaluation.type_estimates import rows_of_types, type_estimates
from ocrjury.findings.systems import SystemMean
from ocrjury.text.averages import MetricColumn


def system_side(
    case: Case, read: pd.DataFrame, sample: Sample, *, dimension: str, of: str
) -> RatedSample:
    """Ratings of one system's documents, named by their pages."""
    own = documents_of(read, of)
    page_of = dict(zip(own["doc_id"], own["page"], strict=True))
    page = {item.item: page_of[item.doc_id] for item in case.sample if item.system == of}
    mine = sample.items["item"].isin(list(page))
    items = sample.items[mine].reset_index(drop=True)
    matrix = _auxiliaries(case, own, dimension, n=len(items))
    pages = items["item"].map(page)
    ratings = evidence_on(case, dimension).ratings
    rated = ratings[ratings["item"].isin(list(page))]
    return RatedSample(
        rated.assign(item=rated["item"].map(page)),
        items.assign(item=pages),
        matrix[pd.Index(own["page"]).get_indexer(pd.Index(pages))],
        matrix.mean(axis=0),
    )


def system_mean(
    case: Case, read: pd.DataFrame, side: RatedSample, *, dimension: str, of: str
) -> SystemMean:
    """Estimates of one system on one dimension."""
    own, scale = documents_of(read, of), case.campaign.rubric.scales[dimension]
    rows, matrix = rows_of_types(own), _auxiliaries(case, own, dimension, n=len(side.items))
    least = target_level(case, dimension)
    return SystemMean(
        of,
        pool=len(own),
        estimate=within_scale(side.mean(), low=scale.low, high=scale.high),
        cer=MetricColumn.of(own, "cer").micro,
        share=None if least is None else side.share(at_least=least),
        types=type_estimates(
            side,
            pool={name: len(places) for name, places in rows.items()},
            means={name: matrix[places].mean(axis=0) for name, places in rows.items()},
            scale=scale,
        ),
    )


def documents_of(read: pd.DataFrame, system: str) -> pd.DataFrame:
    """Documents of a pool that a system has read."""
    return read[read["system"] == system].reset_index(drop=True)


def _auxiliaries(case: Case, own: pd.DataFrame, dimension: str, *, n: int) -> np.ndarray:
    judges = case.campaign.auxiliaries_on([dimension])
    matrix, _ = auxiliaries(own, n=n, judges=judges)
    return matrix
