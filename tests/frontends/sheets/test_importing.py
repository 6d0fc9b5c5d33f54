"""What comes in as CSV goes through the validator of all frontends."""

import pytest

from ocrjury.errors import InputError, StateError
from ocrjury.frontends.sheets import Sender, import_ratings, importing
from ocrjury.frontends.sheets.assignment_sheet import read_open_assignments, write_sheet
from ocrjury.store.audit import list_audit
from ocrjury.store.database import writing
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.quarantine import list_refused
from ocrjury.store.ratings import list_ratings
from ocrjury.store.rounds import NewAssignment, RoundPlan, close_round, open_round, withdraw
from tests.frontends.sheets.worked_sheets import DIMENSIONS, NAME, NOW, an_item
from tests.store_calls import list_rule_flags

HEADER = "evaluation,item,rater,meaning,layout,readability\n"
LEAD = Sender("lead", vouched=True)


def take(collecting, lines):
    path = collecting.folder / "ratings.csv"
    path.write_text(HEADER + "".join(f"{NAME},{line}\n" for line in lines.splitlines()))
    row = read_evaluation(collecting.store.engine, NAME)
    scale = collecting.rubric.scale
    return import_ratings(collecting.store, row, path, scale=scale, now=NOW, sender=LEAD)


def test_broken_field_rules_are_noted_and_the_log_says_who_imported(collecting):
    done = take(collecting, "d1,R01,5,4,4\nd2,R01,4,4,4\n")

    assert (done.ratings, done.assignments) == (6, 2)
    [flag] = list_rule_flags(collecting.store.engine, f"{NAME}/1/R01/0/d1")
    assert (flag.dimension, flag.level, flag.shown) == ("meaning", 5.0, False)
    assert {
        (one.actor, one.object)
        for one in list_audit(collecting.store.engine)
        if one.action == "rate"
    } == {("lead", f"{NAME}/1/R01/0/d1"), ("lead", f"{NAME}/1/R01/0/d2")}


def test_a_file_of_two_systems_tells_neither_and_comes_back_to_the_items(desk, tmp_path):
    outputs = [an_item(f"d1-{name}", system=name) for name in ("kraken", "tesseract")]
    desk.collect(*outputs, raters=["R01"])
    sheet = read_open_assignments(desk.store, NAME)
    path = tmp_path / "R01.csv"
    with path.open("w", encoding="utf-8") as file:
        write_sheet(file, sheet)
    header, *lines = path.read_text("utf-8").splitlines()
    assert "kraken" not in "".join(lines)
    assert "tesseract" not in "".join(lines)
    filled = [line.removesuffix(",,,") + f",{n},3,3" for n, line in enumerate(lines, start=1)]
    path.write_text("\n".join([header, *filled]), "utf-8")

    row, scale = read_evaluation(desk.store.engine, NAME), desk.rubric.scale
    import_ratings(desk.store, row, path, scale=scale, now=NOW)

    stored = desk.stored()
    assert [stored[item.item, "R01", "meaning", 0] for item in outputs] == [1.0, 2.0]


@pytest.mark.parametrize(
    "header", ["item,rater,meaning,layout", HEADER.removeprefix("evaluation,")]
)
def test_a_dimension_without_any_rating_is_named_once(collecting, header):
    rows = [f"{NAME},{item},R01,4,4" for item in ("d1", "d2", "d3")]
    path = collecting.folder / "ratings.csv"
    path.write_text("\n".join([f"evaluation,{header}", *rows]))
    row, scale = read_evaluation(collecting.store.engine, NAME), collecting.rubric.scale

    with pytest.raises(InputError) as caught:
        import_ratings(collecting.store, row, path, scale=scale, now=NOW, sender=LEAD)

    assert str(caught.value) == (
        "ratings.csv: 1 problem, so nothing was stored.\n"
        "  every row: no rating on dimension 'readability'; its column, or in a long file its "
        "rows, are missing or empty\n"
        "Fix it and send all of it again."
    )


def test_a_file_of_a_round_that_is_over_changes_nothing(collecting):
    lines = "d1,R01,5,4,4\nd2,R01,4,4,4\n"
    take(collecting, lines)
    asked = NewAssignment("d3", "R01", 1)
    plan = RoundPlan("adaptive", "x", DIMENSIONS, "file", NOW, (asked,))
    with writing(collecting.store.engine) as connection:
        close_round(connection, NAME, by="complete", now=NOW)
        open_round(connection, NAME, plan, now=NOW)

    assert take(collecting, lines).again
    with pytest.raises(InputError, match="there is no item 'd1' in the open round"):
        take(collecting, "d1,R01,5,4,3\n")


def test_an_item_that_is_taken_back_this_very_moment_keeps_the_whole_file_out(
    collecting, monkeypatch
):
    engine = collecting.store.engine
    real = importing.content_hash

    def taken_back_meanwhile(body):
        with writing(engine) as connection:
            withdraw(connection, NAME, ["R01"])
        return real(body)

    monkeypatch.setattr(importing, "content_hash", taken_back_meanwhile)

    with pytest.raises(StateError, match=r"the assignment was withdrawn; nothing was stored"):
        take(collecting, "d1,R01,5,4,4\nd2,R02,4,4,4\n")

    assert list_ratings(engine, NAME) == []
    assert list_refused(engine, NAME) == []
