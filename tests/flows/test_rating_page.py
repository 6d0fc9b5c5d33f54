"""A whole evaluation by people at the rating page: from its opening to a report, by event."""

import csv
import html
import re
import threading
import zlib
from contextlib import suppress

import pytest
import yaml

from ocrjury.cli import main
from ocrjury.errors import MissingDependencyError
from ocrjury.store.audit import list_audit
from ocrjury.store.moves import list_moves
from ocrjury.store.reports import list_reports
from ocrjury.store.workspace import open_store
from tests.flows.conftest import EXAMPLE
from tests.frontends.web.conftest import Client

pytestmark = pytest.mark.prefect

NAME = "page-claims-2026w47"
DIMENSIONS = ("meaning", "layout", "readability")
AT_BROWSERS = ("P01", "P02")
RATERS = """pseudonym,name,email,role,languages,capacity
P01,A,,rater,en;ko,5
P02,B,,rater,ko,5
P03,C,,rater,ko,
P04,D,,rater,ko,
"""


@pytest.fixture(scope="module")
def page_campaign(tmp_path_factory):
    """As few items as a verdict needs, for raters at the page."""
    campaign = yaml.safe_load((EXAMPLE / "campaign.yaml").read_text(encoding="utf-8"))
    campaign.pop("simulation")
    campaign.pop("schedule")
    campaign |= {"name": "page-claims", "rubric": str(EXAMPLE / campaign["rubric"])}
    campaign["pool"] |= {"path": str(EXAMPLE / campaign["pool"]["path"]), "images": str(EXAMPLE)}
    campaign["raters"] |= {"file": "raters.csv", "gold_every": 50}
    campaign["sampling"]["n"] = 50
    campaign["rounds"]["frontend"] = "web"
    campaign["adaptive"] = {"max_rounds": 0}
    campaign["report"]["worst_items"] = 1
    folder = tmp_path_factory.mktemp("page")
    (folder / "raters.csv").write_text(RATERS, encoding="utf-8")
    path = folder / "campaign.yaml"
    path.write_text(yaml.safe_dump(campaign, allow_unicode=True), encoding="utf-8")
    return path


def levels_of(page):
    """Return the levels that everybody gives to what a page shows: raters who agree."""
    texts = re.findall(r'<div class="text".*?>(.*?)</div>', page, re.DOTALL)
    read = html.unescape(re.sub(r"<[^>]*>", "", "|".join(texts)))
    return {name: 1 + zlib.crc32(f"{name}{read}".encode()) % 5 for name in DIMENSIONS}


def rate_without_browser(page_server, code, wrong):
    client = Client(page_server)
    client.enter(code)
    while (opened := client.open())[0] is not None:
        visit, rev, rubric, page = opened
        answer = client.ask(
            "POST",
            f"/api/ratings/{visit}",
            {
                "event_id": f"event-{visit}",
                "base": rev,
                "rubric_hash": rubric,
                "values": levels_of(page),
            },
        )
        if answer.status != 200:
            wrong.append(answer.text)
            return


def rate_by_keyboard(page):
    """Rate everything that a browser shows; return how many items."""
    number = 0
    while visit := page.locator("body").get_attribute("data-visit"):
        for level in levels_of(page.content()).values():
            page.keyboard.press(str(level))
        page.keyboard.press("Enter")
        page.wait_for_function("visit => document.body.dataset.visit !== visit", arg=visit)
        number += 1
    return number


def rate_in_browsers(browser, page_server, codes):
    """Let raters work in a browser each, one after the other; return how many items each had."""
    numbers = []
    for code in codes:
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(f"{page_server.address}/enter#{code}")
        page.wait_for_url("**/rate")
        numbers.append(rate_by_keyboard(page))
        context.close()
    return numbers


def links(tmp_path):
    """Return the code of everybody's link, made as a lead makes them."""
    path = tmp_path / "links.csv"
    assert main(["raters", "invite", NAME, "--out", str(path)]) == 0
    with path.open(encoding="utf-8", newline="") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    return {row[0]: row[-1].rpartition("#")[2] for row in rows}


@pytest.fixture
def advances(server):
    """Return a function that lists the runs of `advance` for this evaluation; none stays behind."""

    def runs():
        return [
            run for run in server.runs_of("advance") if run["parameters"].get("evaluation") == NAME
        ]

    def forgotten():  # a busy server's SQLite says now and then that it is locked
        for run in runs():
            with suppress(MissingDependencyError):
                server._call("DELETE", f"/flow_runs/{run['id']}")
        return not runs()

    yield runs
    server.wait_for(forgotten, seconds=120)


def test_an_evaluation_rated_at_the_page_ends_in_a_report_by_event(
    server, browser, advances, page_campaign, tmp_path, monkeypatch
):
    home, wrong = server.installation.home, []
    monkeypatch.setenv("OCRJURY_HOME", str(home))
    monkeypatch.setenv("PREFECT_API_URL", server.address)
    monkeypatch.setenv("PREFECT_API_AUTH_STRING", server.key)
    parameters = {"campaign": str(page_campaign), "period": "2026w47"}
    opened = server.start("open-evaluation/open", parameters)
    waiting = server.wait_for_end(opened.flow_run)
    assert waiting["state_name"] == "WaitingForRatings", waiting["state"]["message"]
    codes, page_server = links(tmp_path), server.rating_page()

    others = [
        threading.Thread(target=rate_without_browser, args=(page_server, code, wrong))
        for rater, code in codes.items()
        if rater not in AT_BROWSERS
    ]
    for thread in others:
        thread.start()
    numbers = rate_in_browsers(browser, page_server, [codes[rater] for rater in AT_BROWSERS])
    for thread in others:
        thread.join(60)
    assert (wrong, numbers) == ([], [5, 5])
    [run] = server.wait_for(advances, seconds=120)
    end = server.wait_for_end(run["id"], seconds=180)

    assert run["parameters"] == {"evaluation": NAME, "reason": "event"}
    assert end["state_name"] == "Closed", end["state"]["message"]
    with open_store(home=home) as store:
        kinds = [report.kind for report in list_reports(store.engine, NAME)]
        moves = [move.to_state for move in list_moves(store.engine, NAME)]
        rated = [row.actor for row in list_audit(store.engine) if row.action == "rate"]
    assert kinds == ["final"]
    assert moves[-3:] == ["estimated", "reported", "closed"]
    assert len(rated) == 100
    assert set(rated) == set(codes)
