"""A rating page on which dimensions have scales of their own, in a real browser."""

import json

import pytest

from ocrjury import Scale
from ocrjury.frontends.web.item_view import DimensionView
from tests.frontends.web.conftest import dimension
from tests.frontends.web.looks import violations
from tests.whole_pages import follow, press

NAMES = {"kind": "nominal", "categories": ["none", "sign", "word"]}
OWN = {
    "usable": {"kind": "binary"},
    "ease": {"kind": "interval", "low": 0, "high": 100},
    "fault": NAMES,
}
DIMENSIONS = [
    dimension("meaning"),
    *({"name": name, "title": name, "description": "?", "scale": OWN[name]} for name in OWN),
]
STORED = {"meaning": 4.0, "usable": 1.0, "ease": 62.5, "fault": 1.0}


def stored(place):
    rows = place.rows("ratings", "dimension", "value")
    return {row["dimension"]: row["value"] for row in rows}


def test_every_dimension_is_rated_on_its_own_scale_by_keyboard(rounds, item, visitor):
    place = rounds(items=[item("d1")], raters=["R01"], dimensions=DIMENSIONS)
    page = visitor(place.server, place.link("R01"))
    levels = {name: page.locator(f"[data-name={name}] .digit").all_inner_texts() for name in STORED}

    press(page, "4", "1")
    page.locator("input[type=number]").fill("62.5")
    press(page, "Escape", "ArrowDown", "2", "Enter")
    page.get_by_role("heading", name="All done").wait_for()

    assert levels == {
        "meaning": ["1", "2", "3", "4", "5"],
        "usable": ["0", "1"],
        "ease": [],
        "fault": ["none", "sign", "word"],
    }
    assert stored(place) == STORED
    assert page.wrong == []


@pytest.fixture
def slider(rounds, item, visitor):
    """A page with a slider, its place, the slider and its number field."""

    def shown(**options):
        own = {**DIMENSIONS[2], "name": "meaning"}
        place = rounds(items=[item("d1", kind=None)], raters=["R01"], dimensions=[own])
        page = visitor(place.server, place.link("R01"), **options)
        return page, place, page.locator(".slider input"), page.locator(".number input")

    return shown


def test_an_untouched_slider_is_no_answer(slider):
    page, place, range_, number = slider()

    page.get_by_role("button", name="Submit").click()

    page.get_by_text("Please rate every dimension").wait_for()
    assert place.rows("ratings", "value") == []
    assert number.input_value() == ""
    assert range_.get_attribute("aria-valuetext") == "No answer yet"
    assert "unset" in range_.get_attribute("class")


def test_a_slider_is_moved_by_keys_and_shows_its_value(slider):
    page, place, range_, number = slider()

    range_.focus()
    press(page, "ArrowRight")
    one_step = number.input_value()
    press(page, "End", "ArrowLeft")

    assert (one_step, number.input_value()) == ("51", "99")
    assert range_.get_attribute("aria-valuetext") == "99"
    assert "unset" not in range_.get_attribute("class")
    press(page, "Enter")
    page.get_by_role("heading", name="All done").wait_for()
    assert stored(place) == {"meaning": 99.0}
    assert page.wrong == []


def test_the_middle_of_a_slider_can_be_chosen(slider):
    page, place, range_, number = slider()

    range_.focus()
    press(page, "Space")
    by_key = number.input_value()
    number.fill("")
    emptied = range_.get_attribute("class")
    range_.click()  # in its middle

    assert (by_key, number.input_value()) == ("50", "50")
    assert "unset" in emptied
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("heading", name="All done").wait_for()
    assert stored(place) == {"meaning": 50.0}


def test_digits_fractions_and_undoing_go_with_a_slider(slider):
    page, place, range_, number = slider()

    page.keyboard.type("62.5")
    press(page, "Escape")
    placed = float(range_.input_value())
    press(page, "n")
    excused = number.input_value(), range_.get_attribute("class")
    press(page, "u")

    assert 62 <= placed <= 63
    assert excused == ("", "unset")
    assert number.input_value() == "62.5"
    press(page, "Enter")
    page.get_by_role("heading", name="All done").wait_for()
    assert stored(place) == {"meaning": 62.5}


def test_moving_a_slider_takes_back_that_nobody_can_judge(slider):
    page, _, range_, number = slider()

    page.get_by_text("Cannot judge", exact=True).click()
    range_.click(position={"x": 5, "y": 20})

    assert float(number.input_value()) < 10
    assert not page.locator(".excuse input").is_checked()


def test_a_slider_fits_a_telephone_and_harms_no_accessibility(slider):
    page, _, range_, number = slider(viewport={"width": 390, "height": 740})

    wide = page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= 390
    assert range_.bounding_box()["width"] > 120
    assert range_.bounding_box()["height"] >= 44
    assert number.bounding_box()["x"] + number.bounding_box()["width"] <= 390
    assert violations(page) == []


def test_without_scripts_there_is_a_number_field_and_no_slider(rounds, item, visitor):
    place = rounds(items=[item("d1")], raters=["R01"], dimensions=DIMENSIONS)
    page = visitor(place.server, java_script_enabled=False)
    page.goto(f"{place.server.address}/enter")
    page.get_by_label("Code of your link").fill(place.link("R01"))
    follow(page, page.get_by_role("button", name="Start"))

    assert not page.locator(".slider").is_visible()
    page.get_by_role("spinbutton", name="0 – 100").fill("62.5")
    page.locator("[name=value-meaning][value='4']").check(force=True)
    page.locator("[name=value-usable][value='1']").check(force=True)
    page.locator("[name=value-fault][value='1']").check(force=True)
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("heading", name="All done").wait_for()
    assert stored(place) == STORED


@pytest.mark.parametrize(
    ("low", "high", "step"), [(0, 100, 1), (0, 1, 0.01), (1, 5, 0.01), (0, 1000, 10), (-1, 1, 0.01)]
)
def test_a_slider_has_round_steps_of_about_a_hundredth(low, high, step):
    view = DimensionView("a", "a", "", (), (), Scale.interval(low, high), None, None)

    assert view.slider_step == pytest.approx(step)


def test_a_value_of_another_dimensions_scale_is_refused(rounds, item):
    place = rounds(items=[item("d1")], raters=["R01"], dimensions=DIMENSIONS)
    rater = place.client()
    rater.enter(place.link("R01"))

    refused = rater.hand_in({**STORED, "usable": 4.0})
    taken = rater.hand_in(STORED)

    assert refused.status == 422
    assert b"outside the scale (binary 0 to 1)" in refused.text
    assert taken.status == 200
    assert stored(place) == STORED


def test_a_number_beyond_the_scale_is_told_before_it_is_handed_in(slider):
    page, place, _, number = slider()

    press(page, "3", "0", "2", "Enter")
    page.get_by_text("Please give a number within 0 – 100.").wait_for()
    stays = place.rows("ratings", "value")
    number.fill("32")
    press(page, "Enter")
    page.get_by_role("heading", name="All done").wait_for()

    assert stays == []
    assert [row["value"] for row in place.rows("ratings", "value")] == [32.0]
    assert page.wrong == []


def test_a_number_beyond_the_scale_is_never_said_to_be_saved(slider):
    page, _, _, number = slider()
    state = page.locator("#state")

    press(page, "3", "0")
    press(page, "Escape")
    page.get_by_text("Saved", exact=True).wait_for()
    number.fill("302")
    press(page, "Escape")
    page.get_by_text("Please give a number within 0 – 100.").wait_for()
    beyond = state.inner_text()
    number.fill("32")
    press(page, "Escape")
    page.get_by_text("Saved", exact=True).wait_for()

    assert beyond == ""
    assert not page.locator("#problem").is_visible()
    assert page.wrong == []


def test_a_number_beyond_the_scale_is_refused_in_the_rater_s_words(rounds, item, client_of):
    own = {**DIMENSIONS[2], "name": "meaning"}
    place = rounds(items=[item("d1", kind=None)], raters=["R01"], dimensions=[own])
    client = client_of(place, "R01")
    client.open()

    answer = client.hand_in({"meaning": 302})

    assert answer.status == 422
    assert json.loads(answer.text)["error"]["message"] == "Please give a number within 0 – 100."


def test_a_comment_that_is_full_says_so(slider):
    page, _, _, _ = slider()
    full = page.get_by_text("A comment has room for 2,000 characters; this one is full.")

    page.locator("#comment-box summary").click()
    before = full.is_visible()
    page.locator("#comment").fill("가" * 10_000)

    assert not before
    assert full.is_visible()
    assert len(page.locator("#comment").input_value()) == 2000
