"""Notes on the columns of automatic metrics, and on the metric that is left out."""

from ocrjury.findings.pool_scores import Unit
from ocrjury.language import tr
from ocrjury.pages.numbers import count, paragraph


def range_name(unit: Unit) -> str:
    """Head of a column of such ranges.

    Examples
    --------
    >>> range_name("pages")
    '95% range, other pages'
    """
    if unit == "pages":
        return tr("95% range, other pages")
    return tr("95% range, other outputs")


def averages_text() -> str:
    """Sentence on how the two averages weigh outputs; metrics count characters or words.

    Examples
    --------
    >>> averages_text()[:36]
    'Pooled: all edits over all lengths, '
    """
    return paragraph(
        [
            tr("Pooled: all edits over all lengths, so that a long output counts for more."),
            tr("Mean: every output counts the same."),
        ]
    )


def legend_text(n: int, unit: Unit, *, long: float | None) -> str:
    """Legend of the columns of a table of metrics.

    Parameters
    ----------
    n
        Number of documents that have a reference.
    long
        Median number of characters of long references, None where they are not long.
    """
    return paragraph(
        [
            averages_text(),
            tr("Bad tail: 95th percentile of error rates, 5th of the others."),
            _range_text(unit),
            known_pool_text(n, unit),
            "" if long is None else long_texts_text(long),
            tr("Against an empty reference an error rate is undefined."),
        ]
    )


def _range_text(unit: Unit) -> str:
    """Sentence on the ranges: their unit and their method."""
    if unit == "pages":
        return tr(
            "The range is of the pooled value, or of the mean where there is none, by the "
            "bootstrap over pages."
        )
    return tr(
        "The range is of the pooled value, or of the mean where there is none, by the bootstrap "
        "over outputs."
    )


def known_pool_text(n: int, unit: Unit) -> str:
    """Say that values of documents that were all scored have no sampling error.

    Parameters
    ----------
    n
        Number of documents that have a reference.
    """
    if unit == "pages":
        return tr(
            "All {n} outputs with a reference were scored, so the values are without sampling "
            "error; the ranges are about other pages of the same kind.",
            n=count(n),
        )
    return tr(
        "All {n} outputs with a reference were scored, so the values are without sampling "
        "error; the ranges are about other outputs of the same kind.",
        n=count(n),
    )


def long_texts_text(median: float) -> str:
    """Say why the share of perfect texts is left out.

    Parameters
    ----------
    median
        Median number of characters of the references.

    Examples
    --------
    >>> long_texts_text(1250.0)[:64]
    'Exact match is left out: half of the references have 1,250 chara'
    """
    return tr(
        "Exact match is left out: half of the references have {median} characters or more, and a "
        "single misread one undoes the match.",
        median=count(median),
    )
