import email
import json
from datetime import UTC, datetime, timedelta
from email import policy

import pytest
import sqlalchemy as sa

from ocrjury.campaign.registry import RaterEntry
from ocrjury.cli import main
from ocrjury.store.database import writing
from ocrjury.store.raters import keep_raters
from ocrjury.store.reports import list_deliveries
from ocrjury.store.rounds import change_round
from ocrjury.store.schema.course import evaluations
from tests.frontends.web.conftest import open_place, store_in
from tests.mailbox import open_mailbox

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
PEOPLE = (
    RaterEntry("R01", email="one@example.org", languages=("en",)),
    RaterEntry("R02", email="nobody@example.org", languages=("en",)),
)


@pytest.fixture
def mailbox():
    with open_mailbox() as box:
        yield box


@pytest.fixture
def place(tmp_path, monkeypatch, mailbox):
    with store_in(tmp_path) as base:
        monkeypatch.setenv("OCRJURY_HOME", str(base.home))
        monkeypatch.setenv("OCRJURY_RATING_URL", "https://rate.example.org")
        place = open_place(base, raters=("R01", "R02", "R03"))
        with writing(place.store.engine) as connection:
            keep_raters(connection, PEOPLE)
        at(place, NOW + timedelta(hours=30))
        server = {"host": "127.0.0.1", "port": mailbox.port, "sender": "o@example.org"}
        mail(place, {**server, "starttls": False})
        yield place


def at(place, deadline):
    with writing(place.store.engine) as connection:
        change_round(connection, place.evaluation, deadline=deadline)


def mail(place, server):
    config = json.loads(place.own("evaluations", "config")[0]["config"])
    config["report"]["mail"] = server
    with writing(place.store.engine) as connection:
        connection.execute(sa.update(evaluations).values(config=config))


def remind(place, *options):
    return main(["raters", "remind", place.evaluation, *options])


def outcomes(place):
    found = list_deliveries(place.store.engine, place.evaluation)
    return [(one.what, one.recipient, one.attempt, one.state) for one in found]


def test_a_reminder_names_deadline_and_work_and_no_link(place, mailbox, capsys):
    assert remind(place, "R01") == 0

    letter = email.message_from_bytes(mailbox.envelopes[0].content, policy=policy.default)
    text = letter.get_content()
    assert letter["To"] == "one@example.org"
    assert letter["Subject"] == "Reminder: 보험 청구 서류 (3 open)"
    assert "Please rate by 2026-11-22 00:00 KST." in text
    assert "00:00 KST. Items still open for you (R01): 3, about 3 min of work." in text
    assert "your personal link at https://rate.example.org again" in text
    assert "#" not in text
    assert "R01  sent" in capsys.readouterr().out


def test_nobody_is_reminded_twice_of_one_deadline(place, mailbox):
    remind(place, "R01")
    remind(place, "R01")
    assert len(mailbox.envelopes) == 1

    at(place, NOW - timedelta(hours=1))
    remind(place, "R01")

    assert len(mailbox.envelopes) == 2
    assert b"Subject: Overdue" in mailbox.envelopes[1].content


def test_one_failure_stops_nobody_and_is_tried_again(place, mailbox, capsys):
    assert remind(place) == 1
    assert "No address: R03." in capsys.readouterr().out
    assert remind(place) == 1

    assert sorted(outcomes(place)) == [
        ("reminder", "nobody@example.org", 1, "failed"),
        ("reminder", "nobody@example.org", 2, "failed"),
        ("reminder", "one@example.org", 1, "sent"),
    ]
    assert len(mailbox.envelopes) == 1


def test_a_mail_that_another_process_is_sending_is_left_to_it(place, mailbox, capsys, monkeypatch):
    def crash(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("ocrjury.delivery.mail.hand_in", crash)
        assert remind(place, "R01") == 130

    assert remind(place, "R01") == 0
    assert "R01  another process is sending it" in capsys.readouterr().out
    assert mailbox.envelopes == []
    monkeypatch.setenv("OCRJURY_CLOCK", (NOW + timedelta(minutes=10)).isoformat())
    assert remind(place, "R01") == 0
    assert len(mailbox.envelopes) == 1


def test_a_deadline_far_away_and_a_dry_run_send_nothing(place, mailbox, capsys):
    assert remind(place, "--within", "1") == 0
    assert "Nobody needs a reminder" in capsys.readouterr().out
    assert remind(place, "--dry-run") == 0
    assert "R01  3 open, deadline 2026-11-22 00:00 KST" in capsys.readouterr().out

    assert mailbox.envelopes == []


def test_a_mail_without_an_address_of_the_page_is_not_sent(place, mailbox, capsys, monkeypatch):
    monkeypatch.delenv("OCRJURY_RATING_URL")

    assert remind(place) == 2

    assert "OCRJURY_RATING_URL is not set" in capsys.readouterr().err
    assert mailbox.envelopes == []


@pytest.mark.parametrize("days", ["-1", "nan", "inf", "1e12"])
def test_days_before_a_deadline_are_a_number_of_days(place, capsys, days):
    assert remind(place, "--within", days) == 2
    assert "--within must be from 0 to 3650 days; found " in capsys.readouterr().err


def test_what_cannot_be_says_what_to_do(place, capsys):
    assert remind(place, "R09") == 2
    assert "R09 has nothing open in round 1" in capsys.readouterr().err
    mail(place, None)
    assert remind(place) == 2
    assert "give host and sender under report.mail" in capsys.readouterr().err


def test_a_round_that_is_rated_elsewhere_has_no_page_to_be_reminded_of(place, capsys):
    with writing(place.store.engine) as connection:
        change_round(connection, place.evaluation, frontend="sheets")

    assert remind(place) == 2

    assert "has the frontend sheets; reminders are for rounds" in capsys.readouterr().err
