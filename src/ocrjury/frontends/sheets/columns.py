"""The columns of a sheet: headers in the rater's language, names for the lead, lists and limits."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from openpyxl.worksheet.datavalidation import DataValidation

from ocrjury.campaign.guideline import guideline
from ocrjury.campaign.limits import LONGEST_COMMENT
from ocrjury.campaign.rubric import Rubric
from ocrjury.frontends.ingest import bound_dimensions
from ocrjury.frontends.sheets.texts import escaped, matched
from ocrjury.frontends.sheets.words import SURE, confidence_words, flag_words, words_of
from ocrjury.scales import Scale

RULE_WIDTH = 24.0
_LIST_ROOM, _PROMPT_ROOM, _TITLE_ROOM = 255, 255, 32
Part = Literal["fact", "text", "rating", "rule", "confidence", "flag", "comment", "key"]
"""Purpose of a column: ``fact`` and ``text`` describe the item, ``text`` must come back."""


class SheetColumn(NamedTuple):
    """A column; `name` is what reports call it, `header` what stands above it."""

    name: str
    header: str
    part: Part
    width: float

    @property
    def filled_in(self) -> bool:
        """Whether the rater writes into the column."""
        return self.part in ("rating", "confidence", "flag", "comment")


_DESCRIBING: tuple[tuple[str, Part, float], ...] = (
    ("number", "fact", 6.0),
    ("session", "fact", 8.0),
    ("image", "fact", 9.0),
    ("doc_type", "text", 16.0),
    ("field", "text", 14.0),
    ("kind", "text", 9.0),
    ("reference", "text", 46.0),
    ("hypothesis", "text", 46.0),
)
"""Columns about the item: name, part and width."""


def sheet_columns(
    rubric: Rubric,
    dimensions: Sequence[str],
    *,
    language: str,
    sessions: bool,
    reference: bool = True,
) -> tuple[SheetColumn, ...]:
    """Columns from left to right.

    `sessions` says whether the items are parted into sessions, `reference` whether raters see it.
    """
    say = words_of(language)
    guides = guideline(rubric, dimensions, language=language).dimensions
    ruled = bound_dimensions(dimensions, rubric)
    left_out = {*(() if sessions else ("session",)), *(() if reference else ("reference",))}
    return _distinct(
        [
            *(
                SheetColumn(name, say(name), part, width)
                for name, part, width in _DESCRIBING
                if name not in left_out
            ),
            *(
                SheetColumn(guide.name, guide.title.strip() or guide.name, "rating", 13.0)
                for guide in guides
            ),
            *([SheetColumn("rule", say("rule"), "rule", RULE_WIDTH)] if ruled else []),
            SheetColumn("confidence", say("confidence"), "confidence", 13.0),
            SheetColumn("flag", say("flag"), "flag", 20.0),
            SheetColumn("comment", say("comment"), "comment", 36.0),
            SheetColumn("key", say("key"), "key", 21.0),
        ]
    )


def _distinct(columns: Sequence[SheetColumn]) -> tuple[SheetColumn, ...]:
    """Columns with headers that are found again, whatever a dimension is called."""
    headers = [matched(column.header) for column in columns]
    return tuple(
        column._replace(header=f"{column.header} ({column.name})")
        if column.part == "rating" and (headers.count(header) > 1 or not header)
        else column
        for column, header in zip(columns, headers, strict=True)
    )


def scale_list(scale: Scale) -> list[str]:
    """Values of a scale as a rater writes them, none for a scale without steps."""
    return [str(category) for category in scale.categories]


def validation_of(
    column: SheetColumn, rubric: Rubric, *, language: str, names_at: Mapping[str, str]
) -> DataValidation:
    """Data validation of a column, with a hint beside the cell.

    `names_at` is where the values of a dimension's scale stand in the workbook, for those that no
    list in the cell can hold.
    """
    say = words_of(language)
    match column.part:
        case "rating":
            validation = _levels(rubric.scales[column.name], names_at[column.name])
            [guide] = guideline(rubric, [column.name], language=language).dimensions
            anchors = [f"{level}: {meaning}" for level, meaning in guide.anchors.items()]
            hint = "\n".join(anchors) or say("choose")
        case "confidence":
            validation = _list(list(map(str, SURE)))
            hint = "\n".join(f"{number} = {w}" for number, w in confidence_words(say).items())
        case "flag":
            validation, hint = _list(flag_words(say)), say("choose")
        case _:
            validation = DataValidation("textLength", formula1=str(LONGEST_COMMENT))
            validation.operator, hint = "lessThanOrEqual", ""
    title = column.header[:_TITLE_ROOM]
    validation.allow_blank = validation.showErrorMessage = True
    validation.errorTitle = title
    remark = column.part == "comment"
    validation.error = f"≤ {LONGEST_COMMENT:,}" if remark else say("not_allowed")
    if hint:
        validation.showInputMessage, validation.promptTitle = True, title
        # As much as there is room for.
        fits = len(hint) <= _PROMPT_ROOM
        validation.prompt = hint if fits else hint[: _PROMPT_ROOM - 1] + "…"
    return validation


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
