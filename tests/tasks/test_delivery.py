"""The PDF reaches a real mail server, each recipient once."""

import email
import hashlib
import re
from collections import Counter
from email.policy import default
from pathlib import Path

import pytest

import ocrjury.flows.advance_evaluation as advance
from ocrjury.evaluation.case import at_work
from ocrjury.store.links import list_links, secret_hash
from ocrjury.store.reports import list_deliveries, list_reports
from tests.mailbox import open_mailbox
from tests.tasks.processes import at_once

DELIVERER = Path(__file__).with_name("deliverer.py")


@pytest.fixture
def mailbox():
    with open_mailbox() as box:
        yield box


def mail(port, *recipients):
    server = {"host": "127.0.0.1", "port": port, "sender": "ocr@example.org", "starttls": False}
    return {"report": {"recipients": list(recipients), "mail": server, "worst_items": 1}}


def test_every_recipient_gets_the_pdf_once(printed, mailbox):
    people = ["lead@example.org", "boss@example.org", "Lead@Example.org"]  # two of one
    end = printed.write(**mail(mailbox.port, *people)).open()
    assert end.name == "Closed"
    printed.advance()

    assert sorted(to for one in mailbox.envelopes for to in one.rcpt_tos) == [
        "boss@example.org",
        "lead@example.org",
    ]
    report = printed.stored(list_reports)[-1]
    for envelope in mailbox.envelopes:
        letter = email.message_from_bytes(envelope.content, policy=default)
        (attachment,) = letter.iter_attachments()
        pdf = attachment.get_content()
        assert hashlib.sha256(pdf).hexdigest() == report.sha256
        assert pdf.startswith(b"%PDF")
        assert letter["Subject"].startswith("[SIMULATED] ")


def test_a_refused_recipient_waits_and_is_given_up_after_five_attempts(chain, mailbox):
    people = ["lead@example.org", "nobody@example.org"]
    end = chain.at(20).write(**mail(mailbox.port, *people)).open()
    assert end.name == "WaitingForDelivery"
    assert chain.advance().name == "WaitingForDelivery"  # and no second attempt at once

    ends = [chain.at(day).advance().name for day in (21, 22, 23, 24)]

    assert ends == ["WaitingForDelivery"] * 3 + ["Closed"]
    states = [(d.recipient, d.attempt, d.state) for d in chain.stored(list_deliveries)]
    assert states.count(("lead@example.org", 1, "sent")) == 1
    assert ("nobody@example.org", 5, "given_up") in states
    assert len(mailbox.envelopes) == 1


def test_an_address_in_two_spellings_gets_the_report_once_and_nobody_waits_for_it(chain, mailbox):
    people = ["Lead@example.org", "lead@example.org", "nobody@example.org", "Nobody@example.org"]
    end = chain.at(20).write(**mail(mailbox.port, *people)).open()
    assert end.name == "WaitingForDelivery"

    ends = [chain.at(day).advance().name for day in (21, 22, 23, 24)]

    assert ends == ["WaitingForDelivery"] * 3 + ["Closed"]
    assert len(mailbox.envelopes) == 1
    states = Counter(one.state for one in chain.stored(list_deliveries))
    assert states == {"sent": 1, "failed": 4, "given_up": 1}


def test_a_report_whose_file_is_gone_is_given_up_in_words(chain, mailbox):
    people = mail(mailbox.port, "nobody@example.org")
    assert chain.at(20).write(**people).open().name == "WaitingForDelivery"
    with at_work() as work:
        work.store.files.path(chain.stored(list_reports)[-1].pdf_uri).unlink()

    ends = [chain.at(day).advance().name for day in (21, 22, 23, 24, 25)]

    assert ends == ["WaitingForDelivery"] * 4 + ["Closed"]
    last = chain.stored(list_deliveries)[-1]
    assert last.state == "given_up"
    assert re.search(r"\.pdf cannot be read: No such file or directory", last.detail)


def arrived(mailbox):
    return Counter(to for one in mailbox.envelopes for to in one.rcpt_tos)


def test_two_processes_bring_the_report_to_everybody_once(
    chain, mailbox, monkeypatch, database_url
):
    monkeypatch.setenv("OCRJURY_DATABASE_URL", database_url)
    people = [f"p{number}@example.org" for number in range(6)]
    with monkeypatch.context() as paused:
        paused.setattr(advance, "deliver_report", lambda _: False)
        chain.write(**mail(mailbox.port, *people)).open()
    assert mailbox.envelopes == []
    mailbox.seconds = 0.05

    said = at_once(DELIVERER, "report", chain.evaluation, count=2)

    assert arrived(mailbox) == dict.fromkeys(people, 1)
    assert {one.state for one in chain.stored(list_deliveries)} == {"sent"}
    assert "True" in said
    assert chain.advance().name == "Closed"
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

    at_once(DELIVERER, "round", small.evaluation, count=2)

    assert arrived(mailbox) == dict.fromkeys(people, 1)
    links = {one.token_hash for one in small.stored(list_links) if one.revoked_at is None}
    letters = [email.message_from_bytes(one.content, policy=default) for one in mailbox.envelopes]
    codes = [one.get_content().partition("#")[2].split()[0] for one in letters]
    assert {secret_hash(code) for code in codes} == links
