"""Numbers of documents, pages, items and ratings, with gold and pilot apart."""

from dataclasses import dataclass
from typing import Literal

from ocrjury.language import tr, trn
from ocrjury.pages.numbers import count, listing, plural
from ocrjury.report.stored_evaluation import Stored

Noun = Literal["document", "field", "output"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Counts of an evaluation, each of one thing.

    ``documents`` of the pool on ``pages``, None where each is a page of its own; items ``drawn``
    from it and ``rated`` in first passes. ``gold`` and ``pilot`` are items outside the sample.
    ``noun`` is what a row of the pool is: an output, where several systems read the same; else a
    field, where all of them have a kind, or an output, such as a line, where pages have several.
    ``systems`` counts the OCR systems, ``unread`` the files and rows of the pool that could not be
    read or lack an OCR output, and so are none of its documents.
    """

    documents: int
    pages: int | None
    drawn: int
    rated: int
    gold: int = 0
    pilot: int = 0
    noun: Noun = "document"
    systems: int = 1
    unread: int = 0


def counts_of(stored: Stored) -> Counts:
    """Counts of an evaluation whose pool was scored."""
    sample = {item.item for item in stored.items if item.purpose == "sample"}
    pilots = {row.round for row in stored.rounds if row.kind == "pilot"}
    return Counts(
        documents=stored.row.pool_size or 0,
        pages=stored.scores.n_pages,
        drawn=len(sample),
        rated=len(sample & set(stored.first_pass["item"])),
        gold=len({row.item for row in stored.ratings if row.round_kind == "gold"}),
        pilot=len({row.item for row in stored.assignments if row.round in pilots}),
        noun=_noun(stored),
        systems=len({item.system for item in stored.items}),
        unread=stored.scores.findings.n_unread,
    )


def _noun(stored: Stored) -> Noun:
    if len({item.system for item in stored.items}) > 1:
        return "output"
    if _all_fields(stored):
        return "field"
    return "document" if stored.scores.n_pages is None else "output"


def _all_fields(stored: Stored) -> bool:
    return 0 < sum(row.n for row in stored.scores.fields) == stored.row.pool_size


def documents_text(counts: Counts | None, number: int) -> str:
    """Documents of the pool; fields or outputs where it holds these."""
    match "document" if counts is None else counts.noun:
        case "output":
            return plural(number, "output")
        case "field":
            return plural(number, "field")
        case _:
            return plural(number, "document")


def fields_text(counts: Counts | None, number: int) -> str:
    """Fields; each counts once for every system that read it."""
    if counts is None or counts.systems < 2:
        return plural(number, "field")
    return trn("{n} output for a field", "{n} outputs for fields", number)


def fields_of_kind_text(counts: Counts | None, number: int, kind: str) -> str:
    """Fields of a kind."""
    if counts is None or counts.systems < 2:
        return trn("{n} {kind} field", "{n} {kind} fields", number, kind=kind)
    return trn("{n} output for a {kind} field", "{n} outputs for {kind} fields", number, kind=kind)


def pool_text(counts: Counts) -> str:
    """Documents or fields of the pool, and the pages on which they are."""
    documents = documents_text(counts, counts.documents)
    if counts.pages is None:
        return documents
    return tr("{documents} on {pages}", documents=documents, pages=plural(counts.pages, "page"))


def rated_text(counts: Counts) -> str:
    """Noun of the number of rated items on the cover."""
    pool = pool_text(counts)
    if counts.rated == counts.drawn:
        return trn("item rated, from {pool}", "items rated, from {pool}", counts.rated, pool=pool)
    return trn(
        "item rated of {drawn} drawn, from {pool}",
        "items rated of {drawn} drawn, from {pool}",
        counts.rated,
        drawn=count(counts.drawn),
        pool=pool,
    )


def apart_text(counts: Counts) -> str | None:
    """Items that are not among those rated, None where there are none."""
    others = [
        plural(counts.gold, "gold item") if counts.gold else "",
        plural(counts.pilot, "pilot item") if counts.pilot else "",
    ]
    parts = [words for words in others if words]
    return tr("Not counted here: {items}.", items=listing(parts)) if parts else None
