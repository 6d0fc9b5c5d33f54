"""Cells as raters' answers: a value of the scale, a reason or a remark; never a guess."""

import datetime as dt
import re
from typing import NoReturn

from ocrjury.campaign.flags import FLAGS
from ocrjury.campaign.limits import LONGEST_COMMENT
from ocrjury.frontends.ingest import on_scale
from ocrjury.frontends.sheets.returned_workbook import FoundCell
from ocrjury.frontends.sheets.texts import matched, plain, shown_text
from ocrjury.frontends.sheets.words import SURE, every_language, flag_words
from ocrjury.normal_forms import normal_form
from ocrjury.pages.catalogues import Say
from ocrjury.scales import Scale
from ocrjury.surrogates import HALF, has_surrogate

_NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
_SHOWN = 40
_POINTS = ("점", "分", "点", "點")
# One character each: those that two languages read differently are not among them.
_NUMERALS = {
    numeral: place
    for numerals in ("영일이삼사오육칠팔구십", "〇一二三四五六七八九十", "零壹贰叁肆伍陆柒捌玖拾")
    for place, numeral in enumerate(numerals)
} | {"貳": 2, "參": 3, "陸": 6, "공": 0}


class CellProblem(ValueError):  # noqa: N818  # a problem, as reports call it
    """A cell cannot be used; the text says what was found, and what to do."""


def read_level(cell: FoundCell, scale: Scale) -> float:
    """Rating as the store keeps it; on a nominal scale the category's place.

    Wide digits, numbers as text, spaces and numerals such as ``四``, ``사`` and ``4점`` are
    understood. `CellProblem` for a date, a formula, TRUE and whatever is not on the scale.
    """
    _refuse_kind(cell)
    number = _category(cell.text, scale) if not scale.ordered else _number(cell)
    if number is None or not on_scale(number, scale):
        raise CellProblem(f"{_quoted(cell.text)} is not on the scale ({scale})")
    return number


def read_confidence(cell: FoundCell) -> float:
    """Confidence of a rater, 0 to 1."""
    _refuse_kind(cell)
    number = _number(cell)
    if number not in SURE:
        allowed = ", ".join(map(str, SURE))
        raise CellProblem(f"{_quoted(cell.text)} is none of {allowed}")
    return (number - SURE[0]) / (SURE[-1] - SURE[0])


def read_flag(cell: FoundCell, say: Say) -> str:
    """Reason why a row cannot be rated, one of `ocrjury.campaign.flags.FLAGS`.

    A problem names the reasons as `say` has them, the words of the list beside the cell.
    """
    _refuse_kind(cell)
    flag = _flag_names().get(matched(cell.text))
    if flag is None:
        allowed = ", ".join(flag_words(say))
        raise CellProblem(f"{_quoted(cell.text)} is no reason of the list ({allowed})")
    return flag


def read_comment(cell: FoundCell) -> str:
    """Remark, as it was written."""
    _refuse_kind(cell)
    if has_surrogate(cell.text):
        raise CellProblem(f"the comment has {HALF}. Type it again")
    text = shown_text(cell.text).strip()
    if len(text) > LONGEST_COMMENT:
        raise CellProblem(
            f"the comment has {len(text):,} characters; at most {LONGEST_COMMENT:,} are kept"
        )
    return text


def _refuse_kind(cell: FoundCell) -> None:
    """Refuse what a spreadsheet made of something that was typed."""
    value = cell.value
    if cell.kind == "f" or not isinstance(
        value, str | int | float | bool | dt.date | dt.time | dt.timedelta
    ):
        _refuse("a formula; formulas are never run. Type the value itself")
    if isinstance(value, bool):
        _refuse(f"{str(value).upper()}, which is no value here. Type the value itself")
    if isinstance(value, dt.date | dt.time | dt.timedelta):
        _refuse(
            f"a date or time ({value}): the program made one of what was typed, such as 1/5. "
            "Type the value again in a cell without a format"
        )
    if cell.kind == "%":
        _refuse(
            f"a percentage ({100 * value:g}%), which a spreadsheet keeps as {value:g}. Type the "
            "number alone in a cell without a format"
        )
    if cell.kind == "e":
        _refuse(f"the error {cell.text}. Type the value itself")


def _refuse(what: str) -> NoReturn:
    """Raise what a cell holds."""
    raise CellProblem(f"the cell holds {what}")


def _number(cell: FoundCell) -> float | None:
    """Number that a cell means; None if it means none."""
    if not isinstance(cell.value, str):
        try:
            return float(cell.value)
        except OverflowError:
            return None
    text = plain(cell.text).removeprefix("'")
    bare = text[:-1].rstrip() if text.endswith(_POINTS) else text
    if _NUMBER.fullmatch(bare):
        return float(bare)
    place = _NUMERALS.get(normal_form("NFC", bare))
    return None if place is None else float(place)


def _category(text: str, scale: Scale) -> float | None:
    """Place of the category that a text names; None if it names none or several."""
    names = [str(name) for name in scale.categories]
    exact = [place for place, name in enumerate(names) if name == text.strip()]
    near = [place for place, name in enumerate(names) if matched(name) == matched(text)]
    places = exact or near
    return float(places[0]) if len(places) == 1 else None


def _flag_names() -> dict[str, str]:
    """Reasons by every spelling."""
    names = {matched(flag): flag for flag in FLAGS}
    for say in every_language():
        names |= {matched(word): flag for word, flag in zip(flag_words(say), FLAGS, strict=True)}
    return names


def _quoted(text: str) -> str:
    """Cell content for a message, short and on one line."""
    line = "".join(sign if sign.isprintable() else " " for sign in text).strip()
    return f'"{line}"' if len(line) <= _SHOWN else f'"{line[:_SHOWN]}…"'
