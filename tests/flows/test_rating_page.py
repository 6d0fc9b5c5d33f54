"""A whole evaluation by people at the rating page: from its schedule to the mail with the PDF."""

import csv
import html
import re
import threading
import zlib
from contextlib import suppress
from datetime import datetime
from email import message_from_bytes
from email.policy import default

import pytest

from ocrjury.campaign.config import read_campaign
from ocrjury.campaign.period import period_name
from ocrjury.cli import main
from ocrjury.errors import MissingDependencyError
from ocrjury.store.audit import list_audit
from ocrjury.store.moves import list_moves
from ocrjury.store.reports import list_reports
from tests.flows.conftest import remove_schedules
from tests.frontends.web.conftest import Client
from tests.whole_pages import press, wait_until

pytestmark = pytest.mark.prefect

DIMENSIONS = ("meaning", "layout", "readability")
AT_BROWSERS = ("P01", "P02")


def levels_of(page):
    """The levels that everybody gives to what a page shows: raters who agree."""
    texts = re.findall(r'<div class="text[ "].*?>(.*?)</div>', page, re.DOTALL)
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
                "told": [*DIMENSIONS],
            },
        )
        if answer.status != 200:
            wrong.append(answer.text)
            return


def rate_by_keyboard(page):
    """Rate everything that a browser shows; return how many items."""
    number = 0
    while visit := page.locator("body").get_attribute("data-visit"):
        press(page, *map(str, levels_of(page.content()).values()), "Enter")
        if page.locator("#problem").is_visible():  # a rule that is broken is asked about once
            press(page, "Enter")
        wait_until(page, "visit => document.body.dataset.visit !== visit", visit)
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


@pytest.fixture
def opened(server, deployed):
    """The run that a schedule started, when it has ended; no other comes."""

    def started():
        final = ("CANCELLED", "COMPLETED", "FAILED", "CRASHED")
        return [run for run in server.runs_of("open-page-claims") if run["state_type"] in final]

    run = server.wait_for(started, seconds=180)[-1]
    remove_schedules(server, "open-page-claims")
    assert run["auto_scheduled"]
    return run


def name_of(run, campaign):
    """The name of the evaluation that a scheduled run opened."""
    at = datetime.fromisoformat(run["expected_start_time"])
    return f"page-claims-{period_name(at, read_campaign(campaign).time_zone)}"


def links(name, tmp_path):
    """The code of everybody's link, made as a lead makes them."""
    path = tmp_path / "links.csv"
    assert main(["raters", "invite", name, "--out", str(path)]) == 0
    with path.open(encoding="utf-8", newline="") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    return {row[0]: row[-1].rpartition("#")[2] for row in rows}


@pytest.fixture
def advances(server, opened, page_campaign):
    """A function that lists the runs of `advance` for this evaluation; none stays behind."""
    name = name_of(opened, page_campaign)

    def runs():
        return [
            run
            for run in server.runs_of("advance-round")
            if run["parameters"].get("evaluation") == name
        ]

    def forgotten():  # a busy server's SQLite says now and then that it is locked
        for run in runs():
            with suppress(MissingDependencyError):
                server._call("DELETE", f"/flow_runs/{run['id']}")
        return not runs()

    yield runs
    server.wait_for(forgotten, seconds=120)


def mails_to(mailbox, recipient):
    """The emails that one recipient got."""
    return [
        message_from_bytes(envelope.content, policy=default)
        for envelope in mailbox.envelopes
        if envelope.rcpt_tos == [recipient]
    ]


def text_of(mail):
    """The text of a mail."""
    return mail.get_body(("plain",)).get_content().replace("\r\n", "\n")


def assert_that_it_brings(mail, report, pdf, name):
    """See that a mail tells the outcome as the report's cover does, and has the report itself."""
    cover = report.cover
    assert cover.verdict == "PASS"
    assert cover.sentence.startswith(f"Target {cover.word.lower()}: ")
    assert f"\n{cover.sentence}\n{cover.reason}\n" in text_of(mail)
    [attached] = [part for part in mail.walk() if part.get_content_type() == "application/pdf"]
    assert attached.get_content() == pdf
    assert attached.get_filename().endswith(f"{name}.pdf")


def test_a_schedule_opens_people_rate_and_the_lead_gets_the_report_by_mail(
    server, browser, opened, advances, page_campaign, mailbox, tmp_path, monkeypatch
):
    server.serve_commands(monkeypatch)
    name, wrong = name_of(opened, page_campaign), []
    assert opened["state_name"] == "WaitingForRatings", opened["state"]["message"]
    codes, page_server = links(name, tmp_path), server.rating_page()

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

    assert run["parameters"] == {"evaluation": name, "reason": "event"}
    assert end["state_name"] == "Closed", end["state"]["message"]
    with server.open_store() as store:
        [report] = list_reports(store.engine, name)
        moves = [move.to_state for move in list_moves(store.engine, name)]
        rated = [
            row.actor for row in list_audit(store.engine, evaluation=name) if row.action == "rate"
        ]
        pdf = store.files.path(report.pdf_uri).read_bytes()
    assert report.kind == "final"
    assert moves[-3:] == ["estimated", "reported", "closed"]
    assert len(rated) == 100
    assert set(rated) == set(codes)
    server.wait_for(lambda: mails_to(mailbox, "chief@example.org"), seconds=60)
    [to_recipient], [to_lead] = (
        mails_to(mailbox, f"{who}@example.org") for who in ("lead", "chief")
    )
    assert_that_it_brings(to_recipient, report, pdf, name)
    assert to_lead["Subject"].endswith(f": {name} is reported")
    assert f"ocrjury evaluation show {name}" in text_of(to_lead)
