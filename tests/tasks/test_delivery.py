"""The PDF reaches a real mail server, each recipient once."""

import email
import hashlib
import html
import json
import logging
import re
from collections import Counter
from email.policy import default

import pytest

import ocrjury.flows.advance_evaluation as advance
from ocrjury.delivery import report_delivery, webhooks
from ocrjury.evaluation.case import at_work
from ocrjury.report import write_pdf
from ocrjury.store.links import list_links, secret_hash
from ocrjury.store.reports import list_deliveries, list_reports
from ocrjury.store.sendings import UNKNOWN
from ocrjury.tasks import report as report_task
from tests.forks import at_once
from tests.mailbox import open_mailbox
from tests.tasks.conftest import QUICK, write_sketch
from tests.tasks.deliverer import deliver
from tests.webhook_server import SECRET, open_webhook


@pytest.fixture
def mailbox():
    with open_mailbox() as box:
        yield box


@pytest.fixture
def reported(small, mailbox, monkeypatch):
    """Write and open a small campaign whose report is mailed to some people."""
    monkeypatch.setattr(report_task, "write_pdf", write_sketch)

    def open_(*people, **more):
        sections = mail(mailbox.port, *people)
        sections["report"] |= more
        return small.write(**QUICK, **sections, sampling={"n": 20}).open()

    return open_


def mail(port, *recipients):
    server = {"host": "127.0.0.1", "port": port, "sender": "ocr@example.org", "starttls": False}
    return {"report": {"recipients": list(recipients), "mail": server, "worst_items": 1}}


def test_every_recipient_gets_the_pdf_once(small, stored_pages, reported, mailbox, monkeypatch):
    monkeypatch.setattr(report_task, "write_pdf", write_pdf)
    people = ["lead@example.org", "boss@example.org", "Lead@Example.org"]  # two of one
    assert reported(*people).name == "Closed"
    small.advance()

    assert sorted(to for one in mailbox.envelopes for to in one.rcpt_tos) == [
        "boss@example.org",
        "lead@example.org",
    ]
    report = small.stored(list_reports)[-1]
    for envelope in mailbox.envelopes:
        letter = email.message_from_bytes(envelope.content, policy=default)
        (attachment,) = letter.iter_attachments()
        pdf = attachment.get_content()
        assert hashlib.sha256(pdf).hexdigest() == report.sha256
        assert pdf.startswith(b"%PDF")
        assert letter["Subject"].startswith("[SIMULATED] ")


def test_a_refused_recipient_waits_and_is_given_up_after_five_attempts(small, reported, mailbox):
    assert reported("lead@example.org", "nobody@example.org").name == "WaitingForDelivery"
    assert small.advance().name == "WaitingForDelivery"  # and no second attempt at once

    ends = [small.at(day).advance().name for day in (21, 22, 23, 24)]

    assert ends == ["WaitingForDelivery"] * 3 + ["Closed"]
    states = [(d.recipient, d.attempt, d.state) for d in small.stored(list_deliveries)]
    assert states.count(("lead@example.org", 1, "sent")) == 1
    assert ("nobody@example.org", 5, "given_up") in states
    assert len(mailbox.envelopes) == 1


def test_an_address_in_two_spellings_gets_the_report_once_and_nobody_waits_for_it(
    small, reported, mailbox
):
    people = ["Lead@example.org", "lead@example.org", "nobody@example.org", "Nobody@example.org"]
    assert reported(*people).name == "WaitingForDelivery"

    ends = [small.at(day).advance().name for day in (21, 22, 23, 24)]

    assert ends == ["WaitingForDelivery"] * 3 + ["Closed"]
    assert len(mailbox.envelopes) == 1
    states = Counter(one.state for one in small.stored(list_deliveries))
    assert states == {"sent": 1, "failed": 4, "given_up": 1}


def test_a_report_whose_file_is_gone_is_given_up_in_words(small, reported):
    assert reported("nobody@example.org").name == "WaitingForDelivery"
    with at_work() as work:
        work.store.files.path(small.stored(list_reports)[-1].pdf_uri).unlink()

    ends = [small.at(day).advance().name for day in (21, 22, 23, 24, 25)]

    assert ends == ["WaitingForDelivery"] * 4 + ["Closed"]
    last = small.stored(list_deliveries)[-1]
    assert last.state == "given_up"
    assert re.search(r"\.pdf cannot be read: No such file or directory", last.detail)


def test_what_the_gate_withholds_is_in_no_manifest(small, monkeypatch):
    folder = small.path.parent / "reports" / "small"
    noise = {"simulation": {"default": {"noise": 3.0, "careless": 0.9}}}
    report = {"report": {"publish": {"to": "reports"}, "worst_items": 1}}
    small.write(**QUICK, **report, **noise, sampling={"n": 60})

    assert small.open().name == "Closed"

    latest = json.loads((folder / "latest.json").read_text("utf-8"))
    cover = json.loads((folder / latest["manifest"]).read_text("utf-8"))["cover"]
    assert (cover["verdict"], cover["headline"]) == ("FAIL", None)
    assert cover["withheld"] == "No result is shown while the raters’ agreement is in doubt."
    assert not re.search(r"\d\.\d\d", cover["sentence"] + cover["reason"])


def test_a_recipient_gets_only_the_reports_that_they_asked_for(small, mailbox, monkeypatch):
    monkeypatch.setattr(report_task, "write_pdf", write_sketch)
    asked = {
        "a@example.org": ["PASS", "INCONCLUSIVE"],
        "b@example.org": ["FAIL"],
        "c@example.org": ["MET", "NOT MET", "NOT SHOWN"],
    }
    people = [{"address": name, "when": when} for name, when in asked.items()]
    people += ["d@example.org", {"address": "B@example.org", "when": ["NOT SHOWN"]}]
    sections = mail(mailbox.port)
    sections["report"] |= {"recipients": people, "target": {"dimension": "meaning", "mean": 5.0}}

    assert small.write(**QUICK, **sections, sampling={"n": 60}).open().name == "Closed"

    cover = small.stored(list_reports)[-1].cover
    assert (cover.verdict, cover.word) == ("PASS", "NOT MET")
    assert set(arrived(mailbox)) == {"a@example.org", "c@example.org", "d@example.org"}


def nobody_delivers(_):
    return False


@pytest.fixture
def told(small, monkeypatch):
    """A function that brings the report of an evaluation to a folder and a webhook."""
    monkeypatch.setattr(report_task, "write_pdf", write_sketch)
    hook = {"name": "team", "url_env": "TEAM_URL"}
    publish = {"to": "reports", "link": "https://reports.example.org"}
    sections = {"report": {"webhooks": [hook], "publish": publish, "worst_items": 1}}
    with monkeypatch.context() as paused:  # before there is a server, beside which none is copied
        paused.setattr(advance, "deliver_report", nobody_delivers)
        opened = small.write(**QUICK, **sections, sampling={"n": 20}).open()
        assert opened.name == "WaitingForDelivery"

    def deliver_to(server, *, blocked=False):
        monkeypatch.setenv("TEAM_URL", server.address)
        monkeypatch.setenv("OCRJURY_RATING_URL", "https://rate.example.org")
        if blocked:
            (small.path.parent / "reports").write_text("a file in place of the folder", "utf-8")
        return small.advance()

    return deliver_to


def attempts(small):
    """What the ledger says of webhooks; nothing in the store holds the secret."""
    with at_work() as work:
        for file in work.store.files.folder.parent.rglob("ocrjury.db*"):
            assert not any(part.encode() in file.read_bytes() for part in SECRET.split("/"))
    lines = [line for line in small.stored(list_deliveries) if line.what == "webhook"]
    return [(line.recipient, line.attempt, line.state) for line in lines]


def test_the_report_is_published_beside_the_campaign_and_a_webhook_told_where(
    small, stored_pages, told, caplog
):
    caplog.set_level(logging.DEBUG)
    with open_webhook() as server:
        assert told(server).name == "Closed"
        small.advance()

    report, folder = small.stored(list_reports)[-1], small.path.parent / "reports" / "small"
    latest = json.loads((folder / "latest.json").read_text("utf-8"))
    manifest = json.loads((folder / latest["manifest"]).read_text("utf-8"))
    assert manifest["cover"] == report.cover.to_json()
    assert manifest["cover"]["simulated"]
    hashes = {file["name"]: file["sha256"] for file in manifest["files"]}
    assert hashes["report.pdf"] == report.sha256
    page = (folder / small.evaluation / "v1" / "report.html").read_text("utf-8")
    assert html.escape(report.cover.sentence) in page
    ((_, message),) = server.posts
    where = f"https://reports.example.org/small/{small.evaluation}/v1"
    assert (message["link"], message["published"]) == (f"{where}/report.html", where)
    assert (message["verdict"], message["sentence"]) == (
        report.cover.verdict,
        report.cover.sentence,
    )
    lines = [(line.what, line.recipient, line.state) for line in small.stored(list_deliveries)]
    assert sorted(lines) == [("publication", "reports", "sent"), ("webhook", "team", "sent")]
    assert attempts(small) == [("team", 1, "sent")]
    assert not any(part in caplog.text for part in SECRET.split("/"))


def test_a_folder_that_cannot_be_used_is_given_up_and_the_link_is_that_of_the_desk(small, told):
    with open_webhook() as server:
        assert told(server, blocked=True).name == "WaitingForDelivery"
        ends = [small.at(day).advance().name for day in (21, 22, 23, 24)]

    assert ends == ["WaitingForDelivery"] * 3 + ["Closed"]
    last = small.stored(list_deliveries)[-1]
    assert (last.what, last.state) == ("publication", "given_up")
    assert re.search(r"/reports cannot be used: .*(File exists|Not a directory)", last.detail)
    ((_, message),) = server.posts
    assert (message["link"], message["published"]) == (
        f"https://rate.example.org/desk/{small.evaluation}",
        None,
    )


@pytest.mark.usefixtures("database")
def test_a_webhook_that_is_down_is_tried_by_later_runs(small, told):
    with open_webhook(503, 500, 200) as server:
        assert told(server).name == "WaitingForDelivery"
        assert small.advance().name == "WaitingForDelivery"  # and no second attempt at once
        ends = [small.at(day).advance().name for day in (21, 22)]

    assert ends == ["WaitingForDelivery", "Closed"]
    assert attempts(small) == [("team", 1, "failed"), ("team", 2, "failed"), ("team", 3, "sent")]
    assert len({header["Idempotency-Key"] for header in server.headers}) == 1


def test_a_webhook_that_refuses_is_given_up_at_once_in_words(small, told):
    with open_webhook(404) as server:
        assert told(server).name == "Closed"

    assert attempts(small) == [("team", 1, "given_up")]
    (line,) = (line for line in small.stored(list_deliveries) if line.what == "webhook")
    assert "'team' answered 404 (Not Found)" in line.detail


class Killed(BaseException):
    """The process is gone."""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_what_a_run_that_was_killed_may_have_posted_is_posted_again_under_the_same_id(
    small, told, monkeypatch, moment
):
    def die(*arguments, **options):
        if moment == "after":
            webhooks.post(*arguments, **options)
        raise Killed

    with open_webhook() as server:
        with monkeypatch.context() as dying, pytest.raises(Killed):
            dying.setattr(report_delivery, "post", die)
            told(server)
        at_once_again = small.advance().name
        later = small.at(21).advance().name

    assert (at_once_again, later) == ("WaitingForDelivery", "Closed")
    assert len(server.posts) == 1 + (moment == "after")
    assert len({header["Idempotency-Key"] for header in server.headers}) == 1
    assert attempts(small) == [("team", 1, "failed"), ("team", 2, "sent")]
    lines = [line for line in small.stored(list_deliveries) if line.what == "webhook"]
    assert [line.detail for line in lines] == [UNKNOWN, None]


def arrived(mailbox):
    return Counter(to for envelope in mailbox.envelopes for to in envelope.rcpt_tos)


def test_two_processes_bring_the_report_to_everybody_once(
    small, reported, mailbox, monkeypatch, database_url
):
    monkeypatch.setenv("OCRJURY_DATABASE_URL", database_url)
    people = [f"p{number}@example.org" for number in range(6)]
    hook = {"name": "team", "url_env": "TEAM_URL"}
    with monkeypatch.context() as paused:
        paused.setattr(advance, "deliver_report", lambda _: False)
        reported(*people, webhooks=[hook], publish={"to": "reports"})
    assert mailbox.envelopes == []
    mailbox.seconds = 0.05

    with open_webhook() as server:
        monkeypatch.setenv("TEAM_URL", server.address)
        answers = at_once(deliver, "report", small.evaluation, count=2)

    assert len(server.posts) == 1
    assert arrived(mailbox) == dict.fromkeys(people, 1)
    assert {one.state for one in small.stored(list_deliveries)} == {"sent"}
    assert True in answers
    assert small.advance().name == "Closed"
    assert len(mailbox.envelopes) == len(people)


def test_two_processes_invite_every_rater_once(small, mailbox, monkeypatch, database_url):
    monkeypatch.setenv("OCRJURY_DATABASE_URL", database_url)
    monkeypatch.setenv("OCRJURY_RATING_URL", "https://rate.example.org")
    people = [f"r{number}@example.org" for number in range(1, 7)]
    small.columns = "pseudonym,role,email,languages"
    small.people = [f"R0{number},rater,r{number}@example.org,en" for number in range(1, 7)]
    with monkeypatch.context() as paused:
        paused.setattr(advance, "hand_out", lambda _: None)
        server = mail(mailbox.port)
        small.write(rounds={"frontend": "web"}, **server).open()
    mailbox.seconds = 0.05

    at_once(deliver, "round", small.evaluation, count=2)

    assert arrived(mailbox) == dict.fromkeys(people, 1)
    links = {one.token_hash for one in small.stored(list_links) if one.revoked_at is None}
    letters = [
        email.message_from_bytes(envelope.content, policy=default) for envelope in mailbox.envelopes
    ]
    codes = [letter.get_content().partition("#")[2].split()[0] for letter in letters]
    assert {secret_hash(code) for code in codes} == links
