"""The image of an item stays in sight: without a connection, and after an item comes back."""

import json

from tests.frontends.web.conftest import enter, settle
from tests.frontends.web.test_pages_ahead import alone, at_work
from tests.whole_pages import keep_undoable, press, wait_until

__all__ = ["alone"]

LOADED = """view => { const picture = document.getElementById('picture');
  return picture.src.endsWith(view) && picture.complete && picture.naturalWidth > 0; }"""
PRESSED = "() => document.querySelector('[data-view][aria-pressed=true]').dataset.view"
AWAY = "The image cannot be loaded now. Check your connection and try again."


def test_a_whole_page_that_does_not_come_takes_nothing_away(alone, visitor):
    page = at_work(alone(), visitor)
    said = page.locator("#absent")
    page.context.set_offline(True)

    press(page, "p")

    page.get_by_text(AWAY).wait_for()
    wait_until(page, LOADED, "crop")
    assert page.locator("#stage").is_visible()
    assert page.evaluate(PRESSED) == "crop"
    page.context.set_offline(False)
    press(page, "p")
    wait_until(page, LOADED, "page")
    assert (said.is_visible(), page.evaluate(PRESSED)) == (False, "page")


def test_only_an_image_that_came_is_stored_as_seen(alone, visitor):
    place = alone(3)
    page = at_work(place, visitor)
    page.route("**/images/*/page", lambda route: route.abort())
    press(page, "p")
    page.get_by_text(AWAY).wait_for()
    wait_until(page, LOADED, "crop")
    press(page, "4", "5", "Enter")
    page.unroute("**/images/*/page")
    wait_until(page, LOADED, "crop")
    press(page, "p")
    wait_until(page, LOADED, "page")
    press(page, "4", "5", "Enter")
    settle(page)
    page.route("**/images/**", lambda route: route.abort())
    page.reload()
    page.get_by_text("No image can be shown for this item.").wait_for()

    press(page, "4", "5", "Enter")
    page.get_by_role("heading", name="All done").wait_for()

    visits = place.rows(
        "visits join assignments using (assignment)", "conditions", order="position"
    )
    seen = [json.loads(row["conditions"]) for row in visits if row["conditions"]]
    assert [(visit["view"], visit["page_used"]) for visit in seen] == [
        ("crop", 0),
        ("page", 1),
        ("none", 0),
    ]


def test_an_image_that_failed_ahead_is_asked_for_again(alone, visitor):
    place = alone(2)
    page = visitor(place.server)
    page.route("**/images/**", lambda route: route.abort())
    enter(page, place.link("R01"))
    page.get_by_text("No image can be shown for this item.").wait_for()
    wait_until(page, "() => ahead.count() === 1")
    page.unroute("**/images/**")

    press(page, "4", "5", "Enter")

    wait_until(page, LOADED, "crop")
    assert page.locator("#stage").is_visible()


def test_an_item_that_comes_back_from_its_whole_page_has_its_detail_again(alone, visitor):
    page = at_work(alone(), visitor)
    keep_undoable(page)
    press(page, "p")
    wait_until(page, LOADED, "page")
    press(page, "+", "4", "5", "Enter")

    press(page, "u", "p")

    wait_until(page, LOADED, "crop")
    assert page.locator("#zoom-level").text_content() == "100 %"
