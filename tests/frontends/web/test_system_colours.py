"""In forced colours, as of a system with high contrast, texts and answers are seen."""

from io import BytesIO

import pytest
from PIL import Image

from tests.frontends.web.test_pages_ahead import alone
from tests.whole_pages import press

__all__ = ["alone"]

FRAMES = """() => [...document.querySelectorAll('.excuse span')]
  .map((one) => getComputedStyle(one).outlineStyle)"""


def contrast_within(page, mark):
    """Difference between the lightest and the darkest point in the middle of a mark."""
    box = mark.bounding_box()
    screen = Image.open(BytesIO(page.screenshot())).convert("L")
    edge = box["height"] / 4
    left, top, right, bottom = (
        box["x"],
        box["y"] + edge,
        box["x"] + box["width"],
        box["y"] + 3 * edge,
    )
    darkest, lightest = screen.crop(tuple(map(round, (left, top, right, bottom)))).getextrema()
    return lightest - darkest


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_differs_and_what_is_chosen_is_seen(alone, visitor, scheme):
    place = alone(1, confidence=True)
    colours = {"forced_colors": "active", "color_scheme": scheme}
    page = visitor(place.server, place.link("R01"), **colours)
    marks = page.locator("#texts mark")

    press(page, "n")

    assert [contrast_within(page, mark) > 100 for mark in marks.all()] == [True] * 4
    assert page.evaluate(FRAMES) == ["solid", "none"]
    press(page, "d")
    assert [contrast_within(page, mark) > 100 for mark in marks.all()] == [True] * 4
