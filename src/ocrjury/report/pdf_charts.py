"""Charts of a page, taken out before it is parsed and drawn where they stood.

They are most of a page's length and half of its elements. Apart, they are read as XML, in C, and no
rule of the page is held against their parts, within which none applies.
"""

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from weasyprint.html import HTML_HANDLERS

_CHART = re.compile(r"(<svg [^<>]*)>.*?</svg>", re.DOTALL)
_SVG = "{http://www.w3.org/2000/svg}svg"
_NUMBER = "data-chart"

Boxes = Callable[[Element, Any, Any, Any], list[Any]]


def without_charts(html: str) -> tuple[str, list[Element]]:
    """Page in which charts are empty and numbered, and the charts.

    What is no XML of its own stays where it is: a chart in a chart, or one without a namespace.

    Examples
    --------
    >>> without_charts('<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>')[0]
    '<svg xmlns="http://www.w3.org/2000/svg" data-chart="0"></svg>'
    """
    charts: list[Element] = []

    def emptied(match: re.Match[str]) -> str:
        try:
            chart = ET.fromstring(match[0])  # noqa: S314  # no place for an entity
        except ET.ParseError:
            return match[0]
        if chart.tag != _SVG:
            return match[0]
        charts.append(chart)
        return f'{match[1]} {_NUMBER}="{len(charts) - 1}"></svg>'

    return _CHART.sub(emptied, html), charts


def draw_numbered_charts() -> None:
    """Let WeasyPrint draw a chart of the page's fetcher where an element has its number."""
    of_element: Boxes = HTML_HANDLERS[_SVG]

    def boxes(  # noqa: PLR0917  # as WeasyPrint calls it
        element: Element, box: Any, get_image: Any, base_url: Any
    ) -> list[Any]:
        number = element.get(_NUMBER)
        chart = get_image.keywords["url_fetcher"].charts[int(number)] if number else element
        return of_element(chart, box, get_image, base_url)

    HTML_HANDLERS[_SVG] = boxes
