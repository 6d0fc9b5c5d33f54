"""Nothing is fitted or planned twice for one state of an evaluation."""

import pytest

import ocrjury.evaluation.inference
import ocrjury.truth.calibration
from ocrjury.evaluation import recalibration
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.preview import preview
from ocrjury.store.rounds import list_assignments
from ocrjury.truth import aggregate
from tests.tasks.conftest import documents
from tests.tasks.test_adaptive import level, past_the_gate, with_gold
from tests.tasks.test_recalibration import FILE, drawn

BLIND, TOLD, UNTOLD = ("dawid_skene", 0), ("dawid_skene", 1), ("dawid_skene", 0)
"""Fits by method, and whether they know gold: to calibrate, of the truths, and to check them."""


@pytest.fixture
def fits(monkeypatch):
    """Fits of a model since the test began, in order."""
    done = []

    def counted(table, *, method, gold=None, **options):
        done.append((method, int(bool(gold))))
        return aggregate(table, method=method, gold=gold, **options)

    for module in (ocrjury.evaluation.inference, ocrjury.truth.calibration):
        monkeypatch.setattr(module, "aggregate", counted)
    return done


def test_a_preview_infers_the_truths_once_with_gold_and_once_without(small, fits):
    with_gold(small, level)

    with at_work() as work:
        view = preview(work.case(small.evaluation))

    assert view.gold_check is not None
    assert view.round.kind == "adaptive"
    assert fits == [BLIND, TOLD, UNTOLD]


def test_the_steps_from_a_judgement_to_the_next_round_infer_once_for_each_state(small, fits):
    with_gold(small, level)

    past_the_gate(small)

    rated, judged = [BLIND, TOLD], [BLIND, TOLD, UNTOLD]
    assert small.rows()[-2:] == ["15", "21"]
    assert fits == rated + judged


def test_what_was_inferred_is_known_at_every_point_of_a_course(small, fits):
    with_gold(small, level)

    with at_work() as work:
        case = work.case(small.evaluation)
        preview(case)
        before = len(fits)
        preview(case.at(case.standing.history))

    assert before == len(fits) == 3


def test_the_pilot_of_a_recalibration_is_planned_once_in_the_step_that_opens_it(small, monkeypatch):
    plan_pilot, plans = recalibration.plan_pilot, []

    def counted(*arguments, **options):
        plans.append(plan_pilot(*arguments, **options))
        return plans[-1]

    monkeypatch.setattr(recalibration, "plan_pilot", counted)
    small.pool, small.dimensions = documents(260), ["meaning"]
    small.write(**FILE, gate={"on_fail": "recalibrate"}).open()
    small.rate(say=lambda one, _: drawn(one))

    small.advance()

    assert small.rows()[-2:] == ["15", "27"]
    (pilot,) = plans
    opened = {(row.item, row.rater) for row in small.stored(list_assignments) if row.round == 2}
    assert opened == {(row.item, row.rater) for row in pilot.plan.assignments}
