"""What the ranges beside automatic metrics are about, and which metric is left out."""

from ocrjury.findings.pool_scores import Unit
from ocrjury.pages.numbers import count


def known_pool_text(n: int, unit: Unit) -> str:
    """Say that values of documents that were all scored have no sampling error.

    Parameters
    ----------
    n
        Number of documents that have a reference.
    """
    return (
        f"All {count(n)} documents with a reference were scored, so the values are without "
        f"sampling error; the ranges are about other {unit} of the same kind."
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
    'Perfect match is left out: half of the references have 1,250 cha'
    """
    return (
        f"Perfect match is left out: half of the references have {count(median)} characters or "
        "more, and a text that long is hardly ever read without an error."
    )
