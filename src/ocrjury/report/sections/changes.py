"""Statement on the blocks of a report that are in the campaign's own words."""

from ocrjury.language import tr
from ocrjury.pages.numbers import series
from ocrjury.pages.own_problems import replaced
from ocrjury.report.data import ReportData

FOLDER = "report"


def lines(report: ReportData) -> list[str]:
    """Sentences for the imprint: which blocks are not ours, and which of theirs failed."""
    changed = [
        tr("{file} ({blocks})", file=file, blocks=series(blocks))
        for file, blocks in _changed(report).items()
        if blocks
    ]
    sentences = [tr("Changed by templates of the campaign: {blocks}.", blocks=series(changed))]
    failed = [
        tr(
            "Block {block} of {file} (line {line}) is not used, because it failed here: {why}.",
            **failure._asdict(),
        )
        for failure in report.identity.failures
    ]
    return [*(sentences if changed else []), *failed]


def _changed(report: ReportData) -> dict[str, list[str]]:
    """Blocks of the campaign that this report has, by file."""
    failed = {(failure.file, failure.block) for failure in report.identity.failures}
    return {
        file: [block for block in replaced(text) if (file, block) not in failed]
        for file, text in sorted(report.identity.templates.items())
    }
