"""Styles of elements that have an address, shared with those that have none.

WeasyPrint keeps one style for all elements that the same rules match. To it, an attribute ``id`` is
a rule that matches one element, so that this and all within it share with none: the cells of each
table, the words of each heading. Here an element with an address has a style that asks another.
"""

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from weasyprint import css
from weasyprint.css import ComputedStyle, StyleFor

_PLAIN = re.compile(r"[\w./:-]+")
"""Addresses that need no escape in a style sheet."""


class AnchoredStyle(ComputedStyle):  # type: ignore[misc]  # WeasyPrint has no types
    """Style of an element with an address: another style in all else."""

    def __init__(self, shared: ComputedStyle, address: str) -> None:
        self.__dict__.update(vars(shared))
        self.shared = shared
        self["anchor"] = address

    def copy(self) -> "AnchoredStyle":
        """A style that changes on its own."""
        copy = AnchoredStyle(self.shared, self["anchor"])
        copy.update(self)
        copy.specified = self.specified.copy()
        return copy

    def __missing__(self, name: str) -> Any:
        """Value of the shared style, kept."""
        value = self[name] = self.shared[name]
        return value

    @cached_property
    def anonymous_style(self) -> Any:
        """Style of boxes without an element within; nothing of an address is inherited."""
        return self.shared.anonymous_style


def address_of(element: Any) -> str:
    """Address of an element that can have a style of this kind; empty if it cannot."""
    address = element.get("id", "") if element.tag not in {"a", "html"} else ""
    return address if _PLAIN.fullmatch(address) else ""


def without_addresses(find: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    """``find_style_attributes`` of WeasyPrint that leaves out what an address alone asks for."""

    def found(*given: Any, **named: Any) -> Iterator[Any]:
        for rule in find(*given, **named):
            _, element, declarations, _ = rule
            names = [getattr(declaration, "lower_name", "") for declaration in declarations]
            if names != ["-weasy-anchor"] or not address_of(element):
                yield rule

    return found


def with_addresses(settle: Callable[..., None]) -> Callable[..., None]:
    """``StyleFor.__init__`` of WeasyPrint that gives addresses to elements in the end."""

    def settled(  # noqa: PLR0917  # as WeasyPrint calls it
        styles: Any, html: Any, sheets: Any, hints: Any, font_config: Any, targets: Any
    ) -> None:
        settle(styles, html, sheets, hints, font_config, targets)
        computed = styles.get_computed_styles()
        for element in html.etree_element.iter():
            if address := address_of(element):
                computed[element, None] = AnchoredStyle(computed[element, None], address)
                if targets:
                    targets.collect_anchor(address)

    return settled


def share_anchored() -> None:
    """Let elements of this process share styles, whether they have an address or not."""
    css.find_style_attributes = without_addresses(css.find_style_attributes)
    StyleFor.__init__ = with_addresses(StyleFor.__init__)
