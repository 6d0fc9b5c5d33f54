"""What is left for raters to practise on, as a list, the gate and a decision read it."""

import pytest
import sqlalchemy as sa

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.registry import RaterEntry
from ocrjury.store.database import reading, writing
from ocrjury.store.decisions import add_decision
from ocrjury.store.documents import GoldRow, add_gold, add_items
from ocrjury.store.evaluations import add_evaluation, list_evaluations, read_evaluation
from ocrjury.store.histories import list_standings, read_standing
from ocrjury.store.moves import Mover, Position
from ocrjury.store.practice_items import may_practise
from ocrjury.store.raters import keep_raters, keep_registry
from ocrjury.store.schema.course import evaluations
from ocrjury.store.schema.material import gold, items
from ocrjury.store.schema.rating import assignments
from tests.store.conftest import item, opening

PEOPLE = [RaterEntry("R01"), RaterEntry("R02"), RaterEntry("A01", role="adjudicator")]
NEEDED = 20
OUTSIDE = {"inclusion_probability": None, "stratum": None, "reason": None, "draw_number": None}


@pytest.fixture
def held(engine, evaluation):
    """An evaluation that failed at the gate: two sampled items, and gold to practise on."""
    hold(engine, evaluation, gold_items=NEEDED)
    return evaluation


def hold(engine, name, *, gold_items, others=0):
    known = [item(f"g{number}", purpose="gold", **OUTSIDE) for number in range(1, gold_items + 1)]
    rows = [GoldRow(one.item, "meaning", 3, "", "file") for one in known]
    with writing(engine) as connection:
        keep_registry(connection, name, PEOPLE)
        add_items(connection, name, known)
        add_gold(connection, name, rows)
        count = sa.select(sa.func.count()).where(items.c.evaluation == name)
        size = connection.execute(count).scalar_one() + others
        at_the_gate = {"state": "held", "held_reason": "gate_failed", "held_from": "judged"}
        connection.execute(
            sa.update(evaluations)
            .where(evaluations.c.evaluation == name)
            .values(**at_the_gate, pool_size=size)
        )


def meet(engine, name, rater, count):
    """Assign the first gold items to a rater; a withdrawn assignment counts as met."""
    with writing(engine) as connection:
        connection.execute(
            sa.insert(assignments),
            [
                {
                    "assignment": f"{name}/{rater}/{number}",
                    "evaluation": name,
                    "round": 1,
                    "item": f"g{number}",
                    "rater": rater,
                    "repeat": 0,
                    "position": 100 + number,
                    "session": 1,
                    "state": "withdrawn",
                    "reason": "gold",
                }
                for number in range(1, count + 1)
            ],
        )


def answers(engine, name, now):
    """Whether a list, one evaluation by itself, and the gate find that enough is left."""
    (listed,) = list_standings(engine, list_evaluations(engine), now=now)
    alone = read_standing(engine, name, now=now)
    with reading(engine) as connection:
        gate = name in may_practise(connection, [read_evaluation(engine, name)])
    return {listed.history.may_practise, alone.history.may_practise, gate}


def test_gold_that_one_rater_never_met_is_enough(engine, held, now):
    meet(engine, held, "R01", NEEDED)

    assert answers(engine, held, now) == {True}


def test_whom_nobody_asks_to_practise_leaves_nothing_over(engine, held, now):
    """An adjudicator, and a rater who was dropped, have met no gold."""
    meet(engine, held, "R01", 1)
    with writing(engine) as connection:
        add_decision(
            connection,
            Position(held, "collecting", 9),
            kind="drop",
            target=DecisionTarget(raters=("R02",)),
            reason="left",
            mover=Mover(now),
        )

    assert answers(engine, held, now) == {False}


def test_gold_whose_rating_is_not_known_is_nothing_to_practise_on(engine, held, now):
    with writing(engine) as connection:
        connection.execute(sa.delete(gold).where(gold.c.item == "g1"))

    assert answers(engine, held, now) == {False}


def test_a_document_of_the_pool_that_is_gold_counts_once(engine, evaluation, now):
    hold(engine, evaluation, gold_items=12, others=7)

    assert answers(engine, evaluation, now) == {False}


def test_gold_and_documents_that_are_no_items_yet_count_together(engine, evaluation, now):
    hold(engine, evaluation, gold_items=12, others=8)

    assert answers(engine, evaluation, now) == {True}


def test_many_evaluations_take_as_many_statements_as_one(engine, held, now, statements):
    rows = list_evaluations(engine)
    del statements[:]
    list_standings(engine, rows, now=now)
    for_one = len(statements)
    with writing(engine) as connection:
        keep_raters(connection, PEOPLE)
        names = [
            add_evaluation(connection, opening(period=period), now=now, actor="x", run_id=None)[0]
            for period in ("a", "b")
        ]
    for name in names:
        hold(engine, name, gold_items=NEEDED)
    rows = list_evaluations(engine)
    del statements[:]

    standings = list_standings(engine, rows, now=now)

    assert len(statements) == for_one
    assert [standing.history.may_practise for standing in standings] == [True] * 3
