"""Lists of a store with many evaluations: what they cost, and what stands first."""

from datetime import timedelta
from types import SimpleNamespace

import pytest

from ocrjury.campaign.history import Step
from ocrjury.frontends.web.desk.evaluation_view import list_view
from ocrjury.store.database import writing
from ocrjury.store.moves import Mover, Position, moving
from ocrjury.store.rounds import change_round
from tests.cli.conftest import NOW, an_item, opened_for


@pytest.fixture
def lists(run, store):
    """What lists evaluations, each of which returns something in which all names stand."""
    site = SimpleNamespace(store=store, now=lambda: NOW)
    lead = SimpleNamespace(site=site, sees=lambda _: True)
    return {
        "status": lambda: run("status").out,
        "evaluation list": lambda: run("evaluation", "list").out,
        "desk": lambda: " ".join(body.evaluation for body in list_view(lead).evaluations),
    }


@pytest.mark.parametrize("name", ["status", "evaluation list", "desk"])
def test_many_evaluations_take_as_many_statements_as_one(name, lists, store, collect, statements):
    collect(an_item("d1"))
    statements.clear()
    lists[name]()
    of_one = len(statements)
    for week in range(1, 6):
        collect(an_item("d1"), evaluation=opened_for(store, f"2026w0{week}"))
    statements.clear()

    listed = lists[name]()

    assert listed.count("korean-claims-2026w") == 6
    assert 0 < len(statements) == of_one


@pytest.mark.parametrize("name", ["status", "desk"])
def test_what_needs_a_lead_comes_first(name, lists, store, collect, opened):
    late, newest = (opened_for(store, period) for period in ("2026w48", "2026w49"))
    for evaluation in (late, newest):
        collect(an_item("d1"), evaluation=evaluation)
    with writing(store.engine) as connection:
        change_round(connection, late, deadline=NOW - timedelta(hours=1))
    step = Step("20", "held", "gate_failed")
    with moving(store.engine, Position(opened, "opened", 1), step, mover=Mover(NOW), reason="x"):
        pass

    listed = lists[name]()

    assert listed.index(opened) < listed.index(late) < listed.index(newest)
