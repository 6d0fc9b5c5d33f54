"""Sizes and places of boxes that WeasyPrint works out anew although nothing about them changes.

A box is laid out several times: for the widths of a column, for each attempt at a page, and when a
page is drawn. Most have no size in percent, so that their edges are those of their style each time.
"""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from weasyprint.css.functions import check_math
from weasyprint.formatting_structure.boxes import Box
from weasyprint.layout import absolute, block, column, grid, inline, page, percent, table
from weasyprint.layout import float as floats

_SIDES = ("top", "right", "bottom", "left")
_WIDTHS = tuple(f"border_{side}_width" for side in _SIDES)
_LENGTHS = (
    *(f"{edge}_{side}" for edge in ("margin", "padding") for side in _SIDES),
    *(f"{bound}{axis}" for axis in ("width", "height") for bound in ("", "min_", "max_")),
)
_NO_LESS = ("min_width", "min_height")
ASKING: tuple[Any, ...] = (absolute, block, column, floats, grid, inline, page, percent, table)
"""Modules that know the function by a name of their own."""


class UsedLengths:
    """``resolve_percentages`` of WeasyPrint, which remembers what a style alone settles."""

    def __init__(self, resolve: Callable[[Any, Any], None]) -> None:
        self.resolve = resolve
        self.known: dict[int, tuple[Any, Mapping[str, Any] | None]] = {}

    def __call__(self, box: Any, containing_block: Any) -> None:
        """Set the lengths of a box."""
        style = box.style
        # A style is kept with its lengths: its id stands for it.
        if id(style) not in self.known:
            self.known[id(style)] = style, lengths_of(style)
        lengths = self.known[id(style)][1]
        if lengths is None:
            self.resolve(box, containing_block)
            return
        own = vars(box)
        own.update(lengths)
        # Where borders collapse, those of a cell are settled with its neighbours'.
        collapse = style["border_collapse"] == "collapse"
        for name in _WIDTHS:
            if not (collapse and hasattr(box, name)):
                own[name] = style[name]


def lengths_of(style: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Lengths that hold whatever is around a box; None where one depends on that.

    Examples
    --------
    >>> from weasyprint.css.properties import INITIAL_VALUES
    >>> lengths_of(INITIAL_VALUES)["margin_top"]
    0
    >>> lengths_of(INITIAL_VALUES | {"width": INITIAL_VALUES["text_indent"]._replace(unit="%")})
    """
    lengths: dict[str, Any] = {}
    for name in _LENGTHS:
        value = style[name]
        if value == "auto":
            lengths[name] = 0 if name in _NO_LESS else value
        elif not check_math(value) and value.unit == "px":
            lengths[name] = value.value
        else:
            return None
    whole = style["box_sizing"] == "content-box" or _is_free(lengths)
    return lengths if whole else None


def _is_free(lengths: Mapping[str, Any]) -> bool:
    """Return whether no length limits a box, so that its edges are not subtracted."""
    return all(
        lengths[axis] == "auto" and lengths[f"min_{axis}"] == 0 and lengths[f"max_{axis}"] == inf
        for axis in ("width", "height")
    )


def in_flow_at_once(whole: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """``Box.is_in_normal_flow`` that asks five questions only where the first answer is no."""

    def is_in_normal_flow(box: Any) -> bool:
        plain = box.style["float"] == "none" and box.style["position"] in {"static", "relative"}
        return plain or whole(box)

    return is_in_normal_flow


def remember_lengths() -> None:
    """Let WeasyPrint work out the lengths of a style once in this process."""
    lengths = UsedLengths(percent.resolve_percentages)
    for module in ASKING:
        module.resolve_percentages = lengths
    Box.is_in_normal_flow = in_flow_at_once(Box.is_in_normal_flow)
