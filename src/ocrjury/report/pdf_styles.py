"""Styles of elements, of which nearly every property is the parent's or the initial one.

WeasyPrint asks the same dozen questions of every property, whatever the page says about it: about
a tenth of a PDF's time. Here what a page says nothing about is answered first.
"""

from collections.abc import Callable
from typing import Any

from weasyprint.css import ComputedStyle
from weasyprint.css.computed_values import PHYSICAL_FUNCTIONS
from weasyprint.css.functions import check_math
from weasyprint.css.properties import INHERITED, INITIAL_NOT_COMPUTED, INITIAL_VALUES

_SPECIAL = {"display", "float", "page", "position", *INITIAL_NOT_COMPUTED}
"""Properties whose value depends on others although the page says nothing about them."""


def _logical_names(name: str) -> tuple[str, ...]:
    """Names of a property by the direction of the text, of which one stands for it."""
    logical = PHYSICAL_FUNCTIONS.get(name)
    return tuple(logical(block="ttb", inline=way) for way in ("ltr", "rtl")) if logical else ()


ORDINARY = {
    name: _logical_names(name)
    for name in INITIAL_VALUES
    if name not in _SPECIAL and not name.startswith("text_decoration_")
}
"""Properties that are the parent's or the initial one where the page says nothing about them."""


def answer_first(whole: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """``ComputedStyle.__missing__`` that asks the whole one only where it has to."""

    def missing(style: Any, name: str) -> Any:
        cascaded, logical = style.cascaded, ORDINARY.get(name)
        if logical is None or name in cascaded or not cascaded.keys().isdisjoint(logical):
            return whole(style, name)
        if name not in INHERITED:
            value = style[name] = INITIAL_VALUES[name]
            return value
        if style.parent_style is None:
            return whole(style, name)
        value = style.parent_style[name]
        if check_math(value):
            return whole(style, name)
        style[name] = value
        return value

    return missing


def inherit_at_once() -> None:
    """Let styles of this process answer first what the page says nothing about."""
    ComputedStyle.__missing__ = answer_first(ComputedStyle.__missing__)
