"""A lead makes a reported item a boundary case; the round that opens next shows it to raters."""

import json
import re
from datetime import UTC, datetime, timedelta

from ocrjury.store.database import writing
from ocrjury.store.rounds import NewAssignment, RoundPlan, close_round, open_round
from tests.frontends.web.looks import too_small, violations, wider_than_window
from tests.frontends.web.test_accessibility import alike

HOSTILE = "<script>alert(1)</script> \u202e금액"


def report(client):
    """Flag the next item, as the rating page does."""
    assert client.hand_in({}, flag="wrong_reference", comment="It is unclear.").status == 200


def open_next(place, *, rater, item):
    now = datetime.now(UTC)
    asked = (NewAssignment(item, rater, 1),)
    plan = RoundPlan("adaptive", "r", ("meaning", "layout"), "web", now + timedelta(days=3), asked)
    with writing(place.store.engine) as connection:
        close_round(connection, place.evaluation, by="done", now=now)
        return open_round(connection, place.evaluation, plan, now=now)


def test_an_item_becomes_a_boundary_case_that_the_next_round_shows(rounds, client_of, at_desk):
    place = rounds(raters=("R01", "R02"))
    rater, other, desk = client_of(place, "R01"), client_of(place, "R02"), at_desk(place)
    report(rater)
    page, api = (f"{start}/{place.evaluation}" for start in ("/desk", "/api/evaluations"))
    fields = {"item": "d1", "ruling": "meaning=3", "reason": "Raters differ here."}
    texts = {"case_en": HOSTILE, "advice_en": "Give 3.", "reference": "a\r\nb", "hypothesis": ""}

    form = desk.ask("GET", f"{page}/remarks").text
    refused = desk.post(f"{page}/rubric/cases", **fields, case_en=" ")
    done = desk.post(f"{page}/rubric/cases", **fields, **texts)
    shown = desk.ask("GET", f"{page}/rubric").text
    state = desk.json(f"{api}/rubric")
    during = other.ask("GET", "/rate").text.decode()
    open_next(place, rater="R02", item="d2")
    after = client_of(place, "R02").ask("GET", "/rate").text.decode()

    assert "Make it a boundary case" in form
    assert (refused.status, done.status) == (422, 303)
    assert "Say what the boundary case is." in refused.text
    assert "&lt;script&gt;alert(1)" in shown
    assert "<script>alert" not in shown
    assert (state["in_force"], state["newest"]) == (1, 2)
    assert state["versions"][1]["level"] == "3"
    assert state["rubric"]["boundary_cases"][-1]["example"]["reference"] == "a\nb"
    assert "Give 3." not in during
    assert "Give 3." in after
    assert "&lt;script&gt;alert(1)" in after
    assert "<script>alert(1)" not in after


def test_a_boundary_case_has_room_for_korean_texts_of_any_length_that_its_form_takes(
    rounds, at_desk
):
    place = rounds()
    long = "금" * 1000
    texts = dict.fromkeys(("case_en", "advice_en", "reference", "hypothesis"), long)

    done = at_desk(place).post(
        f"/desk/{place.evaluation}/rubric/cases",
        item="d1",
        ruling="meaning=3",
        reason=long * 2,
        **texts,
    )

    assert done.status == 303


def test_a_rater_is_told_once_what_changed_since_rating_last(rounds, client_of, at_desk, visitor):
    place = rounds(raters=("R01", "R02"))
    rater, desk = client_of(place, "R01"), at_desk(place)
    rater.hand_in()
    fields = {"item": "d1", "ruling": "meaning=3", "reason": "Raters differ here."}
    desk.post(
        f"/desk/{place.evaluation}/rubric/cases", **fields, case_en=HOSTILE, advice_en="Give 3."
    )
    open_next(place, rater="R01", item="d2")
    rater, newcomer = client_of(place, "R01"), client_of(place, "R02")

    page = visitor(place.server, place.link("R01"), viewport={"width": 390, "height": 844})
    found = violations(page), too_small(page), wider_than_window(page)
    assert (found, alike(rater, "/rate")) == (([], [], []), (True, True))
    news = rater.ask("GET", "/rate").text.decode()
    onward = re.search(r'href="(/[^"]*\?guide=\w+)"', news)[1]
    visit, _, _, item = rater.open(onward)
    rater.hand_in(path=onward)
    after = rater.ask("GET", "/rate").text.decode()

    assert "The guide has changed" in news
    assert "New boundary cases" in news
    assert "Give 3." in news
    assert "&lt;script&gt;alert(1)" in news
    assert "no longer count" not in news
    assert visit is not None
    assert "The guide has changed" not in item + after
    assert "The guide has changed" not in newcomer.ask("GET", "/rate").text.decode()


def test_programs_add_a_case_with_the_texts_of_its_item_and_take_it_back(rounds, at_desk):
    place = rounds()
    desk, api = at_desk(place), f"/api/evaluations/{place.evaluation}/rubric"
    body = {"item": "d1", "dimension": "meaning", "case": "A case", "reason": "Raters differ."}
    back = {"version": 2, "reason": "It was wrong."}

    stored = desk.ask("POST", f"{api}/cases", {**body, "level": 3})
    wrong = desk.ask("POST", f"{api}/cases", {**body, "level": 9})
    case = desk.json(api)["rubric"]["boundary_cases"][-1]
    file = desk.ask("GET", f"/desk/{place.evaluation}/rubric.yaml").text
    undone = desk.post(f"/desk/{place.evaluation}/rubric/undo", **back)
    again = desk.ask("POST", f"{api}/undo", back)
    state = desk.json(api)

    assert json.loads(stored.text) == {"version": 2}
    assert (wrong.status, undone.status, again.status) == (409, 303, 409)
    assert "has no level 9" in wrong.text
    texts = place.ask("select hypothesis from items where item = 'd1'")
    assert case["example"]["hypothesis"] in {row["hypothesis"] for row in texts}
    assert "case:\n    und: A case" in file
    assert (state["in_force"], state["newest"]) == (3, 3)  # which says what the first one says
    actions = [row["action"] for row in place.ask("select action from audit order by seq")]
    assert {"view rubric", "add boundary case", "take boundary case back"} <= set(actions)
