"""Sentences on a pool's files and rows that no number is about."""

from ocrjury.findings.pool_scores import PoolScores
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.language import tr, trn
from ocrjury.pages.numbers import paragraph, percent
from ocrjury.store.database import Engine
from ocrjury.store.results import latest_findings


def unread_of(engine: Engine, evaluation: str, *, documents: int | None) -> str:
    """Sentences on what an evaluation's pool of some documents lost; empty before it is scored."""
    scores = latest_findings(engine, evaluation, PoolScores, kind="scores").get(ALL_DIMENSIONS)
    unread = 0 if scores is None else scores.findings.n_unread
    return unread_words(unread, documents or 0)


def unread_words(unread: int, documents: int) -> str:
    """Sentences on what a pool of some documents lost; empty where it lost nothing."""
    return paragraph([share_text(unread, documents), unread_text(unread)])


def share_text(unread: int, documents: int) -> str:
    """Sentence on the share of what a pool of some documents could not be used; empty without.

    Examples
    --------
    >>> share_text(30, 30), share_text(2, 99_998)
    ('50.0% of the pool could not be used.', '0.002% of the pool could not be used.')
    """
    if not unread:
        return ""
    share, places = unread_share(unread, documents), 1
    while percent(share, places) == percent(0, places):
        places += 1
    return tr("{share} of the pool could not be used.", share=percent(share, places))


def unread_share(unread: int, documents: int) -> float:
    """Share of a pool that could not be used beside its documents."""
    return unread / (unread + documents)


def unread_text(unread: int) -> str:
    """Sentence on the files and rows of a pool that are none of its documents; empty without."""
    if not unread:
        return ""
    return trn(
        "{n} file or row of the pool could not be read, or is a reference without OCR output; no "
        "number is about it.",
        "{n} files or rows of the pool could not be read, or are references without OCR output; no "
        "number is about them.",
        unread,
    )
