"""How far the delivery of a report to each of its receivers has come."""

import dataclasses
from datetime import timedelta

import pytest

from ocrjury.campaign.sections import Report
from ocrjury.pages.delivery_words import undelivered_text
from ocrjury.store.database import writing
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.reports import NewReport, add_report
from ocrjury.store.sendings import Sending, claim_sending, settle
from ocrjury.store.undelivered_reports import list_undelivered, replace_deliveries
from tests.covers import cover

MAIL = {"host": "smtp.example.org", "sender": "ocr@example.org"}
SECTION = Report(
    recipients=["boss@example.org"],
    mail=MAIL,
    publish={"to": "reports"},
    webhooks=[{"name": "team", "url_env": "TEAM_URL"}],
)


@pytest.fixture
def sha256(engine, evaluation, now):
    new = NewReport(
        kind="final",
        language="en",
        html_uri="h",
        pdf_uri=None,
        sha256="s",
        inputs_hash="i",
        cover=cover(),
    )
    with writing(engine) as connection:
        add_report(connection, evaluation, new, now=now)
    return new.sha256


@pytest.fixture
def told(engine, evaluation, now):
    """A function that says what is told of a receiver after some minutes."""

    def tell(name, minutes=0):
        rows = list_undelivered(engine, evaluation, SECTION, now=now + timedelta(minutes=minutes))
        row = next(row for row in rows if row.receiver.name == name)
        return undelivered_text(row, "claims-w1", zone="UTC")

    return tell


@pytest.mark.usefixtures("sha256")
def test_what_no_run_has_tried_yet_is_told_as_that(told):
    end = ": no attempt was made yet; the next run makes one."
    assert told("boss@example.org") == f"The report has not reached boss@example.org{end}"
    assert told("reports") == f"The report is not published in reports{end}"
    assert told("team") == f"The webhook team has not been told of the report{end}"


def test_nothing_is_told_before_there_is_a_report(engine, evaluation, now):
    assert list_undelivered(engine, evaluation, SECTION, now=now) == []


def test_an_attempt_is_under_way_until_its_process_is_taken_to_be_dead(
    engine, evaluation, now, sha256, told
):
    claim_sending(engine, Sending(evaluation, "<1>", "webhook", "team", sha256), now=now)

    assert told("team", 9) == (
        "The webhook team has not been told of the report: an attempt has been under way since "
        f"{now:%Y-%m-%d %H:%M} UTC."
    )
    assert told("team", 11).startswith(
        "The webhook team has not been told of the report: the process that was sending it ended "
        "before it said what became of it; it may have arrived. The first run after "
        f"{now + timedelta(minutes=11):%Y-%m-%d %H:%M} UTC makes attempt 2 of 5; "
    )


def test_what_a_webhook_refused_at_once_was_given_up_after_one_attempt(
    engine, evaluation, now, sha256, told
):
    sending = Sending(evaluation, "<1>", "webhook", "team", sha256)
    claim = claim_sending(engine, sending, now=now)
    settle(engine, claim, state="given_up", detail="it answered 404", now=now)

    assert ": it answered 404. It was given up after 1 attempt. `ocrjury report" in told("team")


def test_no_run_is_promised_after_a_person_tried_once_more_in_vain(
    engine, evaluation, now, sha256, told
):
    sending = Sending(evaluation, "<1>", "webhook", "team", sha256)
    for state, detail in (("given_up", "it answered 404"), ("failed", "it did not answer")):
        claim = claim_sending(engine, sending, now=now, limit=None)
        settle(engine, claim, state=state, detail=detail, now=now)

    assert claim_sending(engine, sending, now=now + timedelta(days=9)) is None
    assert ": it did not answer. It was given up after 2 attempts. `ocrjury" in told("team")


def test_what_arrived_is_not_told(engine, evaluation, now, sha256):
    sending = Sending(evaluation, "<1>", "report", "BOSS@example.org", sha256)
    settle(engine, claim_sending(engine, sending, now=now), state="sent", detail=None, now=now)

    rows = list_undelivered(engine, evaluation, SECTION, now=now)

    assert [row.receiver.name for row in rows] == ["reports", "team"]


def test_a_campaign_that_is_corrected_is_locked_from_its_reading_on(engine, evaluation, statements):
    with writing(engine) as connection:
        replace_deliveries(connection, evaluation, SECTION)

    [read] = [sent for sent in statements if "config" in sent and sent.startswith("SELECT")]
    assert ("FOR UPDATE" in read) == (engine.dialect.name == "postgresql")


def test_corrected_deliveries_change_nothing_else_of_the_campaign(engine, evaluation):
    before = read_evaluation(engine, evaluation)
    section = SECTION.model_copy(update={"worst_items": 1})

    with writing(engine) as connection:
        replace_deliveries(connection, evaluation, section)

    after = read_evaluation(engine, evaluation)
    assert dataclasses.replace(after, config=before.config) == before
    assert after.config.report.deliveries() == SECTION.deliveries()
    assert after.config.report.worst_items == before.config.report.worst_items
