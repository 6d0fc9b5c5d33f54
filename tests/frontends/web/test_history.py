"""What raters did on the page, as a table of every revision."""

import csv
import io

import pytest

from ocrjury.cli import main


@pytest.fixture
def table(monkeypatch, capsys):
    """A function that exports the history of an evaluation."""

    def export(place):
        monkeypatch.setenv("OCRJURY_HOME", str(place.home))
        capsys.readouterr()
        assert main(["ratings", "export", place.evaluation, "--history"]) == 0
        return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))

    return export


CONDITIONS = {"diff": "shown", "view": "crop", "diff_used": 2, "guide_used": 1, "changes": 3}


def test_every_revision_stands_with_its_times_and_conditions(rounds, client_of, table):
    place = rounds(raters=("R01",))
    client = client_of(place, "R01")
    client.hand_in({"meaning": 4}, flag="unreadable", comment="=1+1", conditions=CONDITIONS)
    client.hand_in(path=client.ask("GET", "/previous").getheader("location"), comment="Better.")

    first, second, *rest = [row for row in table(place) if row["dimension"] == "meaning"]

    assert rest == []
    assert {key: first[key] for key in ("round", "kind", "item", "rater", "rev", "value")} == {
        "round": "1",
        "kind": "main",
        "item": "d1",
        "rater": "R01",
        "rev": "1",
        "value": "4",
    }
    shown = {name: first[name] for name in ("diff_state", "image_view", "diff_used", "changes")}
    assert shown == {"diff_state": "shown", "image_view": "crop", "diff_used": "2", "changes": "3"}
    assert (first["comment"], second["comment"]) == ("'=1+1", "Better.")
    assert first["first_open"] < first["submitted"] < second["submitted"]
    assert int(first["active_ms"]) <= int(first["wall_ms"])
    assert (first["client"], first["source"], first["hasty"]) == ("desktop", "web", "1")
    assert len(first["rubric_hash"]) == 64
    assert (first["withdrawn"], first["set_aside"], second["rev"]) == ("0", "0", "2")


def test_a_reason_stands_where_there_is_no_value(rounds, client_of, table):
    place = rounds(raters=("R01",))
    client_of(place, "R01").hand_in({"meaning": 4}, flag="unreadable")

    by_name = {row["dimension"]: (row["value"], row["flag"]) for row in table(place)}

    assert by_name == {"meaning": ("4", ""), "layout": ("", "unreadable")}
