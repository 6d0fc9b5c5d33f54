from datetime import timedelta

import sqlalchemy as sa

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.history import Step
from ocrjury.campaign.state import next_step
from ocrjury.store.database import writing
from ocrjury.store.decisions import add_decision
from ocrjury.store.histories import read_standing
from ocrjury.store.moves import Mover, Position, moving
from ocrjury.store.results import VerdictRow, add_verdicts
from ocrjury.store.rounds import list_assignments
from ocrjury.store.schema.rating import rounds
from tests.store.test_ratings import everything
from tests.store_calls import add_submissions


def test_a_round_waits_before_its_deadline(engine, evaluation, now):
    history = read_standing(engine, evaluation, now=now).history

    assert (history.state, history.last.open, history.last.ratings) == ("collecting", 4, 0)
    assert next_step(history).row == "10"


def test_a_complete_round_goes_on(engine, evaluation, now):
    add_submissions(engine, evaluation, everything(evaluation), now=now)

    assert next_step(read_standing(engine, evaluation, now=now).history).row == "9"


def test_late_with_too_little_is_overdue_and_not_enough(engine, evaluation, now):
    add_submissions(engine, evaluation, everything(evaluation)[:3], now=now)

    last = read_standing(engine, evaluation, now=now + timedelta(days=8)).history.last

    assert (last.overdue, last.enough, last.ratings, last.open) == (True, False, 3, 1)


def test_a_release_names_one_verdict(engine, evaluation, now):
    def verdict(connection):
        add_verdicts(
            connection, evaluation, [VerdictRow(1, "*", "FAIL", None, ["no"], None, (), "p")]
        )

    hold, release = Step("20", "held", "gate_failed"), Step("25", "judged", "proceed")
    with moving(engine, Position(evaluation, "collecting", 2), hold, mover=Mover(now)) as c:
        verdict(c)
    assert not read_standing(engine, evaluation, now=now).history.released

    position = Position(evaluation, "held", 3)
    with moving(engine, position, release, mover=Mover(now)) as c:
        add_decision(
            c, position, kind="proceed", target=DecisionTarget(), reason="chair", mover=Mover(now)
        )
    history = read_standing(engine, evaluation, now=now).history
    assert (history.verdict, history.released, history.passed) == ("FAIL", True, True)

    with moving(
        engine, Position(evaluation, "judged", 4), Step("15", "judged"), mover=Mover(now)
    ) as c:
        verdict(c)
    assert not read_standing(engine, evaluation, now=now).history.released


def test_an_overdue_pilot_with_half_its_ratings_is_not_enough(engine, evaluation, now):
    """A pilot is there for every rater: one rating of each item says nothing about the others."""
    with writing(engine) as connection:
        connection.execute(sa.update(rounds).values(kind="pilot"))
    sent = {one.assignment: one for one in everything(evaluation)}
    asked = {row.item: row.assignment for row in list_assignments(engine, evaluation)}
    add_submissions(engine, evaluation, [sent[one] for one in asked.values()], now=now)

    history = read_standing(engine, evaluation, now=now + timedelta(days=8)).history

    assert (history.last.overdue, history.last.enough) == (True, False)
    assert next_step(history).row == "13"
