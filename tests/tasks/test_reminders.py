"""Raters of the page are reminded by the runs that follow a round, each once for a deadline."""

import email
from email.policy import default

import pytest

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


def read(mailbox):
    return [
        email.message_from_bytes(envelope.content, policy=default) for envelope in mailbox.envelopes
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
    english, korean = sorted(read(mailbox)[-2:], key=lambda one: one["To"])
    assert english["Subject"].startswith("Reminder: Claims & forms (")
    assert "by 2026-11-27 09:00 UTC" in english.get_content()
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
    for hour in (7, 8, 9, 11, 16, 17):
        web.at(26, hour).advance()

    tried = [reminder for reminder in reminders(web) if reminder[0] == "nobody@example.org"]
    assert [state for _, _, state in tried] == ["failed"] * 4 + ["given_up"]


def test_who_can_still_rate_after_the_deadline_is_told_once_that_it_has_passed(web, mailbox):
    web.people[2] = "R03,rater,r03@example.org,zh"
    web.write(**web.sections).open()
    web.at(26, 10).advance()
    mailbox.envelopes.clear()
    web.rate(["R01"])

    ends = [web.at(27, hour).advance() for hour in (10, 11)]

    assert [end.message.partition(":")[0] for end in ends] == ["overdue"] * 2
    korean, chinese = sorted(read(mailbox), key=lambda one: one["To"])
    assert (korean["To"], chinese["To"]) == ("r02@example.org", "r03@example.org")
    assert korean["Subject"].startswith("평가 기한 지남: Claims & forms (")
    assert "지금 평가하셔도 반영됩니다" in korean.get_content()
    assert "现在评分依然有效" in chinese.get_content()
    assert web.rows()[-1] == "13"


def test_who_rates_after_such_a_mail_ends_the_hold(web):
    web.write(**web.sections).open()
    web.rate(["R01"])
    web.at(27, 10).advance()

    web.rate()
    web.advance()

    assert web.rows()[3:6] == ["7", "13", "34"]


def test_a_round_that_nobody_rated_is_overdue_too(web, mailbox):
    web.write(**web.sections).open()

    end = web.at(27, 10).advance()

    assert end.message.startswith("no_ratings")
    assert sorted(reminders(web)) == [
        ("r01@example.org", 1, "sent"),
        ("r02@example.org", 1, "sent"),
    ]
    assert sum(one["Subject"].startswith("Overdue: ") for one in read(mailbox)) == 1


def test_a_new_deadline_is_reminded_of_again(web, mailbox, monkeypatch):
    web.write(**web.sections).open()
    web.at(27, 10).advance()
    web.decide("extend", days=7)
    mailbox.envelopes.clear()

    for moment in ("11-30T10", "12-03T10", "12-03T11"):
        monkeypatch.setenv("OCRJURY_CLOCK", f"2026-{moment}:00:00+00:00")
        web.advance()

    assert sorted(one["To"] for one in read(mailbox)) == ["r01@example.org", "r02@example.org"]
    assert "by 2026-12-04 10:00 UTC" in read(mailbox)[0].get_content()


def test_nobody_is_told_of_a_passed_deadline_where_a_gate_holds(web, mailbox):
    web.write(**web.sections).open()
    web.rate(say=lambda one, _: 1 + int(one.item[1:4]) % 5 if one.rater == "R01" else 3)

    end = web.at(28).advance()

    assert end.name == "Held"
    assert reminders(web) == []
