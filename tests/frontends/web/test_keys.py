"""Keys of the rating page that can be trusted under a fast hand."""

import re

import pytest

from tests.frontends.web.conftest import settle
from tests.frontends.web.test_accessibility import violations
from tests.frontends.web.test_pages_ahead import CHOSEN, TAKEN_BACK, alone, at_work, stored
from tests.whole_pages import follow, keep_undoable, press

__all__ = ["alone"]

HELD = """() => {
  for (const repeat of [false, true, true, true]) {
    const key = { key: "5", code: "Digit5", bubbles: true, cancelable: true, repeat };
    document.body.dispatchEvent(new KeyboardEvent("keydown", key));
  }
}"""


GONE = """() => {
  const later = document.querySelector("[data-break=later]");
  document.getElementById("break").hidden = false;
  later.focus();
  later.click();
  const key = { key: "Enter", code: "Enter", bubbles: true, cancelable: true };
  later.dispatchEvent(new KeyboardEvent("keydown", key));
  return later === document.activeElement;
}"""


def test_enter_hands_in_where_the_button_that_has_the_focus_is_gone(alone, visitor):
    """No picture is drawn between the click and the key: the focus has not moved yet."""
    place = alone()
    page = at_work(place, visitor)
    press(page, "4", "5")

    assert page.evaluate(GONE)
    settle(page)

    assert stored(place) == {"d1": [4.0, 5.0]}


def test_digits_follow_the_focus(alone, visitor):
    page = visitor(alone().server, alone().link("R01"))
    page.locator("[name=value-layout]").nth(1).focus()

    press(page, "4")

    assert page.evaluate("() => answers.chosen().values") == {"layout": 4}


def test_a_key_that_is_held_answers_one_dimension(alone, visitor):
    place = alone()
    page = visitor(place.server, place.link("R01"))

    page.evaluate(HELD)

    assert page.evaluate("() => answers.chosen().values") == {"meaning": 5}


def hold(page, key):
    """Hold a key until the browser has repeated it."""
    for _ in range(5):
        page.keyboard.down(key)
    page.keyboard.up(key)


def test_a_key_that_is_held_turns_once_and_writes_nothing(alone, visitor):
    place = alone()
    page = visitor(place.server, place.link("R01"))

    hold(page, "r")
    hold(page, "c")
    page.keyboard.type("cc")

    assert "rotate(90deg)" in page.locator("#picture").get_attribute("style")
    assert page.locator("#comment").input_value() == "cc"
    press(page, "Control+Enter")
    page.get_by_role("alert").get_by_text("Please rate every dimension").wait_for()
    assert page.locator("#comment").input_value() == "cc"
    press(page, "Escape", "4", "5")
    page.locator("#comment").focus()
    press(page, "Control+Enter")
    settle(page)
    assert stored(place) == {"d1": [4.0, 5.0]}
    assert [row["body"] for row in place.rows("comments", "body")] == ["cc"]


def test_a_digit_that_is_held_begins_a_number_of_one_digit(rounds, item, visitor):
    scale = {"kind": "interval", "low": 0, "high": 100}
    ease = {"name": "meaning", "title": "Ease", "description": "?", "scale": scale}
    place = rounds(raters=("R01",), items=[item("d1", kind=None)], dimensions=[ease])
    page = visitor(place.server, place.link("R01"))

    hold(page, "7")
    page.keyboard.type("5")

    assert page.locator(".number input").input_value() == "75"


def test_the_chosen_level_is_announced(alone, visitor):
    place = alone()
    page = visitor(place.server, place.link("R01"))

    press(page, "4")

    assert page.locator("#spoken").inner_text() == "Meaning: 4 meaning level 4"


def test_certainty_has_keys_after_the_last_dimension(alone, visitor):
    place = alone(confidence=True)
    page = visitor(place.server, place.link("R01"))

    press(page, "4", "5", "2")

    chosen = page.evaluate("() => answers.chosen()")
    assert chosen["confidence"] == 0.5
    assert chosen["values"] == {"meaning": 4, "layout": 5}


def test_a_reason_is_flagged_by_its_number(alone, visitor):
    place = alone()
    page = at_work(place, visitor)

    press(page, "f")
    reason = page.locator("#flag-box label", has_text="Wrong image")
    press(page, reason.locator("kbd").text_content())
    assert page.evaluate("() => document.activeElement.value") == "wrong_image"
    press(page, "Enter")
    settle(page)

    rows = place.rows("ratings", "flag")
    assert {row["flag"] for row in rows} == {"wrong_image"}


def test_three_keys_rate_an_item_where_it_is_handed_in_by_itself(alone, visitor):
    place = alone()
    page = at_work(place, visitor)
    press(page, "?")
    page.get_by_label("Submit by itself").check()
    page.get_by_role("button", name="Close").click()

    press(page, "4", "5", "3", "2")
    settle(page)
    assert stored(place) == {"d1": [4.0, 5.0], "d2": [3.0, 2.0]}
    keep_undoable(page)
    press(page, "1", "1")  # nothing follows, and yet there are two seconds
    page.get_by_text("Submitted.").wait_for()
    press(page, "5", "u", "u", "2")
    settle(page)

    assert stored(place)["d3"] == [1.0, 2.0]


def test_an_item_put_off_comes_last_in_every_session(alone, visitor):
    place = alone()
    page = at_work(place, visitor)
    put_off = page.evaluate("() => document.body.dataset.item")

    with page.expect_response("**/api/later/*"):
        press(page, "l")
    for _ in range(2):
        assert page.evaluate("() => document.body.dataset.item") != put_off
        press(page, "4", "5", "Enter")
        settle(page)
    page.goto(f"{place.server.address}/rate")

    assert page.evaluate("() => document.body.dataset.item") == put_off


@pytest.mark.parametrize("keys", [True, False])
def test_an_item_is_put_off_without_scripts_too(alone, client_of, keys):
    place = alone()
    client = client_of(place, "R01")
    visit, *_ = client.open()

    token = client.token if keys else "wrong"
    answer = client.ask("POST", f"/later/{visit}", {"form_token": token})

    assert answer.status == (303 if keys else 403)
    assert (client.open()[0] != visit) is keys


def test_own_items_are_listed_with_values_and_a_way_back(alone, visitor):
    place = alone()
    page = at_work(place, visitor)
    keep_undoable(page)
    press(page, "4", "n", "Enter")
    assert violations(page) == []  # nor while it can be undone
    settle(page)

    page.goto(f"{place.server.address}/mine")
    assert "Meaning 4 · Layout Cannot judge" in page.locator(".own").inner_text()
    assert violations(page) == []
    follow(page, page.get_by_role("link", name="Change item 1"))

    assert page.evaluate(CHOSEN) == ["4"]
    press(page, "l")
    page.wait_for_url("**/rate")
    assert page.evaluate(CHOSEN) == []


def test_the_bar_names_the_deadline(alone, client_of):
    page = client_of(alone(), "R01").ask("GET", "/rate").text.decode()

    assert re.search(r'class="goal">until 20[\d :-]+ KST<', page)


def test_taking_back_what_was_handed_in_by_itself_is_announced(alone, visitor):
    place = alone(1)
    page = visitor(place.server, place.link("R01"))
    page.evaluate("() => localStorage.setItem('ocrjury.auto', 'on')")
    keep_undoable(page)

    press(page, "4", "5")
    page.get_by_role("button", name="Undo").wait_for()
    press(page, "u")

    assert page.locator("#spoken").aria_snapshot() == f"- status: {TAKEN_BACK}"
    assert not page.get_by_role("button", name="Undo").is_visible()
    assert page.evaluate(CHOSEN) == ["4", "5"]
    assert stored(place) == {}
