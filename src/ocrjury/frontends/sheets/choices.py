"""The lists and limits of the cells that raters fill in."""

from collections.abc import Sequence

from openpyxl.worksheet.datavalidation import DataValidation

from ocrjury.campaign.rubric import Rubric
from ocrjury.campaign.texts import in_language
from ocrjury.frontends.sheets.columns import SheetColumn
from ocrjury.frontends.sheets.texts import escaped
from ocrjury.frontends.sheets.words import Words
from ocrjury.scales import Scale

LONGEST_COMMENT = 2000
SURE = (1, 2, 3)
"""How sure a rater is, from not to fully."""
_LIST_ROOM, _PROMPT_ROOM, _TITLE_ROOM = 255, 255, 32


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
