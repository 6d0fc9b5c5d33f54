"""The desk says how fast raters work, and how alike they rate what they see twice."""

import math
import re
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from ocrjury.estimate import Estimate
from ocrjury.evaluation.payment import list_payments
from ocrjury.findings.raters import Accuracies, Accuracy, Control
from ocrjury.frontends.web.desk.rater_view import _on_gold, _on_repeats
from ocrjury.store.database import writing
from ocrjury.store.paces import hasty_shares, rater_paces
from ocrjury.store.schema.intake import visits
from tests.frontends.web.conftest import enter_desk, settle
from tests.whole_pages import press, wait_until

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
UNDEFINED = Estimate(math.nan, reason="no_pairable_items")


def visit(place, rater, item, seconds, *, hasty, minute=0, number=1):
    """A submission that took some seconds."""
    row = {
        "visit": f"{place.evaluation}-{rater}-{item}-{minute}",
        "assignment": f"{place.evaluation}/{number}/{rater}/0/{item}",
        "session_hash": "s",
        "first_open": NOW,
        "submitted_at": NOW + timedelta(minutes=minute),
        "active_ms": int(seconds * 1000),
        "conditions": {"hasty": hasty},
    }
    with writing(place.store.engine) as connection:
        connection.execute(sa.insert(visits).values(**row))


def test_who_rushes_is_told_from_who_is_done(rounds, at_desk):
    place = rounds(raters=("R01", "R02"))
    for item in ("d1", "d2", "d3"):
        visit(place, "R01", item, 0.5, hasty=True)
        visit(place, "R02", item, 24, hasty=False)
    visit(place, "R02", "d3", 0.4, hasty=True, minute=5)  # a correction is no item of its own
    desk = at_desk(place)

    page = desk.ask("GET", f"/desk/{place.evaluation}/raters").text
    profiles = desk.json(f"/api/evaluations/{place.evaluation}/raters")

    assert [profile["times"] for profile in profiles] == [
        {"items": 3, "median_seconds": 0.5, "hasty": 3, "hasty_seconds": 3.0},
        {"items": 3, "median_seconds": 24.0, "hasty": 0, "hasty_seconds": 3.0},
    ]
    assert "3 of 3 items submitted in under 3 s (100%)" in page
    assert "24.0 s per item (median)" in page
    assert page.count("found hasty") == 1
    overview = desk.ask("GET", f"/desk/{place.evaluation}").text
    assert re.findall(r">(\d+% hasty)<", overview) == ["100% hasty"]
    assert hasty_shares(place.store.engine, place.evaluation) == {"R01": 1.0, "R02": 0.0}


def test_a_rater_in_a_hurry_reads_the_minutes_left_and_a_lead_the_haste(
    rounds, item, client_of, visitor, code_of
):
    place = rounds(raters=("R01",), items=[item(f"d{n}") for n in range(1, 13)])
    client = client_of(place, "R01")
    for _ in range(8):
        client.hand_in(active_ms=700)
    page, left = visitor(place.server, place.link("R01")), []
    for _ in range(3):
        wait_until(page, "() => ahead.count() > 0")
        left.append(page.locator(".progress .left").text_content())
        press(page, "4", "5", "Enter")
        settle(page)
    desk = visitor(place.server)
    enter_desk(desk, code_of(place), f"/desk/{place.evaluation}")

    assert left == ["", "", "about 1 min left"]
    assert desk.get_by_role("row", name="R01").get_by_text("100% hasty").is_visible()


def test_a_pilot_has_times_where_there_is_nothing_else(rounds):
    place = rounds(kind="pilot", raters=("R01",))
    visit(place, "R01", "d1", 9, hasty=False, number=0)

    assert rater_paces(place.store.engine, place.evaluation)["R01"].seconds == 9
    assert rater_paces(place.store.engine, "another") == {}


def accuracies(share):
    row = Accuracy(4, 4, Estimate(share), *([UNDEFINED] * 4))
    return Accuracies(row, {"R01": row})


def test_gold_and_repeats_are_told_apart():
    controls = {"meaning": Control(gold=accuracies(0.5), second=accuracies(0.75))}

    titles = {"meaning": "Meaning"}

    assert _on_gold(controls, "R01", titles) == ["Meaning: 50% right on gold"]
    assert _on_repeats(controls, "R01", titles) == ["Meaning: 75% the same when rated again"]
    assert _on_repeats(controls, "R02", titles) == []


def test_without_scripts_no_time_at_work_is_measured_and_the_payment_sheet_says_so(
    rounds, client_of, at_desk
):
    place = rounds(raters=("R01",))
    client, desk = client_of(place, "R01"), at_desk(place)
    visit, rev, rubric, _ = client.open()
    fields = {"value-meaning": "4", "value-layout": "2", "outputs": "1", "comment": ""}
    known = {"form_token": client.token, "base": rev, "rubric_hash": rubric}

    answer = client.ask("POST", f"/rate/{visit}", {**fields, **known, "event_id": "form-12345"})
    [payment] = list_payments(place.store.engine, [place.evaluation])
    [rater] = desk.json(f"/api/evaluations/{place.evaluation}/raters")

    assert answer.status == 303
    assert (payment.items, payment.timed, payment.hours) == (1, 0, None)
    assert "time not measured" in desk.ask("GET", f"/desk/{place.evaluation}/payment").text
    assert rater["times"]["items"] == 1  # in the time since it was opened
