"""Raters of the page are reminded by the runs that follow a round, each once for a deadline."""

import email
import logging
from email.policy import default

import pytest

import tasks.invitations
import tasks.reminders
from ocrjury.store.reports import list_deliveries
from tests.mailbox import open_mailbox


@pytest.fixture
def mailbox():
    with open_mailbox() as box:
        yield box


@pytest.fixture
def web(small, monkeypatch, mailbox):
    """A campaign that is rated on the page until 27 November; R03 has no address."""
    monkeypatch.setenv("OCRJURY_RATING_URL", "https://rate.example.org")
    for module in (tasks.invitations, tasks.reminders):
        monkeypatch.setattr(module, "get_run_logger", lambda: logging.getLogger("chain"))
    small.columns = "pseudonym,role,email,languages"
    small.people = ["R01,rater,r01@example.org,en", "R02,rater,r02@example.org,ko", "R03,rater,,"]
    server = {"host": "127.0.0.1", "port": mailbox.port, "sender": "o@example.org"}
    small.sections = {
        "rounds": {"frontend": "web", "top_ups": 0},
        "adaptive": {"max_rounds": 0},
        "title": "Claims & forms",
        "report": {"mail": {**server, "starttls": False}, "worst_items": 1},
    }
    return small


def reminders(web):
    return [
        (one.recipient, one.attempt, one.state)
        for one in web.stored(list_deliveries)
        if one.what == "reminder"
    ]


def test_the_sweep_reminds_everybody_once_two_days_before_the_deadline(web, mailbox):
    web.write(**web.sections).open()
    web.at(25, 8).advance()
    assert reminders(web) == []

    for day, hour in ((25, 10), (26, 10)):
        web.at(day, hour).advance()

    assert sorted(reminders(web)) == [
        ("r01@example.org", 1, "sent"),
        ("r02@example.org", 1, "sent"),
    ]
    read = [email.message_from_bytes(one.content, policy=default) for one in mailbox.envelopes]
    english, korean = sorted(read[-2:], key=lambda one: one["To"])
    assert english["Subject"].startswith("Reminder: Claims & forms (")
    assert "until 2026-11-27 09:00 UTC" in english.get_content()
    assert "https://rate.example.org" in english.get_content()
    assert "#" not in english.get_content()
    assert korean["Subject"].startswith("평가 알림: Claims & forms (")


@pytest.mark.parametrize("changes", [{"remind_days": 0}, {"remind_days": 30, "deadline_days": 14}])
def test_nobody_is_reminded_if_the_lead_does_not_want_it_or_the_round_has_just_begun(web, changes):
    web.sections["rounds"] |= changes
    web.write(**web.sections).open()
    web.at(26, 10).advance()

    assert reminders(web) == []


def test_without_an_address_of_the_page_nobody_is_reminded(web, monkeypatch):
    monkeypatch.delenv("OCRJURY_RATING_URL")
    web.write(**web.sections).open()
    web.at(26, 10).advance()

    assert reminders(web) == []


def test_a_refused_reminder_is_tried_five_times(web):
    web.people[0] = "R01,rater,nobody@example.org,en"
    web.write(**web.sections).open()
    web.at(26, 10)
    for _ in range(7):
        web.advance()

    tried = [one for one in reminders(web) if one[0] == "nobody@example.org"]
    assert [state for _, _, state in tried] == ["failed"] * 4 + ["given_up"]
