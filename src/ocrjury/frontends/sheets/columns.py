"""The columns of a sheet: headers in the rater's language, names for the lead, lists and limits."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from openpyxl.worksheet.datavalidation import DataValidation

from ocrjury.campaign.rubric import Rubric
from ocrjury.campaign.texts import in_language
from ocrjury.frontends.sheets.texts import escaped, matched
from ocrjury.frontends.sheets.words import Words, words_of
from ocrjury.scales import Scale

LONGEST_COMMENT = 2000
SURE = (1, 2, 3)
"""How sure a rater is, from not to fully."""
_LIST_ROOM, _PROMPT_ROOM, _TITLE_ROOM = 255, 255, 32
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


def scale_list(scale: Scale) -> list[str]:
    """Values of a scale as a rater writes them, none for a scale without steps."""
    return [str(one) for one in scale.categories]


def validation_of(
    column: SheetColumn, rubric: Rubric, *, words: Words, language: str, names_at: str
) -> DataValidation:
    """Data validation of a column, with a hint beside the cell.

    Parameters
    ----------
    names_at
        Where the scale's values stand in the workbook, for those that no list in the cell can hold.
    """
    match column.part:
        case "rating":
            made = _levels(rubric.scale, names_at)
            hint = _anchors(rubric, column.name, language) or words.choose
        case "confidence":
            made = _list([str(one) for one in SURE])
            hint = "\n".join(f"{n} = {w}" for n, w in zip(SURE, words.confidences, strict=True))
        case "flag":
            made, hint = _list(words.flags), words.choose
        case _:
            made = DataValidation("textLength", formula1=str(LONGEST_COMMENT))
            made.operator, hint = "lessThanOrEqual", ""
    made.allow_blank = True
    made.showErrorMessage, made.errorTitle = True, column.header[:_TITLE_ROOM]
    made.error = words.not_allowed if column.part != "comment" else f"≤ {LONGEST_COMMENT:,}"
    if hint:
        made.showInputMessage, made.promptTitle = True, column.header[:_TITLE_ROOM]
        made.prompt = _cut(hint, _PROMPT_ROOM)
    return made


def _levels(scale: Scale, names_at: str) -> DataValidation:
    """List of a scale, or its limits where it has too many values."""
    if scale.kind == "nominal":
        names = scale_list(scale)
        plain = all(name.strip() == name and not set(name) & set(',;"\n') for name in names)
        short = len(",".join(names)) <= _LIST_ROOM
        return _list(names) if plain and short else DataValidation("list", formula1=names_at)
    if scale.kind != "interval" and len(",".join(scale_list(scale))) <= _LIST_ROOM:
        return _list(scale_list(scale))
    kind = "decimal" if scale.kind == "interval" else "whole"
    limits = DataValidation(kind, formula1=f"{scale.low:g}", formula2=f"{scale.high:g}")  # type: ignore[arg-type]  # both are words of the file format
    limits.operator = "between"
    return limits


def _list(values: Sequence[str]) -> DataValidation:
    """List that stands in the cell itself."""
    return DataValidation("list", formula1='"' + ",".join(map(escaped, values)) + '"')


def _anchors(rubric: Rubric, name: str, language: str) -> str:
    """Meaning of each level of a dimension, the highest first."""
    anchors = rubric.dimension(name).anchors
    return "\n".join(f"{level}: {in_language(text, language)}" for level, text in anchors.items())


def _cut(text: str, room: int) -> str:
    """As much of a text as there is room for."""
    return text if len(text) <= room else text[: room - 1] + "…"
