"""How far a step is: its bar, and its words on the command line."""

import importlib
import pkgutil
import re
import threading
from itertools import groupby

import pytest
from prefect import Task

import ocrjury.tasks as bars
from ocrjury.campaign.decisions import DECISIONS
from ocrjury.campaign.state import TABLE
from ocrjury.evaluation import scored_pool
from ocrjury.evaluation.case import at_work
from ocrjury.flows.advance_evaluation import STEPS
from ocrjury.scoring.pool_run import Progress, score_one_by_one
from ocrjury.signals.run_progress import PART, step_words
from tests.tasks.conftest import QUIET


class Shown(list):
    """What a step shows; `wait` returns when as many changes were shown."""

    def __init__(self):
        super().__init__()
        self.changed = threading.Condition()

    def append(self, change):
        with self.changed:
            super().append(change)
            self.changed.notify_all()

    def wait(self, count):
        with self.changed:
            assert self.changed.wait_for(lambda: len(self) >= count, timeout=60)


@pytest.fixture
def shown(monkeypatch):
    """What a step shows, from its beginning on, in a run that somebody watches."""
    changes = Shown()
    monkeypatch.setattr(bars, "SECONDS_BETWEEN", 0.01)
    monkeypatch.setattr(bars, "LONGEST_ANSWER", 60.0)
    monkeypatch.setattr(bars, "is_run", lambda: True)

    def create(percent, *, description):
        changes.append(("new", percent, description))
        return "the bar"

    def update(bar, percent, *, description):
        changes.append((bar, percent, description))

    monkeypatch.setattr(bars, "create_progress_artifact", create)
    monkeypatch.setattr(bars, "update_progress_artifact", update)
    return changes


def test_a_step_fills_one_bar_while_it_lasts(shown):
    with bars.Bar() as bar:
        bar(0.25, "part 2 of 4: agreement")
        shown.wait(1)
        bar(0.75, "part 4 of 4: truths")
        shown.wait(2)

    assert shown == [
        ("new", 25.0, "part 2 of 4: agreement"),
        ("the bar", 75.0, "part 4 of 4: truths"),
        ("the bar", 100.0, "part 4 of 4: truths"),
    ]


def test_the_bar_of_a_step_that_fails_stays_where_it_failed(shown):
    with pytest.raises(ValueError, match="broken"), bars.Bar() as bar:
        bar(0.25, "part 2 of 4: agreement")
        shown.wait(1)
        raise ValueError("broken")

    assert shown == [("new", 25.0, "part 2 of 4: agreement")]


def test_a_quick_step_and_one_outside_a_run_have_no_bar(shown, monkeypatch):
    with monkeypatch.context() as quick:
        quick.setattr(bars, "SECONDS_BETWEEN", 60.0)
        with bars.Bar() as bar:
            bar(0.5, "half")
    monkeypatch.setattr(bars, "is_run", lambda: False)
    with bars.Bar() as bar:
        bar(0.5, "half")
        assert "bar" not in {thread.name for thread in threading.enumerate()}

    assert shown == []


def test_a_server_that_shows_no_bar_stops_no_step(shown, monkeypatch):
    tries = Shown()

    def refuse(percent, *, description):
        tries.append((percent, description))
        raise ConnectionError("the server is away")

    monkeypatch.setattr(bars, "create_progress_artifact", refuse)
    with bars.Bar() as bar:
        bar(0.5, "half")
        tries.wait(2)

    assert set(tries) == {(50.0, "half")}
    assert shown == []


def test_scoring_tells_how_many_outputs_are_scored(small, monkeypatch):
    changes = []
    small.write().open_only()

    def scored(*_, tick, **__):
        tick(Progress(rows=34_000, batches=2, kept=1, total=100_000))
        tick(Progress(rows=100_001, batches=6, total=100_000))
        tick(Progress(rows=5))
        raise FileNotFoundError

    monkeypatch.setattr(scored_pool, "score_pool_in_batches", scored)
    with at_work() as work, pytest.raises(scored_pool.LostRaceError):
        scored_pool.snapshot_of(
            work.case(small.evaluation),
            small.path.parent,
            engine=score_one_by_one,
            tick=lambda *change: changes.append(change),
        )

    stopped = "; 1 batch of a run that was stopped"
    assert changes == [
        (pytest.approx(0.306), f"scored 34,000 of about 100,000 outputs{stopped}"),
        (0.9, "scored 100,001 of about 100,000 outputs"),
        (0.0, "scored 5 outputs"),
    ]


def test_every_step_that_takes_long_tells_its_parts_one_by_one(small, monkeypatch):
    changes = []
    monkeypatch.setattr(bars.Bar, "__call__", lambda *change: changes.append(change))

    end = small.write(**QUIET).open()

    assert end.name == "Closed"
    steps = [
        [words for _, _, words in group] for _, group in groupby(changes, lambda change: change[0])
    ]
    parts = [[re.match(r"part (\d+) of (\d+): ", words) for words in step] for step in steps]
    whole = [step for step in parts if all(step)]
    assert [[(int(m[1]), int(m[2])) for m in step] for step in whole] == [
        [(number, len(step)) for number in range(1, len(step) + 1)] for step in whole
    ]
    assert len(parts) - len(whole) == 1  # scoring counts outputs
    begun = {words.partition(": ")[2] for step in steps for words in step}
    assert begun >= {
        "drawing documents",
        "storing the assignments",
        "simulating ratings",
        "agreement on meaning",
        "bias of the raters",
        "truths of the items",
        "means and shares on meaning",
        "earlier evaluations",
        "pages in en",
        "PDF in en",
    }


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
