"""A rating page on which dimensions have scales of their own, in a real browser."""

from tests.frontends.web.conftest import dimension

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

    page.keyboard.press("4")
    page.keyboard.press("1")
    page.locator("input[type=number]").fill("62.5")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="All done").wait_for()

    assert levels == {
        "meaning": ["1", "2", "3", "4", "5"],
        "usable": ["0", "1"],
        "ease": [],
        "fault": ["none", "sign", "word"],
    }
    assert stored(place) == STORED
    assert page.wrong == []


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
