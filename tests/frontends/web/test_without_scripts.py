"""Everything can be done in a browser that runs no script."""

import pytest

from tests.frontends.web.test_round_kinds import EXPERTS, next_round, rated
from tests.whole_pages import follow


@pytest.fixture
def plain(visitor):
    """A function that signs a rater in without a script."""

    def enter(place, rater):
        page = visitor(place.server, java_script_enabled=False)
        page.goto(f"{place.server.address}/enter")
        page.get_by_label("Code of your link").fill(place.link(rater))
        follow(page, page.get_by_role("button", name="Start"))
        return page

    return enter


def choose(page, **levels):
    for name, value in levels.items():
        page.locator(f"[name=value-{name}][value='{value}']").check(force=True)


def chosen(page):
    return page.locator(".level input[checked]").evaluate_all("all => all.map(one => one.value)")


def meaning(place):
    """What was said about the meaning, by rater, the oldest first."""
    found = {}
    for row in place.rows("ratings", "assignment", "value", "dimension", "rev", order="rev"):
        if row["dimension"] == "meaning":
            found.setdefault(row["assignment"].split("/")[2], []).append(row["value"])
    return found


def test_what_is_incomplete_comes_back_with_what_was_chosen(rounds, plain):
    place = rounds(raters=("R01",))
    page = plain(place, "R01")
    choose(page, meaning=4)
    page.locator("#comment-box summary").click()
    page.locator("#comment").fill("Hard to see.")

    follow(page, page.get_by_role("button", name="Submit"))

    page.get_by_role("alert").get_by_text("Please rate every dimension").wait_for()
    assert chosen(page) == ["4"]
    assert page.locator("#comment").input_value() == "Hard to see."
    assert place.rows("ratings", "value") == []
    assert place.own("quarantine", "reason") == []
    choose(page, layout=2)
    follow(page, page.get_by_role("button", name="Submit"))
    page.get_by_text("1 of 3 done").wait_for()
    assert meaning(place) == {"R01": [4.0]}


def test_the_whole_page_is_a_link_away(rounds, plain):
    place = rounds(raters=("R01",))
    page = plain(place, "R01")

    follow(page, page.get_by_role("link", name="Whole page"))

    assert page.locator("img").evaluate("one => one.naturalWidth") == 900


def test_an_adjudicator_judges_first_then_decides_with_a_reason(rounds, plain, now):
    place = rounds()
    rated(place, now, {"R01": (1, 5), "R02": (5, 5)})
    next_round(place, "adjudication", ["A01"], now)
    page = plain(place, "A01")
    assert page.locator(".others").count() == 0
    choose(page, meaning=5, layout=4)
    follow(page, page.get_by_role("button", name="Keep my judgement"))
    page.get_by_role("alert").get_by_text("Submit again to keep it").wait_for()
    follow(page, page.get_by_role("button", name="Keep my judgement"))

    assert page.locator(".others tbody tr").count() == 2
    choose(page, meaning=3)
    follow(page, page.get_by_role("button", name="Decide"))
    page.get_by_role("alert").get_by_text("Choose why the ratings differ").wait_for()
    assert chosen(page) == ["3", "4"]
    page.get_by_label("A rater made a mistake").check()
    follow(page, page.get_by_role("button", name="Decide"))

    page.get_by_role("heading", name="All done").wait_for()
    assert meaning(place)["A01"] == [5.0, 3.0]


def test_a_panel_agrees(rounds, plain, client_of, now):
    place = rounds(people=EXPERTS)
    next_round(place, "panel", [one.pseudonym for one in EXPERTS], now)
    for expert, level in (("E01", 4), ("E02", 4)):
        client_of(place, expert).hand_in({"meaning": level, "layout": 5})
    page = plain(place, "E03")
    choose(page, meaning=5, layout=5)
    follow(page, page.get_by_role("button", name="Submit"))
    page.get_by_text("at most 4").last.wait_for()
    follow(page, page.get_by_role("button", name="Submit"))
    follow(page, page.get_by_role("link", name="Items to agree on"))
    follow(page, page.get_by_role("link", name="Item 1"))

    page.get_by_label("Discussion").fill("The amount is right.")
    page.get_by_label("E01").check()
    choose(page, layout=5)
    follow(page, page.get_by_role("button", name="Record the agreement"))
    page.get_by_role("alert").get_by_text("no rating on dimension 'meaning'").wait_for()
    assert page.get_by_label("Discussion").input_value() == "The amount is right."
    assert page.get_by_label("E01").is_checked()
    assert "discussion" not in page.url
    choose(page, meaning=3)
    follow(page, page.get_by_role("button", name="Record the agreement"))

    page.get_by_text("There is nothing to agree on").wait_for()
    assert meaning(place) == {"E01": [4.0, 3.0], "E02": [4.0], "E03": [5.0, 3.0]}
