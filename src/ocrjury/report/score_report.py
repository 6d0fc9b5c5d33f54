"""The comparison of texts as one HTML page: numbers, confusions, and every difference marked."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from types import SimpleNamespace
from typing import Any

import pandas as pd

import ocrjury
from ocrjury.findings.measurement.pool_groups import columns_that_group
from ocrjury.findings.measurement.pool_metrics import TextFacts, is_empty, measure_pool_metrics
from ocrjury.findings.measurement.pool_scores import metric_summaries, page_cluster
from ocrjury.findings.pool_metrics import PoolMetrics
from ocrjury.findings.pool_scores import MetricSummary, PoolGaps, unit_of
from ocrjury.language import phrase, speaking
from ocrjury.metrics import shown_metrics
from ocrjury.pages.environment import render
from ocrjury.pages.numbers import count
from ocrjury.report import score_sentences
from ocrjury.report.marked_text import marked_text
from ocrjury.report.score_record import (
    WIDTH,
    BlockErrors,
    ComparedTexts,
    DocumentScores,
    FrequentEdit,
    Ribbon,
    ScoreReport,
)
from ocrjury.report.screen import page_script
from ocrjury.report.sections import confidences, groups, metric_charts
from ocrjury.text.alignment import EditOp, Op, align
from ocrjury.text.confidences import has_long_texts
from ocrjury.text.confusion import confusion_table
from ocrjury.text.options import TextOptions
from ocrjury.text.summary import summarize_scores
from ocrjury.text.unicode_blocks import error_rates_by_block

MOST_DIFFS, MOST_ROWS, MOST_CONFUSIONS, LONGEST = 100, 1000, 40, 6000
_NARROWEST = 1.5
_PLACES: dict[Op, tuple[int, int]] = {"replace": (0, 16), "insert": (0, 7), "delete": (9, 7)}


def score_report(
    scored: pd.DataFrame,
    *,
    title: str,
    options: TextOptions,
    left_out: PoolGaps,
    by: str | None = None,
) -> ScoreReport:
    """Contents of the page.

    Parameters
    ----------
    scored
        Pool with the columns of `score_texts`; ``.attrs["signature"]`` says how they were made.
    left_out
        What could not be read or has no pair.
    by
        Column that makes groups.
    """
    texts = _references(scored), scored["hypothesis"].tolist()
    cluster, long = page_cluster(scored), has_long_texts(scored)
    worst = _worst_first(scored)
    differing = worst[worst["edit_distance"] > 0]
    return ScoreReport(
        title=title,
        n_documents=len(scored),
        n_scored=int(scored["ned"].notna().sum()),
        unit=unit_of(cluster),
        summary=_in_order(summarize_scores(scored, cluster=cluster), shown_metrics(long=long)),
        long=float(scored["n_ref_chars"].median()) if long else None,
        group=by,
        groups=[] if by is None else _group_rows(scored, by, cluster),
        confusions=_confusions(scored, texts, options),
        blocks=_blocks(texts, options),
        metrics=_metrics(scored),
        documents=_documents(worst.head(MOST_ROWS)),
        differing=[_comparison(row, options) for row in differing.head(MOST_DIFFS).itertuples()],
        n_differing=len(differing),
        left_out=left_out,
        options=options.to_json(),
        options_hash=options.options_hash,
        signature=str(scored.attrs["signature"]),
        version=ocrjury.__version__,
    )


def render_score_report(report: ScoreReport, *, language: str = "en") -> str:
    """Page as one HTML file, without a reference to anything outside it.

    Parameters
    ----------
    language
        One of `ocrjury.language.languages`.
    """
    say = SimpleNamespace(
        score=score_sentences, metric_charts=metric_charts, confidences=confidences, groups=groups
    )
    with speaking(language):
        return render("score/score.html.j2", report=report, say=say, script=page_script())


def _metrics(scored: pd.DataFrame) -> PoolMetrics:
    """Charts; the page has a longer table of confusions of its own."""
    facts = TextFacts(empty=is_empty(scored["hypothesis"]))
    columns = columns_that_group(map(str, scored), lambda name: scored[name], named=None)
    return measure_pool_metrics(scored, facts, groups=columns)


def _references(scored: pd.DataFrame) -> list[str | None]:
    return [None if pd.isna(text) else text for text in scored["reference"]]


def _worst_first(scored: pd.DataFrame) -> pd.DataFrame:
    """Documents with a reference: undefined rates first, then by rate and edits."""
    known = scored[scored["ned"].notna()]
    rank = known["cer"].fillna(math.inf)
    order = known.assign(_rank=rank).sort_values(
        ["_rank", "edit_distance", "doc_id"], ascending=[False, False, True]
    )
    return order.drop(columns="_rank")


def _in_order(summary: pd.DataFrame, names: Sequence[str]) -> list[MetricSummary]:
    rows = {row.metric: row for row in metric_summaries(summary)}
    return [rows[name] for name in names if name in rows]


def _group_rows(scored: pd.DataFrame, by: str, cluster: str | None) -> Sequence[MetricSummary]:
    summary = summarize_scores(scored, by=by, cluster=cluster)
    return metric_summaries(summary[summary["metric"].isin(("cer", "wer"))], by)


def _blocks(
    texts: tuple[list[str | None], list[str]], options: TextOptions
) -> Sequence[BlockErrors]:
    names = [field.name for field in fields(BlockErrors)]
    rows = error_rates_by_block(*texts, options=options)[names].to_dict("records")
    return [BlockErrors(**{str(name): value for name, value in row.items()}) for row in rows]


def _documents(worst: pd.DataFrame) -> Sequence[DocumentScores]:
    names = [field.name for field in fields(DocumentScores)]
    rows = worst[names].to_dict("records")
    return [DocumentScores(**{str(name): value for name, value in row.items()}) for row in rows]


def _confusions(
    scored: pd.DataFrame, texts: tuple[list[str | None], list[str]], options: TextOptions
) -> Sequence[FrequentEdit]:
    """Most frequent edits, each with a document that has it."""
    table = confusion_table(*texts, options=options).head(MOST_CONFUSIONS)
    ids = scored["doc_id"].tolist()
    return [
        FrequentEdit(
            reference=row["reference"],
            hypothesis=row["hypothesis"],
            n=row["count"],
            n_documents=row["n_documents"],
            share=row["share"],
            doc_id=ids[row["example"]],
        )
        for row in table.to_dict("records")
    ]


def _comparison(row: Any, options: TextOptions) -> ComparedTexts:
    return ComparedTexts(
        doc_id=row.doc_id,
        cer=row.cer,
        wer=row.wer,
        edits={
            name: int(getattr(row, name)) for name in ("substitutions", "insertions", "deletions")
        },
        text=marked_text(row.reference, row.hypothesis, length=LONGEST, options=options),
        ribbon=ribbon(row.reference, row.hypothesis, options=options),
    )


def ribbon(reference: str, hypothesis: str, *, options: TextOptions) -> Ribbon:
    """Alignment as a ribbon: where in a text the OCR replaced, added and left out.

    Examples
    --------
    >>> drawn = ribbon("가나다라", "가너다", options=TextOptions())
    >>> drawn.paths
    {'replace': 'M250 0h250v16h-250z', 'delete': 'M750 9h250v7h-250z'}
    >>> drawn.words
    '2 characters match, 1 replaced, 0 added, 1 missing'
    """
    ops = align(reference, hypothesis, options=options)
    total = sum(map(_length, ops))
    stretches: dict[Op, list[tuple[float, float]]] = {}
    place = 0
    for op in ops:
        start, place = place, place + _length(op)
        if op.op != "equal":
            ends = (WIDTH * start / total, WIDTH * place / total)
            stretches.setdefault(op.op, []).append(ends)
    paths = {op: _path(op, stretches[op]) for op in _PLACES if op in stretches}
    return Ribbon(paths, _edit_counts(ops))


def _length(op: EditOp) -> int:
    """Characters of the longer side of a stretch."""
    return max(op.ref_end - op.ref_start, op.hyp_end - op.hyp_start)


def _path(op: Op, stretches: list[tuple[float, float]]) -> str:
    """Outline of all stretches of a kind; those too near to be seen apart are one."""
    top, height = _PLACES[op]
    joined: list[list[float]] = []
    for start, stop in stretches:
        end = max(stop, min(start + _NARROWEST, WIDTH))
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(end, joined[-1][1])
        else:
            joined.append([start, end])
    return "".join(
        f"M{start:.5g} {top}h{end - start:.4g}v{height}h-{end - start:.4g}z"
        for start, end in joined
    )


def _edit_counts(ops: list[EditOp]) -> str:
    """Numbers of characters that match and that do not."""
    counts: Counter[Op] = Counter()
    for op in ops:
        counts[op.op] += _length(op)
    return phrase(
        "{equal} characters match, {replaced} replaced, {added} added, {missing} missing",
        equal=count(counts["equal"]),
        replaced=count(counts["replace"]),
        added=count(counts["insert"]),
        missing=count(counts["delete"]),
    )
