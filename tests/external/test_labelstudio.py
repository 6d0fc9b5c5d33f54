"""Against the real Label Studio, started from its package."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import sync_playwright

from ocrjury.campaign.config import read_campaign
from ocrjury.campaign.rubric import Rubric
from ocrjury.errors import InputError
from ocrjury.frontends.ingest import receive
from ocrjury.frontends.labelstudio import LabelStudioFrontend, open_frontend
from ocrjury.frontends.labelstudio.hints import ask_for_hints, listening, want_no_more_hints
from ocrjury.frontends.labelstudio.labelling_config import labelling_config
from ocrjury.frontends.labelstudio.projects import find_projects, find_tasks
from ocrjury.frontends.labelstudio.server import Server
from ocrjury.store.database import reading
from ocrjury.store.quarantine import list_refused
from ocrjury.store.ratings import list_ratings
from ocrjury.store.remarks import read_comment
from ocrjury.store.rounds import list_assignments
from ocrjury.store.workspace import open_store
from tests.external.labelstudio_server import PASSWORD, TOKEN, Person, running
from tests.frontends.labelstudio.worked_round import (
    DIMENSIONS,
    NAME,
    NOW,
    open_worked_round,
    write_campaign,
)

GOOD = {"rating_meaning": "4", "rating_layout": "3"}
MOMENTS = count()
SUBMIT = "bottombar-submit-button"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with running(tmp_path_factory.mktemp("label-studio")) as address:
        yield address


@pytest.fixture(scope="module")
def kim(address):
    with Person(address, "r01@example.org") as person:
        yield person


@pytest.fixture(scope="module")
def lee(address):
    with Person(address, "r02@example.org") as person:
        yield person


@pytest.fixture(scope="module")
def stranger(address):
    with Person(address, "stranger@example.org") as person:
        yield person


@pytest.fixture
def store(tmp_path):
    with open_store(home=tmp_path / "home") as store:
        yield store


@pytest.fixture
def campaign_path(tmp_path, address, kim, lee):
    return write_campaign(tmp_path / "claims", address)


@pytest.fixture
def opened_at():
    """Another moment for each test, so that each has projects of its own."""
    return NOW + timedelta(hours=next(MOMENTS))


@pytest.fixture
def round_(store, campaign_path, opened_at):
    return open_worked_round(store, campaign_path, now=opened_at)


@pytest.fixture
def frontend(campaign_path):
    variables = {"OCRJURY_LABEL_STUDIO_TOKEN": TOKEN}
    with open_frontend(read_campaign(campaign_path), variables) as frontend:
        yield frontend


@pytest.fixture
def projects(frontend, round_):
    """The numbers of the projects of R01 and R02, published."""
    frontend.publish(round_)
    found = find_projects(frontend.server)
    return [found[one.key][0].project for one in frontend.plan(round_)]


def now():
    return datetime.now(UTC)


def ratings(store):
    return {
        (rating.item, rating.rater, rating.repeat, rating.dimension): rating.value
        for rating in list_ratings(store.engine, NAME)
    }


def tasks(frontend, project):
    return [task.task for task in find_tasks(frontend.server, project)]


def test_two_raters_rate_everything_in_the_stored_order(
    frontend, round_, projects, store, kim, lee
):
    first, second = projects
    seen = {"R01": [], "R02": []}
    for person, rater, project in ((kim, "R01", first), (lee, "R02", second)):
        while (task := person.next_task(project)) is not None:
            seen[rater].append(task["data"]["hypothesis"])
            person.annotate(task["id"], GOOD)

    found = receive(round_, frontend.poll(round_), now=now())

    assert seen["R01"][:3] == ["(empty)", "output 1", "output 9"]
    assert seen["R01"][3].startswith("<script>")
    assert seen["R01"][4] == "(empty)"
    assert seen["R02"][1:] == ["output 4", "output 1"]
    assert (len(found.accepted), found.refused, found.complete) == (8, (), True)
    assert {assignment.state for assignment in list_assignments(store.engine, NAME)} == {"done"}
    assert len(ratings(store)) == 16


def test_what_a_rater_can_fetch_tells_nothing_that_would_bias(frontend, projects, kim):
    everything = "".join(
        kim.client.get(path, params={"project": project, "fields": "all", "page_size": 100}).text
        for project in projects
        for path in ("/api/tasks", f"/api/projects/{project}", f"/api/projects/{project}/export")
    )

    for secret in ("tesseract", "0.4321", "0.8765", "stratum", "doc-", "gold-", "p1.png", "/R01/"):
        assert secret not in everything


def test_raters_are_not_blind_to_each_other_which_is_why_it_has_to_be_allowed(
    frontend, round_, projects, kim, lee
):
    task = tasks(frontend, projects[0])[0]
    kim.annotate(task, GOOD)

    seen = lee.client.get(f"/api/tasks/{task}").json()["annotations"]

    assert [one["result"][0]["value"] for one in seen] == [{"choices": ["4"]}]
    section = frontend.campaign.rounds.labelstudio.model_copy(update={"allow_degraded": False})
    rounds = frontend.campaign.rounds.model_copy(update={"labelstudio": section})
    refused = frontend.campaign.model_copy(update={"rounds": rounds})
    with pytest.raises(InputError, match="lacks blind"):
        LabelStudioFrontend(refused, frontend.server).publish(round_)


def test_a_changed_annotation_is_a_revision(frontend, round_, projects, store, kim):
    annotation = kim.annotate(tasks(frontend, projects[0])[1], GOOD)
    receive(round_, frontend.poll(round_), now=now())
    kim.change(annotation, {**GOOD, "rating_meaning": "2"})

    found = receive(round_, frontend.poll(round_), now=now())

    assert (len(found.accepted), found.refused) == (1, ())
    assert ratings(store)["doc-1", "R01", 0, "meaning"] == 2


def test_two_annotations_of_one_rater_count_as_the_newest(frontend, round_, projects, store, kim):
    task = tasks(frontend, projects[0])[1]
    kim.annotate(task, {**GOOD, "rating_meaning": "1"})
    kim.annotate(task, GOOD)

    found = receive(round_, frontend.poll(round_), now=now())

    assert len(found.accepted) == 1
    assert ratings(store)["doc-1", "R01", 0, "meaning"] == 4


def test_what_another_user_rated_or_changed_is_refused(
    frontend, round_, projects, store, kim, stranger
):
    one, two = tasks(frontend, projects[0])[:2]
    stranger.annotate(one, GOOD)
    stranger.change(kim.annotate(two, GOOD), {**GOOD, "rating_meaning": "1"})

    found = receive(round_, frontend.poll(round_), now=now())

    assert len(found.accepted) == 0
    assert [one.what for one in found.refused] == ["the assignment is another rater's"] * 2
    assert ratings(store) == {}


def test_a_value_that_the_server_took_goes_to_quarantine(frontend, round_, projects, store, kim):
    one, two = tasks(frontend, projects[0])[:2]
    kim.annotate(one, {**GOOD, "rating_meaning": "9"})
    kim.annotate(two, {"rating_meaning": "4"})

    found = receive(round_, frontend.poll(round_), now=now())

    assert len(found.accepted) == 0
    reasons = sorted(one.reason for one in list_refused(store.engine, NAME))
    assert reasons == [
        "9 on 'meaning' is outside the scale (likert 1 to 5)",
        "no rating on dimension 'layout'",
    ]


def test_polling_twice_adds_nothing(frontend, round_, projects, store, kim, stranger):
    one, two, three = tasks(frontend, projects[0])[:3]
    kim.annotate(one, GOOD)
    kim.annotate(two, {**GOOD, "rating_meaning": "9"})
    stranger.annotate(three, GOOD)
    receive(round_, frontend.poll(round_), now=now())
    before = (ratings(store), list_refused(store.engine, NAME))

    again = receive(round_, frontend.poll(round_), now=now())

    assert (len(again.accepted), again.known) == (0, 1)
    assert (ratings(store), list_refused(store.engine, NAME)) == before


def test_publishing_twice_changes_nothing(frontend, round_, projects):
    before = [tasks(frontend, one) for one in projects]

    assert sum(project.open_tasks for project in frontend.publish(round_)) == 8

    found = find_projects(frontend.server)
    assert [len(found[one.key]) for one in frontend.plan(round_)] == [1, 1]
    assert [tasks(frontend, one) for one in projects] == before


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("moment", [1, 2, 3, 4])
def test_a_publish_that_died_at_any_change_is_completed_by_the_next(
    frontend, round_, monkeypatch, moment, done
):
    real, number = Server.request, count(1)

    def request(self, method, path, **rest):
        dies = method == "POST" and next(number) == moment
        if dies and not done:
            raise KeyboardInterrupt
        answer = real(self, method, path, **rest)
        if dies:
            raise KeyboardInterrupt
        return answer

    monkeypatch.setattr(Server, "request", request)
    with pytest.raises(KeyboardInterrupt):
        frontend.publish(round_)
    monkeypatch.undo()

    frontend.publish(round_)

    found = find_projects(frontend.server)
    for wanted in frontend.plan(round_):
        [project] = found[wanted.key]
        keys = [task.key for task in find_tasks(frontend.server, project.project)]
        assert keys == [one.key for one in wanted.asked]


def test_a_command_that_was_killed_is_resumed(frontend, round_, store, tmp_path):
    environment = {
        **os.environ,
        "OCRJURY_HOME": str(tmp_path / "home"),
        "OCRJURY_LABEL_STUDIO_TOKEN": TOKEN,
    }
    command = [sys.executable, "-m", "ocrjury.cli", "labelstudio", "publish", NAME]
    keys = {one.key for one in frontend.plan(round_)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    while not keys & set(find_projects(frontend.server)):
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(60)

    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, timeout=600
    )

    assert [line.split()[:2] for line in done.stdout.splitlines()[1:]] == [
        ["R01", "5"],
        ["R02", "3"],
    ]
    found = find_projects(frontend.server)
    for wanted in frontend.plan(round_):
        [project] = found[wanted.key]
        there = [task.key for task in find_tasks(frontend.server, project.project)]
        assert there == [one.key for one in wanted.asked]


def test_closing_removes_what_nobody_rated(frontend, round_, projects, kim):
    task = tasks(frontend, projects[0])[1]
    kim.annotate(task, GOOD)

    frontend.close(round_)

    assert [tasks(frontend, project) for project in projects] == [[task], []]
    assert kim.next_task(projects[0]) is None
    titles = {number: title for title, number in kim.projects().items()}
    assert titles[projects[0]] == "[closed] claims-2026w47 r1 R01"


def test_a_webhook_is_a_hint_without_any_text(frontend, round_, projects, kim):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with listening(f"http://127.0.0.1:{port}") as hints:
        webhooks = ask_for_hints(frontend.server, frontend.project_numbers(round_), hints)
        kim.annotate(tasks(frontend, projects[0])[1], GOOD)

        assert hints.wait(30)

        want_no_more_hints(frontend.server, webhooks)
    assert len(receive(round_, frontend.poll(round_), now=now()).accepted) == 1


def test_a_personal_token_works_too(address, kim):
    with Server(address, kim.personal_token()) as server:
        assert server.check().startswith("1.")
        assert server.users()["r01@example.org"] == kim.number


def test_the_server_checks_what_the_adapter_relies_on(address):
    """The server refuses a wrong token, and takes a configuration with every kind of scale."""
    with httpx.Client(base_url=address, headers={"Authorization": "Token no"}) as client:
        assert client.get("/api/users/").status_code == 401
    with Server(address, TOKEN) as server:
        for scale in (
            {"kind": "binary"},
            {"kind": "nominal", "categories": ["fine", "<bad> & $5"]},
            {"kind": "interval", "low": 0, "high": 100},
        ):
            rubric = _rubric(scale)
            body = {"label_config": labelling_config(rubric, ["meaning"], language="zh")}
            server.request("POST", "/api/projects/validate/", body=body)


def _rubric(scale):
    dimension = {"name": "meaning", "title": "Meaning", "description": "Right?"}
    return Rubric.model_validate({"purpose": "Judge", "scale": scale, "dimensions": [dimension]})


def test_a_rater_rates_by_keyboard_in_a_browser_that_asks_nobody_else(
    frontend, round_, projects, store, address, lee
):
    hosts = set()
    with browsing(address, lee, hosts) as page:
        page.goto(f"{address}/projects/{projects[1]}/data?labeling=1")
        page.get_by_text("모두 평가해 주십시오").wait_for(timeout=60_000)
        page.keyboard.press("Escape")
        rate_incompletely_then_fully(page)
        page.get_by_text("output 4").first.wait_for()
        page.get_by_text("페이지를 읽을 수 없음").click()
        page.get_by_test_id(SUBMIT).click()
        page.get_by_text("output 1").first.wait_for()

    sent = list(frontend.poll(round_))
    found = receive(round_, frontend.poll(round_), now=now())

    assert hosts - {""} == {address.removeprefix("http://")}
    assert (len(found.accepted), found.refused) == (2, ())
    assert [(one.values, one.flags) for one in sent] == [
        ({"meaning": 4.0, "layout": 3.0}, {}),
        ({}, dict.fromkeys(DIMENSIONS, "unreadable")),
    ]
    with reading(store.engine) as connection:
        assert read_comment(connection, sent[0].assignment) == "<b>흐림</b>"


def rate_incompletely_then_fully(page):
    """Hand in one dimension, be told of the other, and hand in both with a comment."""
    page.get_by_text('<script>alert("x")</script>').first.wait_for()
    page.keyboard.press("4")
    page.get_by_test_id(SUBMIT).click()
    page.get_by_text("등급을 선택해 주십시오: 레이아웃").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    page.locator("textarea").first.fill("<b>흐림</b>")
    page.get_by_test_id(SUBMIT).click()


@contextmanager
def browsing(address, person, hosts):
    """Yield a page of a browser in which somebody has signed in; note whom it asks."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium-headless-shell",
            args=["--no-sandbox"] if os.geteuid() == 0 else [],
        )
        page = browser.new_page(viewport={"width": 1300, "height": 1700})
        page.on("request", lambda one: hosts.add(urlsplit(one.url).netloc))
        page.on("dialog", lambda one: hosts.add(f"a script ran: {one.message}"))
        page.goto(f"{address}/user/login/")
        page.fill("input[name=email]", person.email)
        page.fill("input[name=password]", PASSWORD)
        page.click("button[type=submit]")
        page.wait_for_url(lambda found: "login" not in found)
        yield page
        browser.close()
