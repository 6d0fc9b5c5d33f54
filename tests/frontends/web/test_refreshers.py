"""Whoever comes back after a pause practises one item again; it is compared and never counted."""

import json
from datetime import timedelta

import pytest
import sqlalchemy as sa

from ocrjury.store.database import writing
from ocrjury.store.schema.intake import visits
from tests.frontends.web.looks import in_other_languages, violations_of_looks
from tests.frontends.web.test_pages_ahead import CHOSEN
from tests.frontends.web.test_practice import page_of, practised
from tests.frontends.web.test_round_kinds import next_round
from tests.whole_pages import follow, press, wait_until

__all__ = ["practised"]

LEAD = "One item that you practised comes first"
RESULT = "Practice: what was expected"


def pause(place, minutes):
    """Let the time since the last work of an evaluation be longer."""
    mine = visits.c.assignment.startswith(f"{place.evaluation}/")
    done = sa.select(visits.c.visit, visits.c.submitted_at).where(
        mine, visits.c.submitted_at.is_not(None)
    )
    with writing(place.store.engine) as connection:
        for visit, at in connection.execute(done).all():
            earlier = at - timedelta(minutes=minutes)
            this = sa.update(visits).where(visits.c.visit == visit)
            connection.execute(this.values(submitted_at=earlier))


@pytest.fixture
def returning(practised, client_of, now):
    """A rater of a main round who has practised four items, two hours ago."""
    client = client_of(practised, "R01", number=None)
    for _ in range(4):
        client.hand_in({"meaning": 3, "layout": 4})
    next_round(practised, "main", ["R01"], now, items=("d5",))
    pause(practised, 120)
    return practised


def ratings_of(place):
    return place.rows("ratings", "rating_id", order="rating_id")


@pytest.mark.parametrize(("minutes", "comes"), [(59, False), (61, True)])
def test_it_comes_after_a_pause_as_long_as_a_session(practised, client_of, now, minutes, comes):
    client = client_of(practised, "R01", number=None)
    for _ in range(4):
        client.hand_in()
    next_round(practised, "main", ["R01"], now, items=("d5",))

    pause(practised, minutes)

    assert (LEAD in page_of(client)) is comes


def test_it_is_compared_with_the_first_answer_and_counts_for_nothing(returning, visitor):
    before = ratings_of(returning)
    page = visitor(returning.server, returning.link("R01", number=None))
    page.get_by_text(LEAD).wait_for()

    press(page, "2", "4", "Enter")
    page.get_by_role("heading", name=RESULT).wait_for()
    answers = page.locator(".lesson").first.locator(".pair div").all_inner_texts()
    page.reload()
    again = page.locator(".lesson").first.locator(".pair div").all_inner_texts()

    assert [answer.split()[:2] for answer in answers] == [
        ["You", "2"],
        ["First", "time"],
        ["Expected", "2"],
    ]
    assert again == answers
    assert page.get_by_text("This was practice: it counts for nothing.").is_visible()
    assert page.locator(".bar .progress b").inner_text() == "0 of 1 done"
    assert ratings_of(returning) == before
    press(page, "Enter")
    page.locator("#hand-in", has_text="Submit and continue").wait_for()
    assert page.evaluate(CHOSEN) == []
    press(page, "4", "5", "Enter")
    page.get_by_role("heading", name="All done").wait_for()
    assert len(ratings_of(returning)) == len(before) + 2
    kept = [json.loads(row["conditions"]) for row in returning.rows("visits", "conditions")]
    assert [one["practised_again"] for one in kept if "practised_again" in one] == [
        {"meaning": 2.0, "layout": 4.0}
    ]
    assert page.wrong == []


def test_the_one_practised_longest_ago_comes_next_time(returning, client_of):
    seen = []
    for _ in range(5):
        client = client_of(returning, "R01", number=None)
        visit, _, rubric, page = client.open()
        assert LEAD in page
        body = {"event_id": f"event-{visit}"[:40], "base": 0, "rubric_hash": rubric}
        body["values"] = {"meaning": 2, "layout": 4}
        for _ in range(2):  # sent twice, kept once
            assert client.ask("POST", f"/api/again/{visit}", body).status == 200
        known = f"select assignment from visits where visit = '{visit}'"
        seen += [row["assignment"] for row in returning.ask(known)]
        assert LEAD not in page_of(client)
        pause(returning, 70)

    assert len({*seen}) == 4
    assert seen[4] == seen[0]


def test_what_is_incomplete_is_refused_and_nobody_else_sees_it(returning, client_of):
    client = client_of(returning, "R01", number=None)
    visit, _, rubric, _ = client.open()
    body = {"event_id": "event-1234", "base": 0, "rubric_hash": rubric}

    some = client.ask("POST", f"/api/again/{visit}", {**body, "values": {"meaning": 2}})
    off = {"meaning": 9, "layout": 4}
    wrong = client.ask("POST", f"/api/again/{visit}", {**body, "values": off})
    early = client.ask("GET", f"/again/{visit}")

    assert (some.status, wrong.status) == (422, 422)
    assert early.status == 303
    assert client.ask("GET", f"/images/{visit}/page").status == 200
    assert client.ask("GET", "/again/unknown").status == 404


def test_without_scripts_a_form_takes_it(returning, visitor):
    page = visitor(returning.server, None, java_script_enabled=False)
    page.goto(f"{returning.server.address}/enter")
    page.locator("[name=code]").fill(returning.link("R01", number=None))
    follow(page, page.get_by_role("button", name="Start"))
    page.get_by_text(LEAD).wait_for()
    page.locator("[name='value-meaning'][value='2']").check(force=True)
    follow(page, page.locator("#hand-in"))
    assert page.get_by_role("alert").is_visible()
    assert page.locator("[name='value-meaning'][value='2']").is_checked()
    page.locator("[name='value-layout'][value='4']").check(force=True)
    follow(page, page.locator("#hand-in"))

    assert page.get_by_role("heading", name=RESULT).is_visible()
    follow(page, page.get_by_role("link", name="Next item"))
    assert page.get_by_text(LEAD).count() == 0


def test_axe_finds_nothing(returning, visitor):
    page = visitor(returning.server, returning.link("R01", number=None))
    found = {"item": violations_of_looks(page), **in_other_languages(page, "/rate")}
    wait_until(page, "() => typeof answers !== 'undefined'")
    press(page, "2", "4", "Enter")
    page.locator("#next").wait_for()
    found["result"] = violations_of_looks(page)

    assert {name: bad for name, bad in found.items() if bad} == {}
