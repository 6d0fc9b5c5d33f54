"""Cells of a pool: the values that each column accepts, in any format."""

import json
import math
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from ocrjury.errors import InputError
from ocrjury.field_kinds import FIELD_KINDS
from ocrjury.file_limits import MAX_COLUMNS, MAX_LABEL
from ocrjury.plain_numbers import plain_number


class CellError(ValueError):
    """A cell is unusable.

    Parameters
    ----------
    problem
        The problem, as a noun phrase.
    remedy
        The remedy, as a sentence.
    """

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem)
        self.remedy = remedy


class Column(NamedTuple):
    """A column of the pool: its name, the reader of its cells, the remedy for a missing cell."""

    name: str
    read: Callable[[Any], Any]
    remedy: str = ""

    @property
    def required(self) -> bool:
        """Whether every row must have a value."""
        return bool(self.remedy)


def read_id(value: Any) -> str:
    """Id as text; whole numbers are accepted."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise CellError("an id that is neither text nor a whole number", "Write it in quotes.")
    text = str(value)
    if not text.strip():
        raise CellError("an empty id", "Give each document a name of its own.")
    if len(text) > MAX_LABEL:
        raise CellError(f"an id or label of more than {MAX_LABEL:,} characters", "Shorten it.")
    return text


def read_label(value: Any) -> str | None:
    """Label as text; an empty one is missing."""
    return None if value == "" else read_id(value)


def read_text(value: Any) -> str:
    """Text, unchanged."""
    if not isinstance(value, str):
        raise CellError(
            "a text that is not a string", "Write it in quotes, so that no zero or sign gets lost."
        )
    return value


def read_kind(value: Any) -> str | None:
    """Kind of a field; an empty one is missing."""
    if value == "":
        return None
    if value not in FIELD_KINDS:
        raise CellError(
            "an unknown kind", f"Write {', '.join(FIELD_KINDS[:-1])} or {FIELD_KINDS[-1]}."
        )
    return str(value)


def read_confidence(value: Any) -> float:
    """Confidence from 0 to 1; nan is accepted as missing."""
    number = as_number(value)
    if number is None:
        raise CellError(
            "a confidence that is not a number", "Write a number from 0 to 1, or nothing."
        )
    if 1 < number <= 100:
        raise CellError("a confidence above 1", "Divide confidences by 100.")
    if number < 0 or number > 100:
        raise CellError(
            "a confidence outside 0 to 1", "Write a number from 0 to 1, or nothing if unknown."
        )
    return number


def read_box(value: Any) -> list[float] | None:
    """Left, top, right and bottom as shares of the image's width and height."""
    remedy = "Write [left, top, right, bottom], each from 0 to 1 of the image's width or height."
    if value == "":
        return None
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise CellError("a box that is not a list", remedy) from None
    sides = [as_number(side) for side in value] if isinstance(value, list) else []
    box = [side for side in sides if side is not None and not math.isnan(side)]
    if len(box) != 4 or len(sides) != 4:
        raise CellError("a box that is not four numbers", remedy)
    if max(box) > 1:
        raise CellError("a box in pixels", "Divide by the image's width and height.")
    if min(box) < 0 or box[0] >= box[2] or box[1] >= box[3]:
        raise CellError("an empty box", remedy)
    return box


def as_number(value: Any) -> float | None:
    """Number, given as a number or as text; None for anything else, such as "nan" as text."""
    if isinstance(value, str):
        number = plain_number(value)
        return number if number is not None and math.isfinite(number) else None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf


COLUMNS = (
    Column("doc_id", read_id, "Give each document a name of its own."),
    Column("page_id", read_label),
    Column("system", read_label),
    Column("doc_type", read_label),
    Column("kind", read_kind),
    Column("language", read_label),
    Column("reference", read_text),
    Column("hypothesis", read_text, 'Write "" where the OCR read nothing.'),
    Column("confidence", read_confidence),
    Column("image", read_label),
    Column("box", read_box),
)

# Names of these columns in other tools; used only where our own name is absent.
ALIASES = {
    "id": "doc_id",
    "gt": "reference",
    "ground_truth": "reference",
    "ocr": "hypothesis",
    "ocr_text": "hypothesis",
    "prediction": "hypothesis",
    "text": "hypothesis",
    "conf": "confidence",
    "lang": "language",
    "engine": "system",
}


_SOUGHT = ("doc_id", "hypothesis", "reference")
"""Columns that are also found by names in capitals or with spaces, where no other is there."""


def own_names(names: Iterable[str]) -> list[str]:
    """Column names, with those of other tools replaced by ours where ours is absent."""
    return list(_own_names(tuple(names)))


@lru_cache(maxsize=64)
def _own_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Column names; cached, since the rows of a file repeat them."""
    taken = set(names)
    own = []
    for name in names:
        alias = ALIASES.get(name, name)
        own.append(name if alias in taken else alias)
        taken.add(own[-1])
    for column in (name for name in _SOUGHT if name not in taken):
        places = [place for place, name in enumerate(own) if _in_capitals(name) == column]
        if len(places) == 1:
            own[places[0]] = column
    return tuple(own)


def _in_capitals(name: str) -> str:
    """Column of ours whose name is written in capitals or with spaces, else the name in lower case.

    >>> _in_capitals("Doc_ID"), _in_capitals("Ground Truth"), _in_capitals("note")
    ('doc_id', 'reference', 'note')
    """
    lower = name.strip().lower().replace(" ", "_")
    return ALIASES.get(lower, lower)


@lru_cache(maxsize=64)
def ambiguous_names(names: tuple[str, ...]) -> tuple[str, str] | None:
    """Problem and remedy of names of other tools that stand for the same column of ours.

    >>> ambiguous_names(("id", "text", "ocr"))[0]
    "the columns 'text' and 'ocr', either of which may be the hypothesis"
    >>> ambiguous_names(("id", "text", "ocr", "hypothesis"))
    """
    for own in dict.fromkeys(ALIASES.values()):
        others = [name for name in names if ALIASES.get(name) == own]
        if len(others) > 1 and own not in names:
            shown = " and ".join(map(repr, others[:2]))
            return (
                f"the columns {shown}, either of which may be the {own}",
                f"Call the right one {own}.",
            )
    return None


def checked_columns(names: Iterable[str], source: str, *, references: bool = False) -> list[str]:
    """Names of a table's columns as ours; one of references may lack the OCR output.

    Raises
    ------
    InputError
        If a required column is absent, two columns may be the same one of ours, or there are more
        than a pool may have.
    """
    given = tuple(names)
    if (problem := ambiguous_names(given)) is not None:
        raise InputError(f"{source} has {problem[0]}. {problem[1]}")
    present = own_names(given)
    if len(present) > MAX_COLUMNS:
        raise InputError(
            f"{source} has {len(present):,} columns; a pool has at most {MAX_COLUMNS:,}. Leave out "
            "those that are not needed."
        )
    spared = "hypothesis" if references and "reference" in present else ""
    absent = [
        column for column in COLUMNS if column.required and column.name not in (*present, spared)
    ]
    if absent:
        raise InputError(
            f"{source} has no column {', '.join(repr(column.name) for column in absent)}; found "
            f"{', '.join(map(repr, present)) or 'none'}. Rename or add it."
        )
    return present
