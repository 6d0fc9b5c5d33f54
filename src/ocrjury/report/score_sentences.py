"""Sentences about a comparison of texts, for its page."""

from collections.abc import Sequence

from ocrjury.findings.pool_scores import PoolGaps, Unused
from ocrjury.language import phrase, said, tr, trn
from ocrjury.pages.numbers import count, paragraph, plural
from ocrjury.pages.pool_ranges import legend_text, range_name
from ocrjury.report.score_record import ScoreReport
from ocrjury.text.unicode_blocks import DIGITS, SPACES

_OWN_BLOCKS = {DIGITS: phrase("Digits"), SPACES: phrase("White space")}


def lead(report: ScoreReport) -> str:
    """Sentence on the number of outputs compared, and of those that differ."""
    outputs = plural(report.n_scored, "output")
    if report.n_scored == report.n_documents:
        return trn(
            "{outputs} compared; {n} differs.",
            "{outputs} compared; {n} differ.",
            report.n_differing,
            outputs=outputs,
        )
    return trn(
        "{outputs} compared, {missing} without a reference; {n} differs.",
        "{outputs} compared, {missing} without a reference; {n} differ.",
        report.n_differing,
        outputs=outputs,
        missing=count(report.n_documents - report.n_scored),
    )


def block_name(name: str) -> str:
    """Group of characters; blocks of Unicode have English names only."""
    return str(said(_OWN_BLOCKS.get(name, name)))


def range_head(report: ScoreReport) -> str:
    """Head of a column of ranges."""
    return range_name(report.unit)


def columns_text(report: ScoreReport) -> str:
    """Legend of the columns of the table of metrics."""
    return paragraph(
        [
            legend_text(report.n_scored, report.unit, long=report.long),
            tr(
                "How a distance divides into replaced, added and missing characters is not unique; "
                "compare it only with numbers made here."
            ),
        ]
    )


def left_out(gaps: PoolGaps) -> list[tuple[str, Sequence[Unused]]]:
    """Lists of what could not be compared, each under its title; empty ones are not there."""
    titles = [
        (
            trn(
                "{n} file or row cannot be read",
                "{n} files or rows cannot be read",
                gaps.n_quarantined,
            ),
            gaps.quarantine,
        ),
        (
            trn("{n} file or row has no pair", "{n} files or rows have no pair", gaps.n_unmatched),
            gaps.unmatched,
        ),
        (
            trn("{n} file or row was skipped", "{n} files or rows were skipped", gaps.n_skipped),
            gaps.skipped,
        ),
    ]
    return [(title, entries) for title, entries in titles if entries]


def as_pages_title(gaps: PoolGaps) -> str:
    """Title on the pages that were scored as a whole, with the reason."""
    if gaps.unit == "word":
        return trn(
            "{n} page scored as a whole, because the words cannot be paired",
            "{n} pages scored as a whole, because the words cannot be paired",
            gaps.n_as_pages,
        )
    return trn(
        "{n} page scored as a whole, because the lines cannot be paired",
        "{n} pages scored as a whole, because the lines cannot be paired",
        gaps.n_as_pages,
    )


def pairing_text(gaps: PoolGaps) -> str:
    """Sentence on how lines or words were paired."""
    kinds = {kind: count(number) for kind, number in gaps.pairing.items()}
    if gaps.unit == "word":
        return tr(
            "words: {paired} paired, {joined} joined, {missed} missed, {invented} invented.",
            **kinds,
        )
    return tr(
        "lines: {paired} paired, {joined} joined, {missed} missed, {invented} invented.", **kinds
    )
