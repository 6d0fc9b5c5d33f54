"""What the ranges beside automatic metrics are about."""

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
