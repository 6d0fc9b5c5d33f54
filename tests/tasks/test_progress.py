"""How far a step is: its bar, and its words on the command line."""

import importlib
import pkgutil

import pytest
from prefect import Task

import ocrjury.tasks as bars
from ocrjury.campaign.decisions import DECISIONS
from ocrjury.campaign.state import TABLE
from ocrjury.flows.advance_evaluation import STEPS
from ocrjury.scoring.pool_run import Progress
from ocrjury.signals.run_progress import PART, step_words
from ocrjury.tasks.scoring import Ticker


@pytest.fixture
def shown(monkeypatch):
    """What a step shows, from its beginning on, in a run that somebody watches."""
    told = []
    monkeypatch.setattr(bars, "SECONDS_BETWEEN", 0.0)
    monkeypatch.setattr(bars, "is_run", lambda: True)

    def create(percent, *, description):
        told.append(("new", percent, description))
        return "the bar"

    def update(bar, percent, *, description):
        told.append((bar, percent, description))

    monkeypatch.setattr(bars, "create_progress_artifact", create)
    monkeypatch.setattr(bars, "update_progress_artifact", update)
    return told


def test_scoring_fills_one_bar(shown):
    tick = Ticker()

    tick(Progress(rows=34_000, batches=2, kept=1, total=100_000))
    tick(Progress(rows=100_001, batches=6, total=100_000))
    tick(Progress(rows=5))

    stopped = "; 1 batch of a run that was stopped"
    assert shown == [
        ("new", 34.0, f"scored 34,000 of about 100,000 outputs{stopped}"),
        ("the bar", 100.0, "scored 100,001 of about 100,000 outputs"),
        ("the bar", 0.0, "scored 5 outputs"),
    ]


def test_a_quick_step_and_one_outside_a_run_have_no_bar(shown, monkeypatch):
    with monkeypatch.context() as quick:
        quick.setattr(bars, "SECONDS_BETWEEN", 60.0)
        bars.Bar()(0.5, "half")
    monkeypatch.setattr(bars, "is_run", lambda: False)
    bars.Bar()(0.5, "half")

    assert shown == []


def test_every_step_has_words():
    written_down = {row.to for row in TABLE if not row.rests and (row.state, row.to) not in STEPS}
    opened = {row.what for row in TABLE if row.to == "collecting" and not row.rests}
    ends = {"decision": DECISIONS, "step.to": written_down, "step.what": opened}
    names = set()
    for module in pkgutil.iter_modules(bars.__path__, f"{bars.__name__}."):
        for each in vars(importlib.import_module(module.name)).values():
            if isinstance(each, Task) and not each.task_run_name.startswith(PART):
                _, _, end = each.task_run_name.rpartition("evaluation}-")
                names |= {*ends.get(end.strip("{}"), [end])}

    assert len(names) > 30
    told = {name: step_words(f"claims-2026w47-{name}") for name in sorted(names)}
    assert [name for name, words in told.items() if not words.startswith("claims-2026w47: ")] == []
