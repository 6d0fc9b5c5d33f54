"""Charts of a scored pool, from one pass over its texts and one over its scores."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ocrjury.arrays import Booleans, Floats
from ocrjury.columns import numeric_column
from ocrjury.findings.measurement.character_confusions import (
    ConfusionCounter,
    TextPair,
)
from ocrjury.findings.measurement.confidence_checks import confidence_checks
from ocrjury.findings.measurement.metric_charts import (
    bad_tail,
    metric_distributions,
    metric_pairs,
    metric_ranks,
)
from ocrjury.findings.measurement.pool_groups import Groups, pool_groups
from ocrjury.findings.pool_metrics import Confusions, PoolMetrics
from ocrjury.metrics import METRICS
from ocrjury.report_choices import Examples
from ocrjury.text.options import TextOptions

TEXTS = ("reference", "hypothesis", "page_id", "kind")
"""Columns that the pass over the texts needs; the last two may be missing."""

IsCritical = Callable[[str, str, str], bool]
"""Predicate for a critical error in a field: reference, output and kind."""


@dataclass(frozen=True, slots=True, eq=False)
class TextFacts:
    """Facts about the texts of a pool beside their scores.

    Attributes
    ----------
    empty
        Whether the OCR read nothing, shape (n,).
    critical
        1 for a critical error, 0 for none, nan where no rule judges; None without rules.
    """

    empty: Booleans
    critical: Floats | None = None
    confusions: Confusions | None = None


def text_facts(
    batches: Iterable[pd.DataFrame],
    *,
    options: TextOptions,
    examples: Examples,
    kinds: frozenset[str] = frozenset(),
    is_critical: IsCritical | None = None,
) -> TextFacts:
    """Facts about the texts of a pool, read batch by batch.

    Parameters
    ----------
    examples
        Which texts the campaign shows.
    kinds, is_critical
        Kinds of field that field rules judge, and by what.
    """
    counter = ConfusionCounter(options)
    empty: list[Booleans] = []
    critical: list[Floats] = []
    place = 0
    for batch in batches:
        counter.add(_text_pairs(batch, place))
        empty.append(is_empty(batch["hypothesis"]))
        if is_critical is not None:
            critical.append(_critical(batch, kinds, is_critical))
        place += len(batch)
    return TextFacts(
        empty=np.concatenate(empty) if empty else np.zeros(0, dtype=bool),
        critical=np.concatenate(critical) if critical else None,
        confusions=counter.confusions(examples),
    )


def is_empty(outputs: pd.Series) -> Booleans:
    """Mask of the outputs that are empty or hold only spaces, shape (n,)."""
    return np.array([not str(text).strip() for text in outputs], dtype=bool)


def _text_pairs(batch: pd.DataFrame, place: int) -> Iterable[TextPair]:
    """Yield the texts of a batch; a document of no page is one of its own."""
    pages = batch["page_id"].tolist() if "page_id" in batch else [None] * len(batch)
    rows = zip(batch["reference"], batch["hypothesis"], pages, strict=True)
    for number, (reference, hypothesis, page) in enumerate(rows, start=place):
        own = page if isinstance(page, str) else number
        yield TextPair(reference if isinstance(reference, str) else None, hypothesis, own)


def _critical(batch: pd.DataFrame, kinds: frozenset[str], is_critical: IsCritical) -> Floats:
    """Judgement on every document of a batch."""
    critical = np.full(len(batch), np.nan)
    if "kind" not in batch:
        return critical
    rows = zip(batch["reference"], batch["hypothesis"], batch["kind"], strict=True)
    for place, (reference, hypothesis, kind) in enumerate(rows):
        if kind in kinds and isinstance(reference, str):
            critical[place] = is_critical(reference, hypothesis, kind)
    return critical


def measure_pool_metrics(
    scored: pd.DataFrame, facts: TextFacts, *, groups: dict[str, Groups]
) -> PoolMetrics:
    """Charts and tables of a scored pool.

    Parameters
    ----------
    scored
        Scores, ``confidence``, ``system`` and ``page_id`` of every document; no texts are needed.
    groups
        Groups of the documents, by column.
    """
    return PoolMetrics(
        n=len(scored),
        n_reference=int(np.isfinite(numeric_column(scored, "ned")).sum()),
        n_empty=int(facts.empty.sum()),
        distributions=metric_distributions(scored),
        pairs=metric_pairs(scored),
        ranks=metric_ranks(scored),
        confusions=facts.confusions,
        confidences=confidence_checks(scored, critical=facts.critical),
        groups=pool_groups(scored, groups, empty=facts.empty, critical=facts.critical),
        tails={
            name: bad_tail(name, numeric_column(scored, name)) for name in METRICS if name in scored
        },
    )
