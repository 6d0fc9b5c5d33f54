"""Whom the drill of `tests.drill.live` kills is there to be killed, and what it saw is kept."""

import sys

import pytest

from ocrjury.campaign.history import OPEN_STATES
from ocrjury.deployments.direct_runs import COMMAND
from ocrjury.deployments.installation import Installation
from ocrjury.deployments.local import page_of, server_of, worker_of
from tests.drill import live, outcomes
from tests.drill.outcomes import Outcome, keep, page, seen
from tests.drill.trials import (
    COMMANDS,
    EVER,
    ON_SQLITE,
    REASONS,
    STATES,
    UNOPENED,
    VICTIMS,
    Trial,
    trials,
)

SEEN = Outcome(Trial("sqlite", "run", UNOPENED), "unopened, 1 killed", 95.2, 61.7, "equal")


@pytest.fixture(autouse=True)
def done(tmp_path, monkeypatch):
    """Where this drill keeps what it saw."""
    monkeypatch.setattr(outcomes, "DONE", tmp_path / "drill" / "outcomes.jsonl")
    return outcomes.DONE


def test_every_program_is_known_by_the_command_that_starts_it(tmp_path):
    installation = Installation(tmp_path, 4200)
    programs = {"server": server_of, "worker": worker_of, "page": page_of}
    commands = {name: " ".join(of(installation).command) for name, of in programs.items()}
    commands["run"] = COMMAND

    assert {name for name, command in commands.items() if COMMANDS[name] in command} == {*commands}
    assert set(COMMANDS) < set(ON_SQLITE)


def test_the_drill_comes_to_every_state_in_which_an_evaluation_is_open_and_before():
    assert set(STATES) == {*OPEN_STATES}
    everywhere = {victim for victim, states in ON_SQLITE.items() if states == EVER}
    assert everywhere == {"run", "worker", "up, SIGTERM"}
    assert VICTIMS["postgresql"]["run"] == EVER
    assert VICTIMS["postgresql"]["database"] == STATES
    assert 90 < sum(len([*trials(database)]) for database in VICTIMS) < 98  # two are undisturbed


def test_the_page_of_results_says_why_a_victim_is_not_tried_elsewhere():
    spared = {
        victim
        for victims in VICTIMS.values()
        for victim, states in victims.items()
        if states != EVER
    }

    text = page([], [SEEN])

    assert "| sqlite | run | unopened | unopened, 1 killed | 62 | 95 | equal |" in text
    assert all(f"| {REASONS[victim]} |" in text for victim in spared)


def test_a_drill_goes_on_with_what_it_saw_and_refuses_what_measured_something_else(
    done, monkeypatch, capsys
):
    keep([SEEN])
    known = seen()
    done.write_text('[["sqlite", "run", "opened"], "opened, 1 killed", 94.1, "equal"]\n')
    monkeypatch.setattr(sys, "argv", ["live", "--resume"])

    with pytest.raises(SystemExit):
        live.main()

    assert known == [SEEN]
    said = capsys.readouterr().err
    assert "does not hold trial, hit, seconds, healing, result" in said
    assert "begin without --resume" in said


def test_up_is_ended_at_any_moment_of_a_state(monkeypatch):
    pauses, place = [], live.Place.__new__(live.Place)
    place.reached = {"opened": 10.0, "scored": 14.0, "closed": 20.0}
    for name in ("state", "stop", "start"):
        monkeypatch.setattr(place, name, lambda *_: "opened")
    monkeypatch.setattr(live.time, "sleep", pauses.append)
    monkeypatch.setattr(live.random, "uniform", lambda least, most: most)

    live.restart(place, Trial("sqlite", "up, SIGTERM", "opened"), lasts=place.lengths())

    assert place.lengths() == {"opened": 4.0, "scored": 6.0}
    assert pauses == [4.0, 3]
