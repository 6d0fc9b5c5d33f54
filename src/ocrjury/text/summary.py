"""Scores of many documents, summarised in one row per metric."""

from collections.abc import Hashable, Iterator, Sequence

import numpy as np
import pandas as pd

from ocrjury.arrays import Integers
from ocrjury.errors import InputError
from ocrjury.text.averages import ClusterSums, MetricColumn
from ocrjury.text.metrics import METRICS, OPTIONAL
from ocrjury.text.shares import wilson_interval

VALUES = ("micro", "macro", "median", "p95", "std", "max", "low", "high")
"""Numbers of a metric in a row of `summarize_scores`."""


def summarize_scores(
    frame: pd.DataFrame,
    *,
    by: str | Sequence[str] | None = None,
    cluster: str | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> pd.DataFrame:
    """Averages, spread and interval of each metric, in each group if ``by`` is given.

    Parameters
    ----------
    frame
        Result of `score_texts`, with any other columns.
    by
        Column or columns that define the groups; they come first in the result.
    cluster
        Column whose equal values are resampled together for the interval, such as the fields of a
        page. None: each row is a unit of its own.
    confidence
        Confidence level of the interval.

    Returns
    -------
    DataFrame
        With the ``.attrs`` of ``frame``.

        ``metric``; ``n``: documents with a value; ``n_undefined``: those whose metric is undefined
        (an empty reference); ``n_missing``: those without a reference, with all metrics nan;
        ``micro``: sum of edits over sum of lengths, so that a long document counts for more;
        ``macro``: mean over documents; ``median``, ``p95`` (95th percentile), ``std`` (divided
        by n) and ``max`` over documents; ``low`` and ``high``: percentile bootstrap interval of
        ``micro``, or of ``macro`` where ``micro`` is nan, over clusters; more than 10,000 clusters
        are merged into 10,000 random groups. The mean of ``exact_match`` is the perfect-match rate;
        at 0 and at 1, where a bootstrap interval has no width, its interval is that of
        `ocrjury.text.shares.wilson_interval` with each cluster counted once.

        ``micro`` is nan for ``bleu``, which does not add up, and where a column of totals is
        missing: ``n_ref_words`` and ``word_edits`` for ``wer``,
        ``n_ref_chars_nospace`` and ``edit_distance_nospace`` for ``cer_nospace`` (see `score_texts`
        for the optional ones).
        Characters inserted against an empty reference count in it. Counts and ``exact_match`` have
        no lengths to weight by: their ``micro`` is their ``macro``. ``low`` and ``high`` are nan
        with fewer than two clusters.

    Examples
    --------
    >>> from ocrjury.text import score_texts
    >>> scores = score_texts(["가나", "하나 둘 셋 넷 다섯"], ["xy", "하나 둘 셋 넷 다섯"])
    >>> summary = summarize_scores(scores).set_index("metric")
    >>> summary.loc["cer", ["micro", "macro", "max"]].astype(float).round(3).tolist()
    [0.154, 0.5, 1.0]
    """
    by = [by] if isinstance(by, str) else list(by or ())
    _check(frame, [*by, cluster], confidence=confidence)
    rows = []
    for group, part in _groups(frame, by):
        rng = np.random.default_rng(seed)  # so a group's interval does not depend on other groups
        part_rows = _summarize(part, cluster=cluster, confidence=confidence, rng=rng)
        rows += [(*group, *row) for row in part_rows]
    columns = [*by, "metric", "n", "n_undefined", "n_missing", *VALUES]
    summary = pd.DataFrame(rows, columns=columns)
    summary.attrs.update(frame.attrs)
    return summary


def _check(frame: pd.DataFrame, keys: Sequence[str | None], *, confidence: float) -> None:
    """Raise if the frame has no scores, lacks a named column, or the confidence is no level."""
    absent = [name for name in keys if name is not None and name not in frame.columns]
    if absent:
        raise InputError(
            f"the frame has no column {', '.join(map(repr, absent))} to group by; found "
            f"{', '.join(map(repr, frame.columns))}."
        )
    if not {*METRICS, *OPTIONAL} & set(frame.columns):
        raise InputError(
            "summarize_scores needs columns that score_texts returns; found "
            f"{', '.join(map(repr, frame.columns)) or 'none'}."
        )
    if not 0 < confidence < 1:
        raise InputError(f"confidence must lie between 0 and 1; found {confidence!r}.")


def _groups(
    frame: pd.DataFrame, by: list[str]
) -> Iterator[tuple[tuple[Hashable, ...], pd.DataFrame]]:
    """Yield the values of ``by`` and the rows of each group."""
    if not by:
        yield (), frame
        return
    for group, part in frame.groupby(by, dropna=False, observed=True):
        yield tuple(group), part


def _summarize(
    frame: pd.DataFrame, *, cluster: str | None, confidence: float, rng: np.random.Generator
) -> list[tuple[object, ...]]:
    """Rows of one group of documents."""
    names = [name for name in (*METRICS, *OPTIONAL) if name in frame.columns]
    # One column at a time, here and below: those of a large pool take memory.
    missing = np.logical_and.reduce([frame[name].isna().to_numpy() for name in names])
    sums = ClusterSums(np.where(missing, -1, _clusters(frame, cluster)), rng)
    rows: list[tuple[object, ...]] = []
    for name in names:
        column = MetricColumn.of(frame, name)
        sums.add(column)
        empty = np.isnan(column.scores)
        n = (int((~empty).sum()), int((empty & ~missing).sum()), int(missing.sum()))
        rows.append((name, *n, column.micro, *column.distribution()))
    intervals = sums.intervals(confidence)
    if "exact_match" in names:
        place = names.index("exact_match")
        share = MetricColumn.of(frame, "exact_match").micro
        if share in {0.0, 1.0} and sums.n_clusters > 1:
            intervals[place] = wilson_interval(share, sums.n_clusters, confidence=confidence)
    return [(*row, *interval) for row, interval in zip(rows, intervals, strict=True)]


def _clusters(frame: pd.DataFrame, cluster: str | None) -> Integers:
    """Cluster of each row; a row without a cluster is one of its own."""
    if cluster is None:
        return np.arange(len(frame), dtype=np.int64)
    codes = pd.factorize(frame[cluster])[0].astype(np.int64)
    return np.where(codes < 0, len(frame) + np.arange(len(frame)), codes)
