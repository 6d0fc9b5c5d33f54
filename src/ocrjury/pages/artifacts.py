"""Markdown for the page of a Prefect run, where a template needs more than its facts.

No text of documents is in it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ocrjury.bias.findings import ALPHA
from ocrjury.estimate import Estimate
from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.findings.pool_scores import PoolGaps, PoolScores, median_of_long, unit_of
from ocrjury.findings.sampling import SampleDesign
from ocrjury.findings.truth import TruthSummary, UncertainItems
from ocrjury.gate.shown_dimensions import is_shown
from ocrjury.metrics import RANKED, shown_metrics
from ocrjury.pages.bias_rows import bias_rows
from ocrjury.pages.environment import render
from ocrjury.pages.numbers import bounded, estimate_text, percent, plural
from ocrjury.pages.pool_ranges import averages_text, known_pool_text, long_texts_text
from ocrjury.sampling.designs import PART_NAMES
from ocrjury.statistics import STATISTICS, grade, statistic
from ocrjury.store.results import VerdictRow
from ocrjury.store.rounds import RoundPlan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ocrjury.bias.findings import BiasFinding
    from ocrjury.findings.agreement import AgreementFinding

SHOWN = 20
"""Files and rows of a list that are shown; the others are in the store."""


def render_pool(*, evaluation: str, pool_size: int, scores: PoolScores) -> str:
    """Error rates of a pool."""
    long = median_of_long(scores.summary)
    by_metric = {row.metric: row for row in scores.summary}
    rows = [
        by_metric[name]
        for name in shown_metrics(RANKED, long=long is not None)
        if name in by_metric
    ]
    unit = unit_of(scores.clustered_by)
    return render(
        "artifacts/pool.md.j2",
        evaluation=evaluation,
        pool_size=pool_size,
        rows=rows,
        unit=unit,
        averages=averages_text(),
        known=known_pool_text(max((row.n for row in rows), default=0), unit),
        left_out="" if long is None else long_texts_text(long),
        signature=scores.signature,
    )


def render_estimates(
    *, evaluation: str, estimates: Sequence[PoolEstimates], verdicts: Sequence[VerdictRow]
) -> str:
    """Estimates of the dimensions that are shown; the others are named."""
    decisions = {verdict.dimension: verdict.decision for verdict in verdicts}
    shown = [row for row in estimates if is_shown(decisions.get(row.dimension), trusted=True)]
    return render(
        "artifacts/estimates.md.j2",
        evaluation=evaluation,
        rows=shown,
        hidden=[row.dimension for row in estimates if row not in shown],
    )


def render_findings(*, evaluation: str, findings: PoolGaps) -> str:
    """Gaps of a pool, and cautions about the rest."""
    return render(
        "artifacts/pool_findings.md.j2", evaluation=evaluation, findings=findings, shown=SHOWN
    )


def render_sample_design(*, evaluation: str, design: SampleDesign) -> str:
    """Design of the sample."""
    strata = [
        (name, pool, sum(design.sample_strata.get(name, {}).values()))
        for name, pool in design.pool_strata.items()
    ]
    return render(
        "artifacts/sample_design.md.j2",
        evaluation=evaluation,
        design=design,
        strata=strata,
        part_names=PART_NAMES,
    )


def render_round(*, evaluation: str, number: int, plan: RoundPlan) -> str:
    """Page of a new round: what it asks of whom, until when."""
    return render(
        "artifacts/round.md.j2",
        evaluation=evaluation,
        number=number,
        kind=plan.kind,
        rule=plan.rule,
        n_items=len({assignment.item for assignment in plan.assignments}),
        n_ratings=len(plan.assignments),
        n_raters=len({assignment.rater for assignment in plan.assignments}),
        deadline=plan.deadline,
    )


def progress_bar(done: int, total: int, width: int = 24) -> str:
    """A bar of block characters; it is full only when everything is done.

    Examples
    --------
    >>> progress_bar(1, 4, 8), progress_bar(99, 100, 8), progress_bar(0, 0, 8)
    ('██░░░░░░', '███████░', '░░░░░░░░')
    """
    full = width * done // total if total else 0
    return "█" * full + "░" * (width - full)


def render_agreement(*, evaluation: str, findings: "Sequence[AgreementFinding]") -> str:
    """Statistics of each dimension, with bands in words."""
    columns = [
        key
        for key, row in STATISTICS.items()
        if row.in_artifact and any(key in finding.estimates for finding in findings)
    ]
    rows = [
        (finding.dimension, [_agreement_cell(key, finding.estimates.get(key)) for key in columns])
        for finding in findings
    ]
    return render(
        "artifacts/agreement.md.j2",
        evaluation=evaluation,
        columns=[statistic(key).short_label for key in columns],
        rows=rows,
        chance=[
            (finding.dimension, finding.estimates.get("human_agreement_chance"))
            for finding in findings
        ],
        judges=[
            (
                judge.judge,
                finding.dimension,
                bounded("judge_alignment", judge.alignment),
                bounded("judge_ceiling", judge.ceiling),
            )
            for finding in findings
            for judge in finding.judges
        ],
    )


def render_bias(*, evaluation: str, findings: "Iterable[BiasFinding]") -> str:
    """Every test for bias, those that could not be made too."""
    rows = bias_rows(findings)
    units = {row.name: row.words.meaning for row in rows}
    return render(
        "artifacts/bias.md.j2", evaluation=evaluation, rows=rows, units=units, alpha=ALPHA
    )


def _agreement_cell(key: str, estimate: Estimate | None) -> str:
    """A value with its interval and word."""
    if estimate is None:
        return "—"
    graded = grade(key, estimate.value)
    text = estimate_text(bounded(key, estimate), share=statistic(key).is_share)
    return f"{text}, {graded.common}" if graded else text


def render_truth_summary(*, evaluation: str, summary: TruthSummary) -> str:
    """Confidence of the inferred labels."""
    return render(
        "artifacts/truth_summary.md.j2",
        evaluation=evaluation,
        summary=summary,
        uncertain=uncertain_text(summary.overall),
    )


def uncertain_text(overall: UncertainItems) -> str:
    """Number of items below the target confidence.

    Examples
    --------
    >>> uncertain_text(UncertainItems(uncertain_items=3, n_items=60, target=0.9))
    '3 of 60 items (5.0%) have a label below confidence 0.9.'
    """
    share = overall.uncertain_items / overall.n_items if overall.n_items else None
    return (
        f"{overall.uncertain_items} of {plural(overall.n_items, 'item')} ({percent(share)}) "
        f"have a label below confidence {overall.target:g}."
    )
