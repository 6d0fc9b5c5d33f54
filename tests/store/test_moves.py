import threading

import pytest

from ocrjury.campaign.history import Step
from ocrjury.errors import LostRaceError
from ocrjury.findings.raters import BiasTests
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.moves import Mover, Position, list_moves, moving
from ocrjury.store.results import Result, add_results, latest_results
from ocrjury.store.rounds import close_round

RATED = Step("9", "rated", "complete")


def test_the_loser_of_a_race_writes_nothing(engine, evaluation, now):
    position = Position(evaluation, "collecting", 2)
    with moving(engine, position, RATED, mover=Mover(now)):
        pass

    with pytest.raises(LostRaceError, match="no longer collecting at version 2"):
        with moving(engine, position, RATED, mover=Mover(now)) as connection:
            _add_result(connection, evaluation, now)

    assert latest_results(engine, evaluation, "agreement") == {}
    assert [move.row for move in list_moves(engine, evaluation)] == ["1", "7", "9"]


def test_eight_threads_win_once(engine, evaluation, now):
    position = Position(evaluation, "collecting", 2)
    won = []

    def race():
        try:
            with moving(engine, position, RATED, mover=Mover(now)) as connection:
                _add_result(connection, evaluation, now)
            won.append(True)
        except LostRaceError:
            won.append(False)

    threads = [threading.Thread(target=race) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert sorted(won) == [False] * 7 + [True]
    assert len(latest_results(engine, evaluation, "agreement")) == 1


def test_an_error_inside_a_step_leaves_everything_as_it_was(engine, evaluation, now):
    position = Position(evaluation, "collecting", 2)

    with pytest.raises(ZeroDivisionError):
        with moving(engine, position, RATED, mover=Mover(now)) as connection:
            close_round(connection, evaluation, by="complete", now=now)
            _add_result(connection, evaluation, now)
            1 / 0  # noqa: B018

    row = read_evaluation(engine, evaluation)
    assert (row.state, row.version) == ("collecting", 2)
    assert latest_results(engine, evaluation, "agreement") == {}


def test_a_hold_keeps_why_and_from_where(engine, evaluation, now):
    hold = Step("13", "held", "overdue")
    with moving(
        engine, Position(evaluation, "collecting", 2), hold, mover=Mover(now), reason="3 of 4"
    ):
        pass

    row = read_evaluation(engine, evaluation)
    assert (row.state, row.held_reason, row.held_from, row.held_detail) == (
        "held",
        "overdue",
        "collecting",
        "3 of 4",
    )


def test_leaving_a_hold_forgets_it(engine, evaluation, now):
    for version, (state, step) in enumerate(
        [("collecting", Step("13", "held", "overdue")), ("held", Step("26", "collecting"))], 2
    ):
        with moving(engine, Position(evaluation, state, version), step, mover=Mover(now)):
            pass

    row = read_evaluation(engine, evaluation)
    assert (row.held_reason, row.held_from, row.held_detail) == (None, None, None)


def _add_result(connection, evaluation, now):
    add_results(connection, evaluation, [Result(1, "agreement", "*", BiasTests(), "h")], now=now)
