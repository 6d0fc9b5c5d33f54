"""A lead is told once that an evaluation is held, late, failed or reported."""

import email
from datetime import timedelta
from email.policy import default

import pytest

import ocrjury.flows.advance_evaluation as advance
from ocrjury.campaign.settings import Settings
from ocrjury.delivery import notices
from ocrjury.delivery.notices import Notice, is_told, make_notice, tell
from ocrjury.errors import OcrjuryError
from ocrjury.evaluation.case import at_work
from ocrjury.store.reports import list_deliveries
from tests.conftest import NOW
from tests.mailbox import open_mailbox
from tests.webhook_server import open_webhook

LATER = timedelta(minutes=6)


@pytest.fixture
def mailbox():
    with open_mailbox() as box:
        yield box


@pytest.fixture
def hook(monkeypatch):
    with open_webhook() as receiver:
        monkeypatch.setenv("HOOK_URL", receiver.address)
        yield receiver


def report(mailbox, **more):
    server = {"host": "127.0.0.1", "port": mailbox.port, "sender": "o@example.org"}
    hooks = [{"name": "team", "kind": "json", "url_env": "HOOK_URL"}]
    mail = {**server, "starttls": False}
    return {"report": {"mail": mail, "webhooks": hooks, "worst_items": 1, **more}}


def told(mailbox):
    """Receiver, subject and text of every email."""
    letters = []
    for envelope in mailbox.envelopes:
        letter = email.message_from_bytes(envelope.content, policy=default)
        body = letter.get_body(("plain",)).get_content()
        letters.append((envelope.rcpt_tos[0], letter["Subject"], body))
    return letters


def test_a_hold_is_told_once_with_its_reason_and_a_second_hold_again(small, mailbox, hook):
    small.people = ["R01,rater", "A01,adjudicator"]
    people = ["lead@example.org", {"address": "boss@example.org", "when": ["FAIL"]}]
    held = small.write(**report(mailbox, recipients=people)).open()
    small.advance()

    assert held.name == "Held"
    [(to, subject, body)] = told(mailbox)
    assert to == "lead@example.org"
    assert subject == "[SIMULATED] small: small-p is held and waits for a decision"
    assert "raters.csv has 1 of that role" in body
    assert "ocrjury evaluation show small-p" in body
    assert [body["event"] for _, body in hook.posts] == ["held"]
    small.decide("retry")
    assert len(told(mailbox)) == 2
    assert len(hook.posts) == 2


def test_a_hold_of_a_run_that_was_killed_before_it_told_anybody_is_told_by_the_next_sweep(
    small, mailbox, hook, monkeypatch
):
    class Killed(BaseException):
        """The process is gone."""

    def die(*_):
        raise Killed

    small.people = ["R01,rater", "A01,adjudicator"]
    with monkeypatch.context() as dying, pytest.raises(Killed):
        dying.setattr(advance, "tell_lead", die)
        small.write(**report(mailbox, recipients=["lead@example.org"])).open()
    small.evaluation = "small-p"
    ends = [advance.sweep().name for _ in range(2)]
    small.at(22)
    advance.sweep()

    assert ends == ["Swept", "Swept"]
    assert [to for to, _, _ in told(mailbox)] == ["lead@example.org"]
    assert len(hook.posts) == 1


@pytest.mark.usefixtures("database")
def test_a_late_round_is_told_and_what_was_not_taken_is_sent_again_by_sweeps(small, mailbox, hook):
    small.people = ["R01,rater", "R02,rater"]
    leads = ["lead@example.org", "nobody@example.org"]
    small.write(rounds={"frontend": "file"}, **report(mailbox, leads=leads)).open()
    small.rate(count=1)
    hook.answers = [503, 200]
    for hour in (9, 10, 11, 13, 18, 23):
        small.at(28, hour)
        advance.sweep()

    [(to, subject, body)] = told(mailbox)
    assert (to, subject) == (
        "lead@example.org",
        "small: small-p is overdue and waits for a decision",
    )
    assert "ocrjury evaluation show small-p" in body
    assert [body["event"] for _, body in hook.posts] == ["overdue"] * 2
    tried = {}
    for one in small.stored(list_deliveries):
        tried.setdefault(one.recipient, []).append(one.state)
    assert tried["team"] == ["failed", "sent"]
    assert tried["nobody@example.org"] == [*["failed"] * 4, "given_up"]


def test_leads_are_told_in_the_language_of_the_campaign(small, mailbox, hook, monkeypatch):
    monkeypatch.setenv("OCRJURY_RATING_URL", "https://rate.example.org")
    small.people = ["R01,rater", "A01,adjudicator"]
    small.write(language="ko", **report(mailbox, leads=["kim@example.org"])).open()

    [(to, subject, body)] = told(mailbox)

    assert to == "kim@example.org"
    assert "small-p" in subject
    assert "보류" in subject
    assert "https://rate.example.org/desk/small-p" in body
    assert hook.posts[0][1]["evaluation"] == "small-p"


def test_a_sweep_that_fails_tells_the_lead_once(small, mailbox, hook, monkeypatch):
    small.write(**report(mailbox, leads=["lead@example.org"])).open_only("p")
    monkeypatch.setattr(advance, "stand", broken)

    assert advance.sweep().is_failed()
    assert advance.sweep().is_failed()

    [(_, subject, body)] = told(mailbox)
    assert subject == "[SIMULATED] small: small-p failed"
    assert "the pool is damaged" in body
    assert [body["event"] for _, body in hook.posts] == ["failed"]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (KeyError("Kim Chulsoo 1,200"), "KeyError"),
        (OSError(13, "Permission denied", "Kim Chulsoo"), "PermissionError: Permission denied"),
    ],
)
def test_nobody_is_mailed_what_an_error_that_is_not_ours_quotes(
    small, mailbox, hook, monkeypatch, error, reason
):
    def fail(_evaluation):
        raise error

    small.write(**report(mailbox, leads=["lead@example.org"])).open_only("p")
    monkeypatch.setattr(advance, "stand", fail)

    end = advance.sweep()

    [(_, subject, body)] = told(mailbox)
    assert subject == "[SIMULATED] small: small-p failed"
    assert reason in body
    assert reason in end.message
    assert "Chulsoo" not in body + end.message


def broken(_evaluation):
    raise OcrjuryError("the pool is damaged")


def test_a_lead_who_gets_no_report_is_told_of_it(small, mailbox, hook):
    leads = ["lead@example.org", "Boss@example.org"]
    small.write(**report(mailbox, recipients=["boss@example.org"], leads=leads)).open_only("p")

    with at_work() as work:
        case = work.case("small-p")
        notice = Notice(news="reported", evaluation="small-p", title="small", detail="", key="k")
        tell(case, notice)
        assert is_told(case, notice)

    assert [(to, subject) for to, subject, _ in told(mailbox)] == [
        ("lead@example.org", "small: small-p is reported")
    ]
    assert hook.posts == []  # it is told of the report itself


def test_nobody_is_told_without_a_mail_server_and_webhooks(small):
    small.people = ["R01,rater", "A01,adjudicator"]

    assert small.write(report={"recipients": ["lead@example.org"]}).open().name == "Held"


def test_every_lead_is_told_at_the_moment_at_which_the_email_leaves(small, monkeypatch):
    leads = ["a@example.org", "b@example.org", "c@example.org"]
    mail = {"host": "127.0.0.1", "port": 9, "sender": "o@example.org", "starttls": False}
    small.people = ["R01,rater", "A01,adjudicator"]
    small.write(report={"mail": mail, "recipients": leads, "worst_items": 1}).open_only()
    sent = []
    monkeypatch.setattr(notices, "send_once", lambda *_, now, **__: sent.append(now))
    monkeypatch.setattr(Settings, "now", lambda _: NOW + LATER * len(sent))

    with at_work() as work:
        case = work.case(small.evaluation)
        tell(case, make_notice(case, "held", detail="x", key="1"))

    assert sent == [NOW, NOW + LATER, NOW + 2 * LATER]
