"""What is typed before an item is there belongs to it, also where its page has to be loaded."""

from tests.frontends.web.conftest import enter, settle
from tests.frontends.web.test_pages_ahead import CHOSEN, alone, at_work, stored
from tests.frontends.web.test_practice import RESULT, practised
from tests.whole_pages import held_up, press, wait_until

__all__ = ["alone", "practised"]


def enter_before_an_update(page, link):
    """Come to the first item; from then on the server has newer files than the page has."""

    def answer(route):
        response = route.fetch(max_redirects=0)
        newer = response.text().replace('"/static/', '"/static/newer-')
        route.fulfill(response=response, body=newer)

    page.route("**/rate/ahead*", answer)
    enter(page, link)
    page.route("**/rate", answer)


def type_before_an_item_comes(page, place, *keys):
    """Press keys while no further item is in the browser; then let them come."""
    with held_up(page, "**/rate/ahead*"):
        enter(page, place.link("R01"))
        press(page, *keys)


def test_keys_typed_while_a_page_of_newer_files_is_fetched_are_for_its_item(alone, visitor):
    place = alone(4)
    page = visitor(place.server)
    enter_before_an_update(page, place.link("R01"))
    page.evaluate("() => { window.old = true; }")

    press(page, "4", "5", "Enter", "2", "3")
    wait_until(page, "() => !window.old && ahead.count() > 0")

    assert page.locator("script[src*=newer-]").count() > 0
    assert page.evaluate(CHOSEN) == ["2", "3"]
    assert stored(place) == {"d1": [4.0, 5.0]}
    press(page, "Enter", "1", "1", "Enter")
    page.get_by_text("3 of 4 done").wait_for()  # typed keys may wait for their item
    settle(page)
    assert stored(place) == {"d1": [4.0, 5.0], "d2": [2.0, 3.0], "d3": [1.0, 1.0]}
    assert page.wrong == []


def test_keys_typed_while_the_scripts_of_a_page_are_loaded_are_for_its_item(alone, visitor):
    place = alone(4)
    page = visitor(place.server)

    with held_up(page, "**/static/newer-*/keys.js", kind="script"):
        enter_before_an_update(page, place.link("R01"))
        press(page, "4", "5", "Enter", "1", "2", "Enter", "3", "3", "Enter", "2")
        page.wait_for_function("() => typeof early !== 'undefined' && typeof keys === 'undefined'")
        page.keyboard.press("4")
    page.get_by_text("3 of 4 done").wait_for()

    assert page.evaluate(CHOSEN) == ["2", "4"]
    assert stored(place) == {"d1": [4.0, 5.0], "d2": [1.0, 2.0], "d3": [3.0, 3.0]}


def test_newer_files_are_in_the_browser_before_their_page_is_loaded(alone, visitor):
    place = alone()
    page = visitor(place.server)
    fetched = []
    page.on("request", lambda one: fetched.append((one.resource_type, one.url)))

    enter_before_an_update(page, place.link("R01"))
    wait_until(page, "() => ahead.next().then((next) => next === null)")

    newer = [url.rpartition("/")[2] for kind, url in fetched if kind == "fetch" and "newer-" in url]
    assert {"early.js", "keys.js", "rating.css"} <= set(newer)


def test_keys_for_two_items_are_not_lost_on_the_first(alone, visitor):
    place = alone(4)
    page = visitor(place.server)

    type_before_an_item_comes(page, place, "4", "5", "Enter", "2", "3", "Enter", "1")
    page.get_by_text("2 of 4 done").wait_for()

    assert stored(place) == {"d1": [4.0, 5.0], "d2": [2.0, 3.0]}
    assert page.evaluate(CHOSEN) == ["1"]


def test_a_refused_item_takes_no_keys_that_were_typed_for_another(alone, visitor):
    place = alone(4)
    page = at_work(place, visitor)
    page.route("**/rate/ahead*", lambda route: route.fulfill(status=204))
    body = '{"error": {"code": "refused", "message": "It fits no scale."}}'
    page.route(
        "**/api/ratings/*",
        lambda route: route.fulfill(status=422, body=body, content_type="application/json"),
        times=1,
    )
    first = page.evaluate("() => document.body.dataset.item")

    press(page, "4", "5", "Enter")
    settle(page)
    page.get_by_role("alert").get_by_text("It fits no scale.").wait_for()
    with held_up(page, "**/api/ratings/*"):  # after it comes the item that was refused
        press(page, "2", "2", "Enter", "1", "1")
    wait_until(page, "item => document.body.dataset.item === item", first)
    wait_until(page, "() => document.querySelector('#problem').textContent !== ''")

    assert page.evaluate(CHOSEN) == ["4", "5"]


def test_keys_are_not_kept_for_an_item_that_comes_after_something_else(alone, visitor):
    page = at_work(place := alone(), visitor)
    page.route("**/pause", lambda route: route.fulfill(body="elsewhere"))

    page.evaluate("() => { handing.go('/pause'); }")
    page.get_by_text("elsewhere").wait_for()
    page.keyboard.press("3")
    page.goto(f"{place.server.address}/rate")
    wait_until(page, "() => ahead.count() > 0")

    assert page.evaluate(CHOSEN) == []


def test_a_number_typed_before_its_item_came_is_in_its_field(rounds, item, visitor):
    scale = {"kind": "interval", "low": 0, "high": 100}
    ease = {"name": "meaning", "title": "Ease", "description": "?", "scale": scale}
    items = [item(f"d{number}", kind=None) for number in range(1, 4)]
    place = rounds(raters=("R01",), items=items, dimensions=[ease])
    page = visitor(place.server)

    type_before_an_item_comes(page, place, "6", "2", "Enter", "4", "0", "Enter", "7")
    page.get_by_text("2 of 3 done").wait_for()

    assert stored(place) == {"d1": [62.0], "d2": [40.0]}
    assert page.locator(".number input").input_value() == "7"


def test_keys_typed_after_a_result_of_practice_are_for_the_next_item(practised, visitor):
    page = visitor(practised.server)

    with held_up(page, "**/rate/ahead*"):
        enter(page, practised.link("R01"))
        press(page, "4", "3", "Enter")
        page.get_by_role("heading", name=RESULT).wait_for()
        press(page, "Enter", "2", "5", "j")
    page.locator("#hand-in").wait_for()

    assert page.evaluate(CHOSEN) == ["2", "5"]
    assert page.locator(".here").count() == 2
