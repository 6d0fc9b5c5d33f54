"""What is rated now stands in sight on a telephone, between the texts and the button to submit."""

import pytest

from tests.frontends.web.conftest import dimension
from tests.frontends.web.test_side_by_side import BESIDE, outputs, pairs
from tests.whole_pages import wait_until

__all__ = ["outputs", "pairs"]

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
LONG = "전신마취하에 앙와위로 눕힌 뒤 통상적인 방법으로 소독포를 덮고 수술을 시행함. " * 8
COVERED = """() => {
  const box = (one) => document.querySelector(one).getBoundingClientRect();
  const [stop, texts, send] = [box(".current"), box("#texts"), box(".send")];
  const covered = [texts.bottom - stop.top, stop.bottom - send.top];
  return covered.map((one) => Math.max(Math.round(one), 0));
}"""
ASKED = "() => !document.getElementById('problem').hidden"
END_COVERED = """() => {
  scrollTo(0, document.documentElement.scrollHeight);
  const [flag, send] = ["#flag-box", ".send"].map((one) => document.querySelector(one));
  return flag.getBoundingClientRect().bottom > send.getBoundingClientRect().top;
}"""
ROWS = """name => new Set([...document.querySelectorAll(`[data-name=${name}] .level`)]
  .map((one) => one.getBoundingClientRect().top)).size"""


def submit(page):
    page.locator("#hand-in").tap()
    wait_until(page, ASKED)


@pytest.mark.parametrize("place", ["first", "last"])
def test_nothing_covers_what_is_still_to_be_rated(rounds, item, visitor, place):
    names = ["meaning", "layout", "order", "ease"]
    items = [item("d1", reference=LONG, hypothesis=LONG[9:])]
    made = rounds(raters=("R01",), items=items, dimensions=[dimension(name) for name in names])
    page = visitor(made.server, made.link("R01"), **PHONE)
    left = {"first": names[0], "last": names[-1]}[place]
    for name in names:
        if name != left:
            page.locator(f"[data-name={name}] .level").first.tap()

    submit(page)

    assert page.locator(".current").get_attribute("data-name") == left
    assert page.evaluate(COVERED) == [0, 0]
    assert not page.evaluate(END_COVERED)  # where a problem is flagged, which is the other way out


def test_a_rule_that_asks_about_two_outputs_covers_neither_levels_nor_letter(pairs, visitor):
    made = pairs(BESIDE, texts=(LONG[9:], LONG[:-12]), reference=LONG)
    page = visitor(made.server, made.link("R01"), **PHONE)
    for stop in page.locator(".dimension").all():
        stop.locator(".level").last.tap()

    submit(page)

    assert page.locator(".current").get_attribute("data-letter") == "A"
    assert page.evaluate(COVERED) == [0, 0]


def test_levels_that_say_nothing_more_stand_in_a_row_beside_others_that_do(rounds, visitor):
    usable = {"name": "usable", "title": "?", "description": "?", "scale": {"kind": "binary"}}
    made = rounds(raters=("R01",), dimensions=[dimension("meaning"), usable])
    page = visitor(made.server, made.link("R01"), viewport={"width": 1280, "height": 800})

    assert [page.evaluate(ROWS, name) for name in ("meaning", "usable")] == [5, 1]
