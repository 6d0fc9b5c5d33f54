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
        f"Every one of the {count(n)} documents with a reference was scored, so the values are "
        f"exact for them, without sampling error. The ranges are about other {unit} of the same "
        f"kind: how far another pool of such {unit} might lie from this one."
    )
