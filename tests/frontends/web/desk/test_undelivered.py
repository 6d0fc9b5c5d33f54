import json
from datetime import UTC, datetime

from ocrjury.campaign.sections import Report
from ocrjury.store.database import writing
from ocrjury.store.reports import DeliveryRow, add_delivery
from ocrjury.store.undelivered_reports import replace_deliveries

WHY = "smtp.example.org:587 cannot be used: Connection refused."


def test_whom_a_report_has_not_reached_and_why_is_told_at_the_desk(rounds, at_desk, reported):
    place = rounds()
    engine, name, address = place.store.engine, place.evaluation, f"/desk/{place.evaluation}"
    mail = {"host": "smtp.example.org", "sender": "ocr@example.org"}
    section = Report(recipients=["boss@example.org"], mail=mail)
    with writing(engine) as connection:
        replace_deliveries(connection, name, section)
    desk = at_desk(place)
    before = desk.ask("GET", address).text
    reported(place)
    row = DeliveryRow("<1>", 1, "report", "Boss@example.org", "0" * 64, "failed", WHY, now())
    add_delivery(engine, name, row)

    page = desk.ask("GET", address).text
    body = json.loads(desk.ask("GET", f"/api/evaluations/{name}").text)

    assert "boss@example.org" not in before
    (told,) = body["undelivered"]
    assert told.startswith(f"The report has not reached boss@example.org: {WHY} The first run")
    assert f"has not reached boss@example.org: {WHY}" in page


def now():
    return datetime.now(UTC)
