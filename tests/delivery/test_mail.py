import email
import hashlib
from dataclasses import replace
from datetime import UTC, datetime
from email import policy
from html import escape

import pytest

from ocrjury.delivery.mail import MailServer, hand_in, message_id
from ocrjury.delivery.report_mails import ReportText, compose_report
from tests.language.pseudo import pseudo, unsaid
from tests.mailbox import open_mailbox

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
TEXT = ReportText(
    evaluation="korean-claims-2026w47",
    title="보험 청구 서류",
    outcome="Not shown: mean 4.0 or better on Meaning",
    sentences=("The estimate is 4.12 & the range contains 4.0.",),
    simulated=True,
)


@pytest.fixture
def mailbox():
    with open_mailbox() as box:
        box.server = MailServer(
            host="127.0.0.1", port=box.port, sender="ocrjury@example.org", starttls=False
        )
        yield box


@pytest.fixture
def pdf(tmp_path):
    path = tmp_path / "report.pdf"
    path.write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 40)
    return path


def send(pdf, *people, server):
    body = pdf.read_bytes()
    emails = [compose_report(body, person, server=server, text=TEXT, now=NOW) for person in people]
    return [hand_in(each, server, sha256=hashlib.sha256(body).hexdigest()) for each in emails]


def test_a_campaign_without_a_title_stands_once_in_the_name_of_the_file():
    text = replace(TEXT, title="korean-claims", evaluation="korean-claims-2026w47")

    assert text.attachment == "korean-claims-2026w47.pdf"


def test_the_pdf_arrives_whole_with_its_korean_name(mailbox, pdf):
    sent = send(pdf, "kim@example.org", server=mailbox.server)

    message = email.message_from_bytes(mailbox.envelopes[0].content, policy=policy.default)
    attached = next(message.iter_attachments())
    assert attached.get_content() == pdf.read_bytes()
    assert attached.get_filename() == "보험 청구 서류 korean-claims-2026w47.pdf"
    assert message["Subject"].startswith("[SIMULATED] 보험 청구 서류: Not shown")
    assert "4.12 & the range" in message.get_body().get_content()
    assert sent[0].state == "sent"
    assert sent[0].message_id == message["Message-ID"]
    assert sent[0].sha256 == hashlib.sha256(pdf.read_bytes()).hexdigest()


def test_each_recipient_gets_one_message_and_one_failure_stops_no_other(mailbox, pdf):
    people = ["a@example.org", "nobody@example.org", "b@example.org"]

    sent = send(pdf, *people, server=mailbox.server)

    assert [(one.recipient, one.state) for one in sent] == [
        ("a@example.org", "sent"),
        ("nobody@example.org", "failed"),
        ("b@example.org", "sent"),
    ]
    assert "550 no such user" in sent[1].detail
    assert [envelope.rcpt_tos for envelope in mailbox.envelopes] == [
        ["a@example.org"],
        ["b@example.org"],
    ]


def test_a_server_that_does_not_answer_is_a_failure_and_no_exception(pdf):
    server = MailServer(host="127.0.0.1", port=9, sender="x@example.org")

    sent = send(pdf, "a@example.org", server=server)

    assert sent[0].state == "failed"
    assert "127.0.0.1:9 cannot be used" in sent[0].detail


def test_a_server_without_starttls_is_refused_when_starttls_is_asked_for(mailbox, pdf):
    server = MailServer(host="127.0.0.1", port=mailbox.server.port, sender="x@example.org")

    sent = send(pdf, "a@example.org", server=server)

    assert sent[0].state == "failed"
    assert "STARTTLS" in sent[0].detail
    assert mailbox.envelopes == []


def test_signing_in_where_nobody_can_is_a_failure(mailbox, pdf):
    server = MailServer(
        host="127.0.0.1",
        port=mailbox.server.port,
        sender="x@example.org",
        starttls=False,
        username="me",
        password="secret",
    )

    sent = send(pdf, "a@example.org", server=server)

    assert sent[0].state == "failed"
    assert "secret" not in repr(server) + sent[0].detail


def test_a_message_that_was_taken_is_sent_however_the_server_says_goodbye(pdf):
    with open_mailbox(goodbye="421 too busy") as box:
        server = MailServer(
            host="127.0.0.1", port=box.port, sender="ocrjury@example.org", starttls=False
        )
        sent = send(pdf, "kim@example.org", server=server)

    assert [(one.state, one.detail) for one in sent] == [("sent", None)]
    assert len(box.envelopes) == 1


@pytest.mark.parametrize(
    "change", [{"host": "mail..example.org"}, {"username": "kim", "password": "비밀번호"}]
)
def test_characters_that_smtp_cannot_send_are_a_failure_that_hides_the_password(pdf, change):
    with open_mailbox(sign_in=True) as box:
        options = {"host": "127.0.0.1", "sender": "ocrjury@example.org", "starttls": False}
        server = MailServer(**{**options, "port": box.port, **change})
        sent = send(pdf, "kim@example.org", server=server)

    assert sent[0].state == "failed"
    assert (
        "has characters that SMTP cannot send; see report.mail in campaign.yaml" in sent[0].detail
    )
    assert "비" not in sent[0].detail
    assert box.envelopes == []


def test_the_same_arguments_give_the_same_bytes():
    server = MailServer(host="h", sender="x@example.org")

    first, second = (
        compose_report(b"%PDF", "a@example.org", server=server, text=TEXT, now=NOW) for _ in "12"
    )

    assert bytes(first) == bytes(second)


def test_the_id_depends_on_evaluation_pdf_and_recipient_only():
    one = message_id("e", "5be1", "A@example.org ")

    assert one == message_id("e", "5be1", "a@example.org")
    assert len({one, message_id("f", "5be1", "a@example.org"), message_id("e", "0", "a@b.c")}) == 3


def test_a_title_cannot_add_headers():
    text = ReportText(evaluation="e", title="x\nBcc: spy@example.org", outcome="y")
    server = MailServer(host="h", sender="x@example.org")

    message = compose_report(b"%PDF", "a@example.org", server=server, text=text, now=NOW)

    assert message["Bcc"] is None
    assert "\n" not in text.attachment


def test_the_email_is_in_the_language_of_the_report():
    text = replace(TEXT, language="ko", title="R&D <서류>")
    server = MailServer(host="h", sender="x@example.org")

    message = compose_report(b"%PDF", "a@example.org", server=server, text=text, now=NOW)
    body = message.get_body().get_content()

    assert message["Subject"].startswith("[모의 평가] R&D <서류>: ")
    assert "사람이 평가한 항목은 없습니다." in body
    assert "보고서는 R&D 서류 korean-claims-2026w47.pdf 파일로 첨부되어 있습니다." in body


@pytest.mark.parametrize("simulated", [True, False])
def test_nothing_in_the_email_is_beyond_translation(simulated):
    server = MailServer(host="h", sender="x@example.org")
    with pseudo() as language:
        text = replace(TEXT, language=language, simulated=simulated, outcome="1", sentences=("2",))
        message = compose_report(b"%PDF", "a@example.org", server=server, text=text, now=NOW)

    assert unsaid(message["Subject"]) == []
    assert unsaid(escape(message.get_body().get_content())) == []
