"""Markdown about the scoring of a pool: how far it is, and what was left out."""

from ocrjury.findings.pool_scores import PoolGaps
from ocrjury.pages.environment import render

SHOWN = 20
"""Files and rows of a list that are shown; the others are in the store."""


def render_scoring_progress(
    *,
    evaluation: str,
    rows: int,
    batches: int,
    kept: int,
    seconds: float,
    total: int | None = None,
) -> str:
    """How far the scoring of a pool is.

    Parameters
    ----------
    rows, batches
        Documents and batches that have scores.
    kept
        Batches among them that an earlier run had finished.
    seconds
        Since this run began.
    total
        Documents of the pool, about; None where nobody knows yet.
    """
    return render(
        "artifacts/scoring_progress.md.j2",
        evaluation=evaluation,
        rows=rows,
        batches=batches,
        kept=kept,
        seconds=seconds,
        total=total,
    )


def render_findings(*, evaluation: str, findings: PoolGaps) -> str:
    """What of a pool could not be used, and what to know about the rest."""
    return render(
        "artifacts/pool_findings.md.j2", evaluation=evaluation, findings=findings, shown=SHOWN
    )
