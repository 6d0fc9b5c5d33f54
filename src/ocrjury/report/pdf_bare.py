"""Boxes without a background, a border or an outline, which WeasyPrint asks for each all the same.

Nearly all boxes of a page are so. Whether one has a background is settled by its style, and 20
questions to the style come before the answer.
"""

from collections.abc import Callable, Mapping
from typing import Any

from weasyprint import draw
from weasyprint.draw import border
from weasyprint.formatting_structure.boxes import Box
from weasyprint.layout import background

_CORNERS = tuple(
    f"border_{corner}_radius" for corner in ("top_left", "top_right", "bottom_right", "bottom_left")
)
_ROUND = (0, "px")
SQUARE: Mapping[str, tuple[int, int]] = dict.fromkeys(_CORNERS, (0, 0))
"""Corners of a box, as they are laid out."""

Draw = Callable[[Any, Any], None]


def is_bare(style: Any) -> bool:
    """Return whether a style has no round corners, background, shadow or border images.

    Examples
    --------
    >>> from weasyprint.css.properties import INITIAL_VALUES
    >>> is_bare(INITIAL_VALUES)
    True
    >>> is_bare(INITIAL_VALUES | {"background_color": INITIAL_VALUES["color"]})
    False
    """
    images = [style["border_image_source"], style["mask_border_source"], *style["background_image"]]
    color = style["background_color"]
    color = style["color"] if color == "currentcolor" else color
    return (
        all(_ROUND in style[corner] for corner in _CORNERS)
        and all(kind == "none" for kind, _ in images)
        and color.alpha == 0
        and not style["box_shadow"]
    )


class BareBackgrounds:
    """``layout_box_backgrounds`` of WeasyPrint, which remembers what styles have none."""

    def __init__(self, whole: Callable[..., None]) -> None:
        self.whole = whole
        self.known: dict[int, tuple[bool, Any]] = {}

    def __call__(  # noqa: PLR0917  # as WeasyPrint calls it
        self,
        page: Any,
        box: Any,
        get_image: Any,
        layout_children: bool = True,  # noqa: FBT001, FBT002
        style: Any = None,
    ) -> None:
        """Lay out the background of a box and of those within."""
        own = box.style
        # A style is kept with the answer: its id stands for it.
        if id(own) not in self.known:
            self.known[id(own)] = is_bare(own), own
        if box is page or style is not None or not (layout_children and self.known[id(own)][0]):
            self.whole(page, box, get_image, layout_children, style)
            return
        vars(box).update(SQUARE)
        for child in box.all_children():
            self(page, child, get_image)
        box.background = None


def borders_where_any(whole: Draw) -> Draw:
    """``draw_border`` of WeasyPrint that leaves a box without one at once."""

    def draw_border(stream: Any, box: Any) -> None:
        style = box.style
        if (
            box.border_top_width
            or box.border_right_width
            or box.border_bottom_width
            or box.border_left_width
            or style["column_rule_width"]
            or style["border_image_source"][0] != "none"
        ):
            whole(stream, box)

    return draw_border


def outlines_where_any(whole: Draw) -> Draw:
    """``draw_outline`` of WeasyPrint that asks a box without one nothing more."""

    def draw_outline(stream: Any, box: Any) -> None:
        if box.style["outline_width"]:
            whole(stream, box)
            return
        for child in box.children:
            if isinstance(child, Box):
                draw_outline(stream, child)

    return draw_outline


def leave_bare_boxes() -> None:
    """Let WeasyPrint in this process leave boxes alone that have nothing around them."""
    background.layout_box_backgrounds = BareBackgrounds(background.layout_box_backgrounds)
    draw.draw_border = borders_where_any(draw.draw_border)
    draw.draw_outline = border.draw_outline = outlines_where_any(border.draw_outline)
