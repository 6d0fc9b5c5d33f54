import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from prefect import Task

import flows.advance_evaluation as advance
import tasks.decisions
import tasks.opening
from tasks.decisions import Target
from tasks.work import at_work

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "korean-claims"


class Chain:
    """An evaluation of a small campaign, moved by the flows' own functions without Prefect."""

    def __init__(self, folder, monkeypatch):
        self.path = folder / "campaign.yaml"
        self.monkeypatch = monkeypatch
        self.evaluation = None

    def write(self, **sections):
        """Write the example campaign, small, with changed keys of its sections."""
        campaign = yaml.safe_load((EXAMPLE / "campaign.yaml").read_text("utf-8"))
        campaign["pool"] = {"path": str(EXAMPLE / "fields.jsonl")}
        campaign["rubric"] = yaml.safe_load((EXAMPLE / "rubric.yaml").read_text("utf-8"))
        campaign["raters"]["file"] = str(EXAMPLE / "raters.csv")
        campaign["sampling"]["n"] = 90
        campaign["adaptive"] |= {"max_rounds": 1, "budget": 12}
        campaign["report"]["worst_items"] = 1
        campaign["simulation"] = {"default": {"noise": 0.3}}
        for section, changes in sections.items():
            campaign[section] = {**campaign.get(section, {}), **changes}
        self.path.write_text(yaml.safe_dump(campaign, allow_unicode=True), "utf-8")
        return self

    def at(self, day, hour=9):
        """Stop the clock."""
        moment = datetime(2026, 11, day, hour, tzinfo=UTC)
        self.monkeypatch.setenv("OCRJURY_CLOCK", moment.isoformat())
        return self

    def open(self):
        opened = tasks.opening.open_campaign.fn(
            str(self.path), period="p", seed=None, scheduled=datetime(2026, 11, 20, tzinfo=UTC)
        )
        self.evaluation = opened.evaluation
        return self.advance()

    def advance(self):
        return advance.advance_until_waiting(self.evaluation)

    def decide(self, decision, **target):
        """Decide, and go on."""
        tasks.decisions.take_decision.fn(
            self.evaluation,
            decision,
            reason="as the chair said",
            actor="J. Kim",
            target=Target(**target),
        )
        return self.advance()

    def stored(self, read, *arguments):
        """Return what a function of the store reads about this evaluation."""
        with at_work() as work:
            return read(work.engine, self.evaluation, *arguments)


@pytest.fixture
def chain(tmp_path, monkeypatch):
    for name, value in list(vars(advance).items()):
        if isinstance(value, Task):
            monkeypatch.setattr(advance, name, value.fn)
    plain = {key: getattr(step, "fn", step) for key, step in advance.STEPS.items()}
    monkeypatch.setattr(advance, "STEPS", plain)
    monkeypatch.setattr(advance, "get_run_logger", lambda: logging.getLogger("chain"))
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path / "home"))
    return Chain(tmp_path, monkeypatch).at(20)
