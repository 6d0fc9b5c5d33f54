"""Raters who use the mouse and the keyboard in turn."""

from tests.frontends.web.conftest import settle
from tests.frontends.web.test_pages_ahead import CHOSEN, alone, at_work, stored
from tests.whole_pages import press, wait_until

__all__ = ["alone"]


def test_what_is_typed_into_a_box_that_the_mouse_opened_chooses_nothing(alone, visitor):
    page = at_work(alone(), visitor)
    comment = page.locator("#comment")

    page.locator("#comment-box summary").click()
    wait_until(page, "() => document.activeElement.id === 'comment'")
    page.keyboard.type("no 4 or 5")

    assert (comment.input_value(), page.evaluate(CHOSEN)) == ("no 4 or 5", [])
    page.locator("#flag-box summary").click()
    wait_until(page, "() => document.activeElement.name === 'flag'")
    press(page, "5")
    assert page.locator("[name=flag]:checked").get_attribute("value") == "privacy"


def test_enter_submits_whatever_the_mouse_pressed_before(alone, visitor):
    place = alone()
    page = at_work(place, visitor)

    page.locator("#diff-button").click()
    page.locator(".menu summary").click()
    press(page, "Escape", "4", "5", "Enter")
    page.get_by_text("1 of 3 done").wait_for()

    assert page.locator("#diff-button").get_attribute("aria-pressed") == "true"  # of the next
    page.locator("#diff-button").focus()
    press(page, "Enter")
    assert page.locator("#diff-button").get_attribute("aria-pressed") == "false"
    settle(page)
    assert stored(place) == {"d1": [4.0, 5.0]}
