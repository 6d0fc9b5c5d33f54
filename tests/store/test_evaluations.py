import pytest

from ocrjury.campaign.history import Step
from ocrjury.campaign.rubric import Rubric
from ocrjury.errors import InputError, StateError
from ocrjury.store.database import writing
from ocrjury.store.evaluations import (
    add_evaluation,
    list_evaluations,
    list_unfinished,
    list_with_unreadable,
    read_evaluation,
    read_rubric,
)
from ocrjury.store.moves import Mover, Position, moving
from tests.another_version import REASON, of_another_version
from tests.store.conftest import RUBRIC, opening


def open_(engine, now, **changes):
    with writing(engine) as connection:
        return add_evaluation(connection, opening(**changes), now=now, actor="a", run_id=None)


def test_a_campaign_and_period_open_once(engine, now):
    assert open_(engine, now) == ("claims-2026w47", True)
    assert open_(engine, now) == ("claims-2026w47", False)
    assert open_(engine, now, period="2026w48") == ("claims-2026w48", True)


def test_after_an_abort_the_next_one_is_numbered(engine, now):
    name, _ = open_(engine, now)
    with moving(engine, Position(name, "opened", 1), Step("31", "aborted"), mover=Mover(now)):
        pass

    assert open_(engine, now) == ("claims-2026w47-2", True)
    assert list_unfinished(engine) == ["claims-2026w47-2"]


def test_a_name_that_another_campaign_and_period_make_gets_a_number(engine, now):
    assert open_(engine, now, campaign="claims", period="late-1") == ("claims-late-1", True)
    assert open_(engine, now, campaign="claims-late", period="1") == ("claims-late-1-2", True)
    assert open_(engine, now, campaign="claims-late", period="1") == ("claims-late-1-2", False)


def test_what_was_fixed_at_the_opening_is_read_back(engine, now):
    name, _ = open_(engine, now, seed=2**40)

    row = read_evaluation(engine, name)

    assert (row.seed, row.opened_at, row.raters) == (2**40, now, ["R01", "R02", "A01"])
    assert read_rubric(engine, row.rubric_hash) == Rubric.model_validate(RUBRIC)


def test_an_unknown_name_lists_those_there_are(engine, now):
    with pytest.raises(InputError, match="there is none yet"):
        read_evaluation(engine, "claims")

    open_(engine, now)

    with pytest.raises(InputError, match=r"no evaluation is called 'clams'; .* claims-2026w47"):
        read_evaluation(engine, "clams")


@pytest.mark.parametrize(
    ("reason", "swept"), [("overdue", True), ("no_ratings", True), ("gate_failed", False)]
)
def test_a_sweep_leaves_out_what_waits_for_a_decision(engine, now, reason, swept):
    name, _ = open_(engine, now)
    hold = Step("13", "held", reason)
    with moving(engine, Position(name, "opened", 1), hold, mover=Mover(now)):
        pass

    assert (name in list_unfinished(engine)) is swept
    assert [row.evaluation for row in list_evaluations(engine)] == [name]


def test_one_that_another_version_opened_hides_no_other(engine, now):
    open_(engine, now)
    open_(engine, now, period="2026w48")

    with of_another_version(engine, "claims-2026w47"):
        readable, [unreadable] = list_with_unreadable(engine)
        assert list_evaluations(engine) == readable
        with pytest.raises(StateError) as caught:
            read_evaluation(engine, "claims-2026w47")

    assert [row.evaluation for row in readable] == ["claims-2026w48"]
    assert unreadable.reason.startswith(f"claims-2026w47 {REASON}")
    assert str(caught.value) == unreadable.reason
