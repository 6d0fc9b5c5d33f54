"""Writing direction of an item's text, by its language and its place on the page."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "iw", "nqo", "ota"}) | frozenset(
    {"ps", "sd", "syr", "ug", "ur", "yi", "az-arab", "ks-arab", "ku-arab", "pa-arab"}
)
IN_COLUMNS = frozenset({"ja", "ko", "zh", "lzh", "yue"})
"""Languages that may be written from top to bottom."""
MONGOLIAN = ("mn-mong", "mnc", "sjo", "cmg", "xwo")
UPRIGHT = 2.0
"""A place at least this many times as high as it is wide holds columns."""
PAGE = 1.4
"""Usual height of a page over its width."""


class Script(NamedTuple):
    """Direction of a text, and how its lines run."""

    direction: Literal["ltr", "rtl", "auto"]
    lines: Literal["rows", "columns", "mongolian"]


def script_of(language: str | None, box: Sequence[float] | None) -> Script:
    """Script of a text; where its language says nothing, browsers go by its first letters.

    Examples
    --------
    >>> script_of("ar", None), script_of(None, None)
    (Script(direction='rtl', lines='rows'), Script(direction='auto', lines='rows'))
    >>> script_of("ja", (0.8, 0.1, 0.85, 0.6)).lines, script_of("mn-Mong", None).lines
    ('columns', 'mongolian')
    """
    if language is None:
        return Script("auto", "rows")
    tag = language.lower().replace("_", "-")
    if tag.startswith(MONGOLIAN):
        return Script("ltr", "mongolian")
    primary, *_ = tag.split("-")
    if primary in RIGHT_TO_LEFT or "-".join(tag.split("-")[:2]) in RIGHT_TO_LEFT:
        return Script("rtl", "rows")
    return Script("auto", "columns" if primary in IN_COLUMNS and _upright(box) else "rows")


def _upright(box: Sequence[float] | None) -> bool:
    """Return whether a place is a column."""
    if box is None:
        return False
    return (box[3] - box[1]) * PAGE >= UPRIGHT * (box[2] - box[0]) > 0
