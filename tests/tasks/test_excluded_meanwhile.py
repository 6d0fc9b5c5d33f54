"""A lead excludes an item while a step that counts it is under way."""

from ocrjury.evaluation.case import at_work
from ocrjury.store.database import writing
from ocrjury.store.decisions import list_requests
from ocrjury.store.documents import list_items
from ocrjury.store.exclusions import NewExclusion, decide_exclusion, list_exclusions
from ocrjury.store.results import latest_results
from ocrjury.store.rounds import list_assignments
from ocrjury.tasks import collecting as collecting_task
from ocrjury.tasks import estimation as estimation_task
from ocrjury.tasks import gate as gate_task
from tests.tasks.conftest import QUICK
from tests.tasks.test_decision_paths import said

PLAIN = {**QUICK, "rounds": {"frontend": "file", "top_ups": 0}}


def exclude(small):
    """Exclude the first item of the sample, as a lead does at the desk."""
    item = next(one.item for one in small.stored(list_items) if one.purpose == "sample")
    with at_work() as work:
        standing = work.case(small.evaluation).standing
        new = NewExclusion(item, excluded=True, category="other", reason="blank", actor="kim")
        with writing(work.engine) as connection:
            decide_exclusion(connection, standing, new, address="cli", now=work.now)
    return item


def once_after(monkeypatch, module, name, act):
    """Let something happen as soon as a function of a module has returned, the first time."""
    function, happened = getattr(module, name), []

    def interrupted(*arguments, **options):
        found = function(*arguments, **options)
        if not happened:
            happened.append(act())
        return found

    monkeypatch.setattr(module, name, interrupted)
    return happened


def test_an_item_that_is_excluded_while_the_gate_judges_is_not_judged(small, monkeypatch):
    small.write(sampling={"n": 40}, **PLAIN).open()
    small.rate(say=said)
    excluded = once_after(monkeypatch, gate_task, "judge_last_round", lambda: exclude(small))

    small.advance_now()

    (row,) = small.stored(list_exclusions)
    assert excluded == [row.item]
    body = small.stored(latest_results, "agreement")["meaning"]
    assert body["n_items"] == 39


def test_an_item_that_is_excluded_while_the_pool_is_estimated_is_judged_again(small, monkeypatch):
    small.write(sampling={"n": 40}, **PLAIN).open()
    small.rate(say=said)
    once_after(monkeypatch, estimation_task, "estimate_results", lambda: exclude(small))

    end = small.advance_now()
    if end.name == "Held":
        end = small.decide("proceed")

    (request,) = small.stored(list_requests)
    assert (request.decision, request.outcome) == ("rerun judge", "taken")
    assert small.stored(latest_results, "agreement")["meaning"]["n_items"] == 39


def test_an_item_that_is_excluded_while_its_round_is_planned_is_asked_of_nobody(small, monkeypatch):
    small.write(sampling={"n": 40}, **PLAIN).open_only()
    excluded = once_after(
        monkeypatch, collecting_task, "plan_round_to_open", lambda: exclude(small)
    )

    small.advance_now()

    assert excluded[0] not in {row.item for row in small.stored(list_assignments)}
