"""How far a step is: its bar, and its words on the command line."""

import pytest

import ocrjury.tasks as bars
from ocrjury.scoring.pool_run import Progress
from ocrjury.signals.run_progress import STEPS, step_words
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


@pytest.mark.parametrize("end", STEPS)
def test_every_step_has_words(end):
    assert step_words(f"claims-2026w47-{end}").startswith("claims-2026w47: ")
