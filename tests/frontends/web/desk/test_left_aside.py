import json
from datetime import UTC, datetime

from ocrjury.language import counted, phrase
from ocrjury.store.files_left_aside import leave_aside


def test_a_file_that_was_left_aside_is_named_at_the_desk(rounds, at_desk, tmp_path):
    place = rounds()
    address = f"/desk/{place.evaluation}"
    desk = at_desk(place)
    before = desk.ask("GET", address).text
    (file := tmp_path / "R01.xlsx").write_bytes(b"?")

    leave_aside(
        place.store.engine,
        place.evaluation,
        file,
        reason=phrase("it has {problems}", problems=counted(2, "problem")),
        now=datetime.now(UTC),
    )
    page = desk.ask("GET", address).text
    body = json.loads(desk.ask("GET", f"/api/evaluations/{place.evaluation}").text)

    assert "left aside" not in before
    assert "R01.xlsx was left aside: it has 2 problems. Nothing in it is stored." in page
    assert body["left_aside"][0].startswith("R01.xlsx was left aside")
