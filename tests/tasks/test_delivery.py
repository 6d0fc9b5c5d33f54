"""The PDF reaches a real mail server, each recipient once."""

import email
import hashlib
from email.policy import default

import pytest

from ocrjury.store.reports import list_deliveries, list_reports
from tests.mailbox import open_mailbox


@pytest.fixture
def mailbox():
    with open_mailbox() as box:
        yield box


def mail(port, *recipients):
    server = {"host": "127.0.0.1", "port": port, "sender": "ocr@example.org", "starttls": False}
    return {"report": {"recipients": list(recipients), "mail": server, "worst_items": 1}}


def test_every_recipient_gets_the_pdf_once(chain, mailbox):
    end = chain.write(**mail(mailbox.port, "lead@example.org", "boss@example.org")).open()
    assert end.name == "Closed"
    chain.advance()

    assert sorted(to for one in mailbox.envelopes for to in one.rcpt_tos) == [
        "boss@example.org",
        "lead@example.org",
    ]
    report = chain.stored(list_reports)[-1]
    for envelope in mailbox.envelopes:
        letter = email.message_from_bytes(envelope.content, policy=default)
        (attachment,) = letter.iter_attachments()
        pdf = attachment.get_content()
        assert hashlib.sha256(pdf).hexdigest() == report.sha256
        assert pdf.startswith(b"%PDF")
        assert letter["Subject"].startswith("[SIMULATED] ")


def test_a_refused_recipient_waits_and_is_given_up_after_five_attempts(chain, mailbox):
    end = chain.write(**mail(mailbox.port, "lead@example.org", "nobody@example.org")).open()
    assert end.name == "WaitingForDelivery"

    ends = [chain.advance().name for _ in range(4)]

    assert ends == ["WaitingForDelivery"] * 3 + ["Closed"]
    states = [(d.recipient, d.attempt, d.state) for d in chain.stored(list_deliveries)]
    assert states.count(("lead@example.org", 1, "sent")) == 1
    assert ("nobody@example.org", 5, "given_up") in states
    assert len(mailbox.envelopes) == 1
