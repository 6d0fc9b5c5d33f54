from datetime import timedelta

import pytest
import sqlalchemy as sa

from ocrjury.campaign.history import Step
from ocrjury.store.database import writing
from ocrjury.store.decisions import list_set_aside, set_ratings_aside
from ocrjury.store.documents import (
    GoldRow,
    add_gold,
    add_items,
    list_gold,
    list_items,
    promote_items,
)
from ocrjury.store.histories import read_standing
from ocrjury.store.moves import Mover, Position, moving
from ocrjury.store.raters import list_rated, list_records
from ocrjury.store.ratings import Submission, list_ratings
from ocrjury.store.results import TruthRow, add_truths
from ocrjury.store.rounds import NewAssignment, RoundPlan, add_assignments, open_round
from tests.store.conftest import item
from tests.store.test_ratings import everything, submission
from tests.store_calls import add_submissions

OUTSIDE = {"inclusion_probability": None, "stratum": None, "reason": None, "draw_number": None}


@pytest.fixture
def checked(engine, evaluation):
    """The evaluation with a gold item g9 in R01's queue, and d1 there a second time."""
    with writing(engine) as connection:
        add_items(connection, evaluation, [item("g9", purpose="gold", **OUTSIDE)])
        add_gold(connection, evaluation, [GoldRow("g9", "meaning", 5.0, "because", "file")])
        more = [
            NewAssignment("g9", "R01", 3, reason="gold"),
            NewAssignment("d1", "R01", 4, repeat=1, reason="repeat"),
        ]
        add_assignments(connection, evaluation, more, number=1)
    return evaluation


def controls(evaluation):
    gold = submission(evaluation, "g9", "R01", 3.0)
    again = Submission(f"{evaluation}/1/R01/1/d1", {"meaning": 2.0}, "again", "r", "file")
    return [gold, again]


def test_known_ratings_are_kept_with_their_reasons(engine, checked):
    assert list_gold(engine, checked) == [GoldRow("g9", "meaning", 5.0, "because", "file")]


def test_a_known_rating_is_of_an_item_that_is_there_and_stands_once(engine, checked):
    for row in (GoldRow("x", "meaning", 1.0, "", "file"), *list_gold(engine, checked)):
        with pytest.raises(sa.exc.IntegrityError), writing(engine) as connection:
            add_gold(connection, checked, [row])


def test_gold_and_second_ratings_count_as_what_they_are(engine, checked, now):
    add_submissions(engine, checked, [*everything(checked), *controls(checked)], now=now)

    kinds = {(r.item, r.rater, r.repeat): r.round_kind for r in list_ratings(engine, checked)}

    assert kinds == {
        ("d1", "R01", 0): "main",
        ("d1", "R01", 1): "repeat",
        ("d1", "R02", 0): "main",
        ("d2", "R01", 0): "main",
        ("d2", "R02", 0): "main",
        ("g9", "R01", 0): "gold",
    }


def test_a_round_is_complete_only_with_them_and_enough_without(engine, checked, now):
    add_submissions(engine, checked, everything(checked), now=now)

    last = read_standing(engine, checked, now=now + timedelta(days=8)).history.last

    assert (last.ratings, last.open, last.complete, last.enough) == (4, 2, False, True)
    assert add_submissions(engine, checked, controls(checked), now=now)


def test_an_item_that_is_drawn_after_all_becomes_part_of_the_sample(engine, checked, now):
    add_submissions(engine, checked, controls(checked), now=now)

    with writing(engine) as connection:
        promote_items(connection, checked, [item("g9", inclusion_probability=0.25)])

    drawn = {one.item: one for one in list_items(engine, checked)}["g9"]
    assert (drawn.purpose, drawn.inclusion_probability, drawn.draw_number) == ("sample", 0.25, 9)
    assert [r.round_kind for r in list_ratings(engine, checked) if r.item == "g9"] == ["main"]


def test_the_sample_comes_first_in_draw_order(engine, checked):
    assert [item.item for item in list_items(engine, checked)] == ["d1", "d2", "g9"]


def test_ratings_are_set_aside_by_dimension_and_in_main_rounds_only(engine, evaluation, now):
    add_submissions(engine, evaluation, everything(evaluation), now=now)
    step = Step("27", "collecting", "pilot")
    pilot = RoundPlan(
        "pilot",
        "x",
        ("meaning",),
        "file",
        now + timedelta(days=7),
        (NewAssignment("d1", "R01", 1),),
    )
    with writing(engine) as connection:
        connection.exec_driver_sql("update rounds set state = 'closed'")
    with moving(engine, Position(evaluation, "collecting", 2), step, mover=Mover(now)) as c:
        open_round(c, evaluation, pilot, now=now)
    in_pilot = Submission(f"{evaluation}/2/R01/0/d1", {"meaning": 1.0}, "p", "r", "file")
    add_submissions(engine, evaluation, [in_pilot], now=now)

    with writing(engine) as connection:
        for dimensions in (["layout"], ["meaning"]):
            set_ratings_aside(
                connection, evaluation, raters=["R01"], decision="e/3", dimensions=dimensions
            )

    aside = list_set_aside(engine, evaluation)
    assert [(one[0].rpartition("/")[2], *one[1:]) for one in aside] == [
        ("d1", "meaning", "e/3"),
        ("d2", "meaning", "e/3"),
    ]
    left = [(r.round_kind, r.rater) for r in list_ratings(engine, evaluation)]
    assert left == [("main", "R02"), ("main", "R02"), ("pilot", "R01")]


def test_a_record_holds_known_and_inferred_values_of_the_newest_truths(engine, checked, now):
    add_submissions(engine, checked, [*everything(checked)[:2], *controls(checked)], now=now)
    for label in (1, 4):
        truth = TruthRow("d1", "meaning", label, 4.0, 4.0, 0.9, False, [1.0], 2)  # noqa: FBT003  # its column
        with writing(engine) as connection:
            add_truths(connection, checked, [truth])

    records = list_records(engine, raters=["R01"])

    assert {(r.item, r.kind): (r.value, r.known, r.label) for r in records} == {
        ("d1", "main"): (4.0, None, 4),
        ("d1", "repeat"): (2.0, None, 4),
        ("g9", "gold"): (3.0, 5.0, None),
    }
    assert {r.evaluation for r in records} == {checked}
    assert list_rated(engine) == ["R01", "R02"]
    assert len(list_records(engine)) == 4
