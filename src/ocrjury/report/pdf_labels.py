"""Labels of charts, each drawn at once.

WeasyPrint draws a chart's text letter by letter, and one that is centred on its place or ends there
in a form of its own. Whoever reads the file loads the fonts anew for each form: a demo's report has
600, and took 3 seconds until its text could be selected. Letters alone also know no kerning and run
from left to right in every script.
"""

from collections.abc import Callable
from math import inf
from typing import Any

from weasyprint.css.properties import INITIAL_VALUES
from weasyprint.draw import text as drawing
from weasyprint.matrix import Matrix
from weasyprint.svg import SVG, utils
from weasyprint.svg.text import Style, TextBox
from weasyprint.text import line_break

PLAIN = {
    "{http://www.w3.org/2000/xmlns/}xmlns",
    *("x", "y", "text-anchor", "transform", "class", "id", "role", "lang", "aria-hidden"),
    *("font-family", "font-size", "font-style", "font-weight"),
    *("fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linejoin"),
}
"""Attributes that a label may have, its own and those of what it stands in."""
WEIGHTS = {"bold": 700}
BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""Share of a label that stands before its place."""

Draw = Callable[[Any, Any, float, bool, Any], None]


def is_plain(node: Any) -> bool:
    """Return whether a node is a text without parts at one place, with known attributes only."""
    return (
        node.tag == "text"
        and bool(node.text)
        and not list(node)
        and PLAIN.issuperset(node.attrib)
        and all(_is_one(node.get(axis, "0")) for axis in "xy")
        and node.get("text-anchor", "start") in BEFORE
    )


def _is_one(place: str) -> bool:
    """Return whether a place is that of the whole text; letters may have one each."""
    return len(place.replace(",", " ").split()) == 1


def style_of(svg: Any, node: Any, font_size: float) -> Style:
    """Style of a label, as ``weasyprint.svg.text`` has it."""
    style = Style(INITIAL_VALUES)
    style.font_config = svg.font_config
    families = node.get("font-family", "sans-serif").split(",")
    weight = node.get("font-weight", "normal")
    style["font_family"] = [family.strip("\"'") for family in families]
    style["font_style"] = node.get("font-style", "normal")
    style["font_weight"] = int(weight) if weight.isdecimal() else WEIGHTS.get(weight, 400)
    style["font_size"] = font_size
    return style


def labels_at_once(draw: Draw) -> Draw:
    """``SVG.draw_node`` of WeasyPrint that draws plain labels itself."""

    def draw_node(  # noqa: PLR0917  # as WeasyPrint calls it
        svg: Any,
        node: Any,
        font_size: float,
        fill_stroke: bool = True,  # noqa: FBT001, FBT002
        context: Any = None,
    ) -> None:
        if not (fill_stroke and is_plain(node) and draw_label(svg, node, font_size)):
            draw(svg, node, font_size, fill_stroke, context)

    return draw_node


def draw_label(svg: Any, node: Any, font_size: float) -> bool:
    """Draw a label and return true, or do nothing if it is more than a line."""
    font_size = utils.size(node.get("font-size", "1em"), font_size, font_size)
    style = style_of(svg, node, font_size)
    line = line_break.split_first_line(node.text, style, svg.context, inf, 0)
    layout, _, rest, width, height, baseline = line
    if rest is not None:
        return False
    x, y = svg.point(node.get("x"), node.get("y"), font_size)
    x -= BEFORE[node.get("text-anchor", "start")] * width
    node.text_bounding_box = (x, y - baseline, width, height)
    svg.stream.push_state()
    svg.transform(node, font_size)
    fill, stroke = svg.set_graphical_state(node, font_size)
    svg.stream.begin_text()
    svg.fill_stroke(fill, stroke, text=True)
    layout.reactivate(style)
    label = TextBox(layout, style)
    label.baseline = baseline
    emojis = drawing.draw_first_line(svg.stream, label, "none", "none", Matrix(d=-1, e=x, f=y))
    svg.stream.end_text()
    svg.stream.pop_state()
    drawing.draw_emojis(svg.stream, style, x, y, emojis)
    return True


def draw_labels_at_once() -> None:
    """Let WeasyPrint draw the labels of charts so in this process."""
    SVG.draw_node = labels_at_once(SVG.draw_node)
