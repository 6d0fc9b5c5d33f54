"""While the store is full or away: 503 in the rater's language, and nothing typed is lost."""

import html
import json
import logging
import re
import resource
from contextlib import contextmanager

import pytest

from ocrjury.campaign.registry import RaterEntry
from ocrjury.frontends.web import Site
from ocrjury.store.workspace import open_store
from tests.frontends.web.conftest import asked
from tests.frontends.web.desk.conftest import Desk, desk_code
from tests.frontends.web.desk.test_decisions import version
from tests.frontends.web.test_watching import ask
from tests.whole_pages import press

KOREAN = "남은 저장 공간이 없어"


@contextmanager
def full(server):
    """Let no file of a server grow any more, as a full disk does."""
    soft, hard = resource.prlimit(server.child.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.child.pid, resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.prlimit(server.child.pid, resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def korean(rounds):
    """An evaluation whose rater reads Korean, whatever the browser says."""
    people = [RaterEntry("R09", languages=("ko",))]
    return rounds(people=people, plan=asked(("R09",), ["d1", "d2", "d3"]))


def test_a_rater_is_told_and_what_was_chosen_is_saved_later(rounds, visitor):
    place = rounds(raters=("R01",))
    page = visitor(place.server, place.link("R01"))

    with full(place.server):
        press(page, "4", "5", "Enter")
        notice = page.get_by_role("alert").get_by_text("no room left")
        notice.wait_for()
        said = notice.inner_text()
    page.get_by_text("1 of 3 done").wait_for()

    assert said.endswith("kept on this device and sent later.")
    assert [row["value"] for row in place.rows("ratings", "value")] == [4.0, 5.0]


def test_a_form_comes_back_with_what_was_typed(korean, client_of):
    client = client_of(korean, "R09")
    visit, rev, rubric, _ = client.open()
    fields = {
        "form_token": client.token,
        "base": rev,
        "rubric_hash": rubric,
        "event_id": "form-12345",
        "outputs": "1",
        "value-meaning": "4",
        "value-layout": "2",
        "comment": 'so "gut" <b>& 금액',
    }

    with full(korean.server):
        answer = client.ask("POST", f"/rate/{visit}", fields)
    text = answer.text.decode()
    again = {
        html.unescape(name): html.unescape(value)
        for name, value in re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', text)
    }
    later = client.ask("POST", f"/rate/{visit}", again)

    assert (answer.status, answer.getheader("Retry-After")) == (503, "30")
    assert KOREAN in text
    assert '<html lang="ko">' in text
    assert again == {name: str(value) for name, value in fields.items()}
    assert later.status == 303
    assert len(korean.rows("ratings", "value")) == 2


def test_a_program_is_told_in_the_shape_of_every_refusal(korean, client_of):
    client = client_of(korean, "R09")
    visit, rev, _, _ = client.open()

    with full(korean.server):
        body = {"event_id": "draft-1234", "base": rev, "values": {"meaning": 5}}
        answer = client.ask("PUT", f"/api/drafts/{visit}", body)

    assert answer.status == 503
    error = json.loads(answer.text)["error"]
    assert error["code"] == "store_full"
    assert KOREAN in error["message"]


def test_the_log_has_one_line_a_minute(tmp_path, caplog):
    with open_store(home=tmp_path / "home") as store:
        store.engine.dispose()
        (tmp_path / "home").rename(tmp_path / "elsewhere")
        site = Site(store)
        with caplog.at_level(logging.WARNING):
            answers = [ask(site, "/api/evaluations", Authorization="Bearer x") for _ in range(5)]

    assert {answer.status_code for answer in answers} == {503}
    # What asyncio says of tasks of other tests, whenever they are collected, is not ours.
    [line] = [record for record in caplog.records if record.name.startswith("ocrjury.")]
    assert line.exc_info is None
    assert line.getMessage().startswith(f"The store at {tmp_path}/home/ocrjury.db cannot be opened")


def test_the_desk_can_be_read_and_gives_a_form_back(rounds):
    place = rounds()
    lead = Desk(place)
    lead.enter(desk_code(place))

    with full(place.server):
        page = lead.ask("GET", f"/desk/{place.evaluation}")
        path = f"/desk/{place.evaluation}/decisions"
        answer = lead.post(path, decision="abort", version=version(place), reason="public holiday")

    assert page.status == 200
    assert answer.status == 503
    assert "The store is full: make room on its disk" in answer.text
    assert 'name="reason" value="public holiday"' in answer.text
