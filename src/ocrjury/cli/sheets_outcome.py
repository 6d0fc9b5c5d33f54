"""What an import of workbooks says: each file, and how far the rounds are."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ocrjury.cli.round_news import round_news
from ocrjury.pages.numbers import plural

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Work
    from ocrjury.frontends.sheets import SheetReport

SHOWN = 50
"""So many findings of a file are named, then the rest is counted."""


def report_lines(report: "SheetReport", *, dry_run: bool) -> Iterator[str]:
    """Yield what was found in one file, and what was done with it."""
    for finding in report.findings[:SHOWN]:
        prefix = "" if finding.level == "problem" else "note: "
        yield f"{prefix}{report.line(finding)}"
    if len(report.findings) > SHOWN:
        yield f"{report.file}: and {len(report.findings) - SHOWN:,} more"
    yield f"{report.file}: {_summary(report, dry_run=dry_run)}"


def round_lines(work: "Work", reports: "Sequence[SheetReport]") -> Iterator[str]:
    """Yield how far the rounds are that took something, and what happens next."""
    stored = [one for one in reports if one.stored]
    for evaluation in dict.fromkeys(one.evaluation for one in stored):
        complete = any(one.complete for one in stored if one.evaluation == evaluation)
        yield round_news(work, evaluation, complete=complete)


def _summary(report: "SheetReport", *, dry_run: bool) -> str:
    """Return one line about a file."""
    whose = f"{report.rater}, round {report.round} of {report.evaluation}"
    if report.again:
        return f"{whose}; imported before, nothing changed."
    if report.problems:
        count = plural(len(report.problems), "problem")
        return f"{whose}; {count}, so nothing was stored. Mend them, and import it again."
    parts = {"new": report.new, "changed": report.changed, "as before": report.same}
    said = ", ".join(f"{number:,} {name}" for name, number in parts.items() if number) or "none"
    rated = f"{report.answered:,} of {report.handed_out:,} rows are rated ({said})"
    done = "nothing was stored, as asked" if dry_run else "stored"
    return f"{whose}; {rated}; {done}."
