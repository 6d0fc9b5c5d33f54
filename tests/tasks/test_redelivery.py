"""Whom a report has not reached is told with the reason, and a corrected campaign reaches them."""

import pytest

from ocrjury.store.audit import list_audit
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.reports import list_deliveries
from ocrjury.tasks import report as report_task
from tests.mailbox import open_mailbox
from tests.tasks.conftest import QUICK, write_sketch

SENDER = "ocr@example.org"
PASSWORD = "REPORT_PASSWORD"


@pytest.fixture
def mailbox():
    with open_mailbox() as box:
        yield box


@pytest.fixture
def campaign(small, mailbox, monkeypatch):
    """A function that writes the campaign with some recipients of its report."""
    monkeypatch.setattr(report_task, "write_pdf", write_sketch)
    monkeypatch.delenv(PASSWORD, raising=False)

    def write(*people, **mail):
        server = {"host": "127.0.0.1", "port": mailbox.port, "sender": SENDER, "starttls": False}
        report = {"recipients": list(people), "mail": server | mail, "worst_items": 1}
        return small.write(**QUICK, report=report, sampling={"n": 20})

    return write


def recipients(mailbox):
    return [name for one in mailbox.envelopes for name in one.rcpt_tos]


def test_status_and_show_tell_whom_a_report_has_not_reached_why_and_when_it_is_tried(
    small, campaign, mailbox, run
):
    assert campaign("lead@example.org", "nobody@example.org").open().name == "WaitingForDelivery"

    told = (
        f"The report has not reached nobody@example.org: 127.0.0.1:{mailbox.port} refused the "
        "recipient: 550 no such user. The first run after 2026-11-20 09:05 UTC makes attempt 2 of "
        f"5; `ocrjury report {small.evaluation} --deliver` makes it at once, with the addresses "
        "and servers that campaign.yaml then has."
    )
    assert f"{small.evaluation}: {told}\n" in run("status")[1]
    _, shown, _ = run("evaluation", "show", small.evaluation)
    assert f"delivery    {told}\n" in shown
    assert "lead@example.org" not in shown


def test_a_report_that_was_given_up_is_told_for_a_week_after_the_end(small, campaign, run):
    campaign("nobody@example.org").open()
    assert [small.at(day).advance().name for day in (21, 22, 23, 24)][-1] == "Closed"

    told = "550 no such user. It was given up after 5 attempts. `ocrjury report small-p --deliver`"
    assert told in run("status")[1]
    assert told in run("evaluation", "show", small.evaluation)[1]
    small.at(30, hour=8)
    assert told in run("status")[1]
    small.monkeypatch.setenv("OCRJURY_CLOCK", "2026-12-02T09:00:00+00:00")
    assert told not in run("status")[1]
    assert told in run("evaluation", "show", small.evaluation)[1]


def test_a_corrected_address_gets_the_report_of_this_evaluation(small, campaign, mailbox, run):
    campaign("lead@example.org", "nobody@example.org").open()
    before = small.stored(read_evaluation)
    campaign("lead@example.org", "boss@example.org")

    code, out, err = run("report", small.evaluation, "--deliver")

    assert (code, err) == (0, f"Taken from {small.path}: report.recipients.\n")
    assert out.splitlines() == [
        "boss@example.org  delivered",
        f"The next run closes the evaluation: ocrjury evaluation advance {small.evaluation}",
    ]
    assert recipients(mailbox) == ["lead@example.org", "boss@example.org"]
    after = small.stored(read_evaluation)
    assert (after.config_hash, after.version) == (before.config_hash, before.version)
    assert after.config.report.is_recipient("boss@example.org")
    assert small.advance().name == "Closed"
    assert "not reached" not in run("evaluation", "show", small.evaluation)[1]
    log = small.stored(lambda engine, _: list_audit(engine))
    assert {(row.action, row.reason) for row in log if row.address == "cli"} == {
        ("change deliveries", "report.recipients"),
        ("deliver", None),
    }


def test_a_corrected_server_gets_what_was_given_up(small, campaign, mailbox, run):
    campaign("lead@example.org", port=9).open()
    assert [small.at(day).advance().name for day in (21, 22, 23, 24)][-1] == "Closed"
    assert "127.0.0.1:9 cannot be used: Connection refused. It was" in run("status")[1]
    assert run("report", small.evaluation, "--deliver")[:2] == (
        1,
        "lead@example.org  not delivered: 127.0.0.1:9 cannot be used: Connection refused.\n",
    )
    campaign("lead@example.org")

    code, out, _ = run("report", small.evaluation, "--deliver")

    assert (code, out) == (0, "lead@example.org  delivered\n")
    assert recipients(mailbox) == ["lead@example.org"]
    assert "given up" not in run("status")[1]
    again = run("report", small.evaluation, "--deliver")
    assert again[:2] == (0, "Everybody who gets this report has it.\n")


def test_a_password_that_is_not_set_here_costs_nobody_an_attempt(small, campaign, run):
    campaign("nobody@example.org").open()
    attempts = len(small.stored(list_deliveries))
    campaign("lead@example.org", username="ocr", password_env=PASSWORD)

    code, _, err = run("report", small.evaluation, "--deliver")

    assert code == 2
    assert f"{PASSWORD}, the password of the mail server (report.mail.password_env), is not" in err
    assert len(small.stored(list_deliveries)) == attempts


def test_a_report_to_come_goes_where_the_campaign_says_then(small, campaign, mailbox, run):
    campaign("nobody@example.org").write(rounds={"frontend": "file"}).open()
    campaign("lead@example.org")

    code, out, _ = run("report", small.evaluation, "--deliver")

    assert (code, out) == (
        0,
        f"{small.evaluation} has no report yet; it will go where campaign.yaml says now.\n",
    )
    assert small.stored(read_evaluation).config.report.is_recipient("lead@example.org")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "other"}, "the campaign is called 'other' now, but this evaluation is one of"),
        ({"report": {"mail": {}}}, "report.mail"),
    ],
)
def test_a_file_that_is_not_this_campaign_changes_nothing(small, campaign, run, changes, words):
    campaign("nobody@example.org").open()
    before = small.stored(read_evaluation)
    small.write(**changes)

    code, _, err = run("report", small.evaluation, "--deliver")

    assert code == 2
    assert words in err
    assert small.stored(read_evaluation) == before
