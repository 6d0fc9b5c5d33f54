"""Pages of the desk follow the ratings without being loaded again."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from ocrjury.store.database import reading, writing
from ocrjury.store.links import secret_hash
from ocrjury.store.pulse import read_pulse
from ocrjury.store.schema.people import sessions
from ocrjury.store.sendings import Sending, claim_sending, settle
from tests.frontends.web.conftest import enter_desk

ASK = "() => dispatchEvent(new Event('online'))"
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { value: hidden === "hidden", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def pulse_in(page):
    return re.search(r'<main data-pulse="(\w{32})"', page)[1]


@pytest.mark.parametrize(
    "part",
    ["", "/{}", "/{}/items", "/{}/raters", "/{}/remarks", "/{}/rubric", "/{}/payment"],
)
def test_a_page_is_sent_again_only_when_something_happened(measured, rate, at_desk, part):
    place = measured(share=0.5)
    desk, path = at_desk(place), f"/desk{part.format(place.evaluation)}"
    pulse = pulse_in(desk.ask("GET", path).text)
    known = {"If-None-Match": pulse, "X-Watching": "1"}

    same = desk.ask("GET", path, **known)
    rate(place, share=0.2)
    after = desk.ask("GET", path, **known)

    assert (same.status, same.text) == (304, "")
    assert after.status == 200
    assert pulse_in(after.text) != pulse


def test_a_pulse_lets_nobody_in_and_belongs_to_one_session(measured, at_desk, desk_without_link):
    place = measured()
    path = f"/desk/{place.evaluation}"
    known = {"If-None-Match": pulse_in(at_desk(place).ask("GET", path).text)}

    others = at_desk(place, who="M. Lee")

    assert others.ask("GET", path, **known).status == 200
    assert at_desk(place, who="S. Cho", scope=["other-*"]).ask("GET", path, **known).status == 404
    assert desk_without_link(place).ask("GET", path, **known).status == 303


def test_whoever_only_watches_is_signed_out_all_the_same(measured, at_desk):
    place = measured()
    desk, path = at_desk(place, who="W. Yun"), f"/desk/{place.evaluation}"
    own = sessions.c.session_hash == secret_hash(desk.cookie.partition("=")[2])
    earlier = datetime.now(UTC) - timedelta(minutes=30)
    with writing(place.store.engine) as connection:
        connection.execute(sa.update(sessions).where(own).values(last_seen=earlier))
    seen = []

    for headers in ({"X-Watching": "1"}, {}):
        assert desk.ask("GET", path, **headers).status == 200
        with reading(place.store.engine) as connection:
            seen.append(connection.execute(sa.select(sessions.c.last_seen).where(own)).scalar_one())

    assert seen[0] == earlier < seen[1]


def test_what_a_page_shows_changes_its_pulse(measured, rate, keep_interim, hold):
    place = measured(share=0.5)
    engine, name, seen = place.store.engine, place.evaluation, []
    seen.append(read_pulse(engine, name))
    rate(place, share=0.3)
    seen.append(read_pulse(engine, name))
    keep_interim(place)
    seen.append(read_pulse(engine, name))
    hold(place, "overdue")
    seen.append(read_pulse(engine, name))

    assert len({*seen}) == 4
    assert read_pulse(engine, name) == seen[-1]


def test_attempts_to_deliver_a_report_change_the_pulse(measured):
    place = measured()
    engine, name, now = place.store.engine, place.evaluation, datetime.now(UTC)
    seen = [read_pulse(engine, name)]
    sending = Sending(name, "<live>", "report", "boss@example.org", "s")

    claim = claim_sending(engine, sending, now=now)
    seen.append(read_pulse(engine, name))
    settle(engine, claim, state="failed", detail="away", now=now)
    seen.append(read_pulse(engine, name))

    assert len({*seen}) == 3


def test_remarks_answers_and_links_change_the_pulse(measured, client_of, at_desk):
    place = measured(share=0.5)
    engine, name, desk = place.store.engine, place.evaluation, at_desk(place)
    seen = [(read_pulse(engine), read_pulse(engine, name).others)]

    def note_pulse():
        seen.append((read_pulse(engine), read_pulse(engine, name).others))

    rater = client_of(place, "R03")
    assert read_pulse(engine, name).others != seen[0][1]
    rater.hand_in(comment="blurred")
    note_pulse()
    [remark] = desk.json(f"/api/evaluations/{name}/remarks")["remarks"]
    desk.post(f"/desk/{name}/remarks", assignment=remark["assignment"], kind="read", text="")
    note_pulse()

    assert [len({*pulses}) for pulses in zip(*seen, strict=True)] == [3, 3]


@pytest.mark.parametrize("part", ["remarks", "payment", "rubric"])
def test_a_page_that_is_watched_is_noted_once_in_a_while(measured, at_desk, part):
    place = measured(share=0.5)
    desk, path = at_desk(place), f"/desk/{place.evaluation}/{part}"
    noted = f"select 1 from audit where action = 'view {part}' and object = '{place.evaluation}'"
    counts = []

    for headers in ({"X-Watching": "1"}, {"X-Watching": "1"}, {}):
        assert desk.ask("GET", path, **headers).status == 200
        counts.append(len(place.ask(noted)))

    assert counts == [1, 1, 2]


def test_the_answer_to_a_form_follows_nothing(measured, at_desk):
    place = measured()

    answer = at_desk(place).post(f"/desk/{place.evaluation}/decisions", decision="proceed")

    assert answer.status == 422
    assert "data-pulse" not in answer.text


def test_new_remarks_appear_unless_somebody_answers_one(measured, client_of, visitor, code_of):
    place = measured(share=0.5)
    rater, page = client_of(place, "R03"), visitor(place.server)
    enter_desk(page, code_of(place), f"/desk/{place.evaluation}/remarks")
    page.get_by_text("No remark waits for an answer.").wait_for()

    rater.hand_in(comment="The stamp hides it.")
    page.evaluate(ASK)
    page.get_by_text("The stamp hides it.").wait_for()
    page.get_by_label("Answer to R03").fill("It is")
    rater.hand_in(comment="Too dark.")
    page.evaluate(ASK)
    page.get_by_text("Something changed here while you are filling in a form").wait_for()

    assert page.get_by_text("Too dark.").count() == 0
    assert page.get_by_label("Answer to R03").input_value() == "It is"
    page.get_by_label("Answer to R03").fill("")
    page.get_by_role("heading", level=1).click()
    page.evaluate(ASK)
    page.get_by_text("Too dark.").wait_for()


def test_payment_and_rubric_follow(measured, client_of, at_desk, visitor, code_of):
    place = measured(share=0.5)
    rater, desk, page = client_of(place, "R03"), at_desk(place), visitor(place.server)
    enter_desk(page, code_of(place), f"/desk/{place.evaluation}/payment")
    items = page.locator("tfoot .number").first
    before = int(items.inner_text())

    rater.hand_in(flag="wrong_reference", comment="It is unclear.")
    page.evaluate(ASK)
    page.locator("tfoot .number", has_text=str(before + 1)).wait_for()
    page.goto(f"{place.server.address}/desk/{place.evaluation}/rubric")
    page.get_by_role("heading", name="Boundary cases of version 1").wait_for()
    [remark] = desk.json(f"/api/evaluations/{place.evaluation}/remarks")["remarks"]
    case = {"item": remark["item"], "ruling": "meaning=3", "reason": "Raters differ here."}
    answer = desk.post(f"/desk/{place.evaluation}/rubric/cases", **case, case_en="A torn edge")
    page.evaluate(ASK)
    page.get_by_role("heading", name="Boundary cases of version 2").wait_for()

    assert answer.status == 303
    assert page.get_by_text("A torn edge").is_visible()
    assert page.locator("table.versions tbody tr").count() == 2


def test_the_overview_follows_and_leaves_a_half_filled_form_alone(measured, rate, visitor, code_of):
    place = measured(share=0.5)
    page = visitor(place.server, watched=True)
    enter_desk(page, code_of(place), f"/desk/{place.evaluation}")
    page.get_by_text("18 of 36").wait_for()
    page.locator("summary", has_text="Extend").click()
    page.locator("#extend-reason").fill("half a rea")
    asked = []
    page.on("request", lambda request: asked.append(request.headers.get("x-watching")))

    rate(place, share=0.5)
    page.evaluate(ASK)
    page.get_by_text("27 of 36").wait_for()

    assert page.locator("#extend-reason").input_value() == "half a rea"
    assert page.evaluate("document.activeElement.id") == "extend-reason"
    page.context.set_offline(True)
    page.evaluate(ASK)
    page.get_by_text("No connection.").wait_for()
    rate(place, share=1)
    page.context.set_offline(False)
    page.get_by_text("36 of 36").wait_for()
    page.locator("#live-note", has_text="connection").wait_for(state="detached")
    page.evaluate(HIDE, "hidden")
    before = len(asked)
    page.evaluate(ASK)
    assert len(asked) == before
    with page.expect_request(f"**/desk/{place.evaluation}"):
        page.evaluate(HIDE, "shown")
    assert len(asked) == before + 1
    assert page.foreign == []
