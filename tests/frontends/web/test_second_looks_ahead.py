"""Adjudication and votes go from item to item as main rounds do, and tell nothing too early."""

import pytest

from tests.frontends.web.conftest import settle
from tests.frontends.web.test_pages_ahead import CHOSEN, VISIT
from tests.frontends.web.test_round_kinds import EXPERTS, next_round
from tests.whole_pages import held_up, keep_undoable, press, wait_until

SAID = "The stamp hides the first digit."
SENT = "visit => fetch(pages.at(`/rate/ahead?after=${visit}`)).then((answer) => answer.text())"
SEEN = "() => document.querySelector('.others') !== null"
LEVELS = ".others th + td b"
CATEGORY = "[name=category]:checked"
DOCUMENT = "() => { window.same = true; }"


@pytest.fixture
def disputed(rounds, item, client_of, now):
    """An evaluation whose adjudicator has two items, on both of which two raters differ."""
    place = rounds(items=[item("d1"), item("d2")])
    for rater, levels in (("R01", (1, 2)), ("R02", (5, 5))):
        client = client_of(place, rater)
        for level in levels:
            client.hand_in({"meaning": level, "layout": 5}, comment=SAID)
    next_round(place, "adjudication", ["A01"], now, items=("d1", "d2"))
    return place


@pytest.fixture
def page(disputed, visitor):
    """The adjudicator's page, once the next item is there."""
    page = visitor(disputed.server, disputed.link("A01"))
    wait_until(page, "() => ahead.count() === 1")
    page.evaluate(DOCUMENT)
    return page


def judge(page):
    """Judge an item alone, and wait until what others said is shown."""
    press(page, "4", "4", "Enter")
    wait_until(page, SEEN)


def decided(place):
    """Assignment, revision and meaning of what the adjudicator handed in."""
    rows = place.rows("ratings", "assignment", "rev", "value", "dimension")
    return {
        (row["assignment"].rpartition("/")[2], row["rev"], row["value"])
        for row in rows
        if "/A01/" in row["assignment"] and row["dimension"] == "meaning"
    }


def test_an_adjudicator_who_changes_a_decision_finds_the_reason_again(disputed, page):
    judge(page)
    press(page, "3", "ArrowDown", "3", "Enter")
    settle(page)
    with page.expect_event("load"):
        page.locator("#previous").click()

    assert page.evaluate(CHOSEN) == ["3", "4"]
    assert page.locator(CATEGORY).get_attribute("value") == "rater_error"
    press(page, "Enter")
    page.wait_for_url("**/rate")


def test_an_adjudicator_goes_on_in_one_document(disputed, page):
    for low in ("1", "2"):
        judge(page)
        assert min(page.locator(LEVELS).all_inner_texts()) == low
        assert page.evaluate("() => window.same")
        press(page, "3", "ArrowDown", "3", "Enter")
    page.get_by_role("heading", name="All done").wait_for()

    assert decided(disputed) == {("d1", 1, 4.0), ("d1", 2, 3.0), ("d2", 1, 4.0), ("d2", 2, 3.0)}
    assert page.wrong == []


def test_nothing_that_others_said_travels_before_the_own_judgement(page):
    shown = page.content()
    sent = page.evaluate(SENT, page.evaluate(VISIT))
    judge(page)

    assert SAID in page.content()
    assert 'id="rate"' in sent
    assert [text for text in (shown, sent) if SAID in text or 'class="others' in text] == []


def test_what_is_typed_while_a_judgement_is_stored_decides_nothing(page):
    with held_up(page, "**/api/judgements/*"):
        with page.expect_request("**/api/judgements/*"):
            press(page, "4", "4", "Enter")
        press(page, "3", "1")
    wait_until(page, SEEN)

    assert page.locator(CATEGORY).count() == 0
    assert page.evaluate(CHOSEN) == ["4", "4"]


def test_a_decision_needs_its_reason_and_is_taken_back_with_it(disputed, page):
    judge(page)
    keep_undoable(page)

    press(page, "Enter")
    assert page.get_by_role("alert").inner_text() == "Choose why the ratings differ."
    press(page, "3", "ArrowDown", "2", "Enter")
    assert not page.evaluate(SEEN)
    press(page, "u")

    assert page.locator(CATEGORY).get_attribute("value") == "rater_error"
    assert page.evaluate(SEEN)
    assert decided(disputed) == set()


def test_experts_vote_on_one_item_after_the_other_in_one_document(rounds, item, visitor, now):
    place = rounds(people=EXPERTS, items=[item("d1"), item("d2")])
    next_round(place, "panel", [one.pseudonym for one in EXPERTS], now, items=("d1", "d2"))
    page = visitor(place.server, place.link("E01"))
    page.evaluate(DOCUMENT)
    wait_until(page, "() => ahead.count() === 1")

    press(page, "4", "5", "Enter")
    assert page.evaluate("() => window.same")
    press(page, "3", "2", "Enter")
    settle(page)
    wait_until(page, "() => !document.body.dataset.visit")

    assert {row["value"] for row in place.rows("ratings", "value")} == {4.0, 5.0, 3.0, 2.0}
