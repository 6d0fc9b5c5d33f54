"""The columns of a sheet: their headers in the rater's language, and names for the lead."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ocrjury.campaign.rubric import Rubric
from ocrjury.campaign.texts import in_language
from ocrjury.frontends.sheets.texts import matched
from ocrjury.frontends.sheets.words import Words, words_of

Part = Literal["fact", "text", "rating", "confidence", "flag", "comment", "key"]
"""What a column is for: ``fact`` and ``text`` describe the item, ``text`` must come back."""


class SheetColumn(NamedTuple):
    """A column; `name` is what reports call it, `header` what stands above it."""

    name: str
    header: str
    part: Part
    width: float

    @property
    def filled_in(self) -> bool:
        """Whether the rater writes into it."""
        return self.part in ("rating", "confidence", "flag", "comment")


def sheet_columns(
    rubric: Rubric, dimensions: Sequence[str], *, language: str, sessions: bool
) -> tuple[SheetColumn, ...]:
    """Columns from left to right.

    Parameters
    ----------
    dimensions
        Those that are rated in the round.
    sessions
        Whether the items are parted into sessions.
    """
    words = words_of(language)
    described = _describing(words)
    asked = [
        SheetColumn(name, _title(rubric, name, language), "rating", 13.0) for name in dimensions
    ]
    columns = [
        *(one for one in described if sessions or one.name != "session"),
        *asked,
        SheetColumn("confidence", words.confidence, "confidence", 13.0),
        SheetColumn("flag", words.flag, "flag", 20.0),
        SheetColumn("comment", words.comment, "comment", 36.0),
        SheetColumn("key", words.key, "key", 21.0),
    ]
    return tuple(_distinct(columns))


def _describing(words: Words) -> list[SheetColumn]:
    """Columns about the item."""
    return [
        SheetColumn("number", words.number, "fact", 6.0),
        SheetColumn("session", words.session, "fact", 8.0),
        SheetColumn("image", words.image, "fact", 9.0),
        SheetColumn("doc_type", words.doc_type, "text", 16.0),
        SheetColumn("kind", words.kind, "text", 9.0),
        SheetColumn("reference", words.reference, "text", 46.0),
        SheetColumn("hypothesis", words.hypothesis, "text", 46.0),
    ]


def _title(rubric: Rubric, name: str, language: str) -> str:
    """Name of a dimension."""
    return (in_language(rubric.dimension(name).title, language) or name).strip() or name


def _distinct(columns: Sequence[SheetColumn]) -> list[SheetColumn]:
    """Columns with headers that are found again, whatever a dimension is called."""
    headers = [matched(one.header) for one in columns]
    return [
        one._replace(header=f"{one.header} ({one.name})")
        if one.part == "rating" and (headers.count(header) > 1 or not header)
        else one
        for one, header in zip(columns, headers, strict=True)
    ]
