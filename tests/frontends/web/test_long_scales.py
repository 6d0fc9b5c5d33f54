"""Every level of a scale can be seen and pressed in any window, however many there are."""

import pytest

from tests.frontends.web.test_pages_ahead import CHOSEN, at_work, stored
from tests.whole_pages import press

CATEGORIES = ["none", "characters", "reading order", "structure", "hallucination", "other"]
ASKED = [
    {
        "name": "meaning",
        "title": "Meaning",
        "description": "?",
        "scale": {"kind": "likert", "low": 0, "high": 10},
    },
    {
        "name": "error",
        "title": "Error",
        "description": "?",
        "scale": {"kind": "nominal", "categories": CATEGORIES},
    },
]
WINDOWS = [
    {"viewport": {"width": 1280, "height": 800}},
    {"viewport": {"width": 360, "height": 780}, "is_mobile": True, "has_touch": True},
    {"viewport": {"width": 844, "height": 390}, "is_mobile": True, "has_touch": True},
]
CUT = """() => {
  const {left, right} = document.querySelector('#rate').getBoundingClientRect();
  return [...document.querySelectorAll('.level')].filter((level) => {
    const [box, digit] = [level.getBoundingClientRect(), level.querySelector('.digit')];
    const over = Math.max(digit.scrollWidth, box.width) - level.clientWidth;
    return box.left < left || box.right > Math.min(right, screen.width) || over > 1;
  }).map((level) => level.textContent.trim());
}"""
WIDTHS = """() => ['[data-name$=meaning] .level', '.preference .level'].map((levels) => {
  const all = [...document.querySelectorAll(levels)];
  return new Set(all.map((level) => Math.round(level.getBoundingClientRect().width))).size;
})"""


def test_a_key_chooses_level_ten(rounds, item, visitor):
    items = [item("d1", kind=None), item("d2", kind=None)]
    place = rounds(raters=("R01",), items=items, dimensions=ASKED)
    page = at_work(place, visitor, ready=1)

    press(page, "Shift+Digit0", "Shift+Digit1", "2", "Enter", "0", "1")

    page.get_by_text("1 of 2 done").wait_for()
    assert stored(place) == {"d1": [10.0, 1.0]}  # the second name
    assert page.evaluate(CHOSEN) == ["0", "0"]
    press(page, "?")
    assert page.get_by_role("dialog").get_by_text("choose a level from 10 on").is_visible()


@pytest.mark.parametrize("window", WINDOWS, ids=["laptop", "telephone", "on its side"])
@pytest.mark.parametrize("count", [1, 3])
def test_no_level_is_cut_off_or_larger_than_another(rounds, item, visitor, window, count):
    outputs = [item(f"d{n}", page_id="p", system=f"s{n}") for n in range(1, count + 1)]
    page = {"systems": "side_by_side", "preference": True}
    place = rounds(raters=("R01",), items=outputs, page=page, dimensions=ASKED)
    page = visitor(place.server, place.link("R01"), **window)

    assert page.locator(".level").count() == count * 17 + (4 if count > 1 else 0)
    assert page.evaluate(CUT) == []
    assert page.evaluate(WIDTHS) == [1, min(count - 1, 1)]
