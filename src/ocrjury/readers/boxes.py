"""Boxes as shares of a page, converted from the unit of a file."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.json_values import Value
from ocrjury.readers.ocr_pages import Box

OVERHANG = 0.05
"""Share of the page by which a box may overlap its edge, since engines pad boxes; it is cut off."""


class Frame(NamedTuple):
    """Width and height of a page in the unit of its boxes, 0 if unknown."""

    width: float
    height: float

    @property
    def aspect(self) -> float | None:
        """Width over height, None if unknown."""
        return self.width / self.height if self.known else None

    @property
    def known(self) -> bool:
        """Whether width and height are known."""
        return self.width > 0 and self.height > 0

    def box(self, sides: Sequence[float], position: str) -> Box | None:
        """Left, top, right and bottom as shares of the page.

        None if the page's size is unknown or the box has no area. A box of negative size, or far
        outside the page, is an error.
        """
        left, top, right, bottom = sides
        if not all(map(math.isfinite, sides)):
            raise BadContentError("a box that is not four numbers", position)
        if right < left or bottom < top:
            raise BadContentError(f"a box of negative width or height{_sides(sides)}", position)
        if not self.known:
            return None
        shares = (left / self.width, top / self.height, right / self.width, bottom / self.height)
        if min(shares) < -OVERHANG or max(shares) > 1 + OVERHANG:
            raise BadContentError(
                f"a box outside its page, which is {self.width:g} wide and {self.height:g} high"
                f"{_sides(sides)}",
                position,
            )
        left, top, right, bottom = (min(max(share, 0.0), 1.0) for share in shares)
        return (left, top, right, bottom) if left < right and top < bottom else None

    def around(self, points: Iterable[tuple[float, float]], position: str) -> Box | None:
        """Box around a polygon, None without points."""
        corners = list(points)
        if not corners:
            return None
        across, down = zip(*corners, strict=True)
        if not all(map(math.isfinite, (*across, *down))):  # min and max would hide nan
            raise BadContentError("a box that is not four numbers", position)
        return self.box((min(across), min(down), max(across), max(down)), position)


def _sides(sides: Sequence[float]) -> str:
    left, top, right, bottom = sides
    return f" (left {left:g}, top {top:g}, right {right:g}, bottom {bottom:g})"


RELATIVE = Frame(1.0, 1.0)
"""Frame of boxes that are already shares."""


def google_box(polygon: Value, frame: Frame) -> Box | None:
    """Box around Google's ``boundingPoly``; a missing coordinate is 0."""
    shares = polygon["normalizedVertices"]
    points = shares or polygon["vertices"]
    corners = [(point["x"].number, point["y"].number) for point in points]
    return (RELATIVE if shares else frame).around(corners, polygon.place)
