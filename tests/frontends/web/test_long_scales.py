"""Every level of a scale can be seen and pressed in any window, however many there are."""

import pytest

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
