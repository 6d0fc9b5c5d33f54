"""axe finds nothing on a large screen, a telephone and in the dark; nothing scrolls sideways."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from ocrjury.store.documents import GoldRow
from tests.frontends.web.test_round_kinds import EXPERTS, next_round, rated

LOOKS = {
    "desktop": {},
    "dark": {"color_scheme": "dark"},
    "phone": "Pixel 7",
    "dark phone": ("Pixel 7", {"color_scheme": "dark"}),
}


def options_of(browser, look):
    chosen = LOOKS[look]
    if isinstance(chosen, dict):
        return chosen
    name, more = (chosen, {}) if isinstance(chosen, str) else chosen
    device = {k: v for k, v in browser.devices[name].items() if k != "default_browser_type"}
    return {**device, **more}


def violations(page):
    found = Axe().run(
        page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}
    )
    return [
        (one["id"], [node["html"][:120] for node in one["nodes"]])
        for one in found.response["violations"]
    ]


@pytest.mark.parametrize("look", LOOKS)
def test_no_page_has_a_violation(rounds, item, visitor, browser, look):
    known = [GoldRow("d1", "meaning", 2.0, "The amount differs.", "file")]
    place = rounds(
        kind="pilot", raters=("R01",), items=[item("d1")], gold=known, page={"confidence": True}
    )
    page = visitor(place.server, **options_of(browser, look))
    page.goto(f"{place.server.address}/enter")
    found = {"enter": violations(page)}
    page.goto(f"{place.server.address}/enter#{place.link('R01')}")
    page.wait_for_url("**/rate")
    found["item"] = violations(page)
    for summary in ("#comment-box summary", "#flag-box summary", "#guide summary"):
        page.locator(summary).click()
    page.locator("[name=value-meaning][value='5']").check(force=True)
    page.get_by_text("if it differs").last.wait_for()
    found["everything open"] = violations(page)
    page.evaluate("() => document.getElementById('help').showModal()")
    found["keys"] = violations(page)
    page.get_by_role("button", name="Close").click()
    page.locator("[name=value-layout][value='5']").check(force=True)
    page.locator("#hand-in").click()
    page.wait_for_url("**/practice/*")
    found["practice"] = violations(page)
    page.get_by_role("link", name="Next item").click()
    page.get_by_role("heading", name="All done").wait_for()
    found["end"] = violations(page)
    page.goto(f"{place.server.address}/pause")
    found["rest"] = violations(page)
    page.goto(f"{place.server.address}/rate/nothing")
    found["message"] = violations(page)

    assert {name: bad for name, bad in found.items() if bad} == {}


@pytest.mark.parametrize("look", LOOKS)
def test_no_page_of_adjudicators_and_panels_has_a_violation(
    rounds, visitor, client_of, browser, look, now
):
    place = rounds(people=EXPERTS, page={"confidence": True})
    rated(place, now, {"R01": (1, 5), "R02": (5, 5)})
    next_round(place, "adjudication", ["A01"], now)
    page = visitor(place.server, place.link("A01"), **options_of(browser, look))
    found = {"own judgement": violations(page)}
    choose_all(page, "4")
    page.locator(".others").wait_for()
    found["decision"] = violations(page)
    next_round(place, "panel", [one.pseudonym for one in EXPERTS], now)
    for expert, level in (("E01", 4), ("E02", 4)):
        client_of(place, expert).hand_in({"meaning": level, "layout": 5})
    page = visitor(place.server, place.link("E03"), **options_of(browser, look))
    choose_all(page, "5")
    page.get_by_role("link", name="Items to agree on").click()
    found["panel"] = violations(page)
    page.get_by_role("link", name="Item 1").click()
    page.locator(".others").wait_for()
    found["votes"] = violations(page)

    assert {name: bad for name, bad in found.items() if bad} == {}
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert page.foreign == []


def choose_all(page, level):
    """Choose the same level everywhere, and hand in."""
    for name in ("meaning", "layout"):
        page.locator(f"[name=value-{name}][value='{level}']").check(force=True)
    page.locator("#hand-in").click()


@pytest.mark.parametrize("width", [320, 360, 768])
def test_nothing_scrolls_sideways(rounds, item, visitor, width):
    long = "보험금청구서" * 40
    place = rounds(raters=("R01",), items=[item("d1", reference=long, hypothesis=long[1:])])
    page = visitor(place.server, place.link("R01"), viewport={"width": width, "height": 740})

    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def too_small(page):
    """Return what is too small for a thumb."""
    return page.evaluate(
        """() => [...document.querySelectorAll(".level, .excuse span, button, summary, .send a")]
        .filter((one) => one.checkVisibility())
        .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
        .filter(([, box]) => box.height < 44 || box.width < 40)
        .map(([name, box]) => `${name} ${box.width} x ${box.height}`)"""
    )


def test_what_thumbs_press_is_large_enough(rounds, visitor, browser):
    place = rounds(raters=("R01",))
    page = visitor(place.server, place.link("R01"), **options_of(browser, "phone"))

    assert too_small(page) == []
