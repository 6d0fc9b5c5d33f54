"""Whom the drill of `tests.drill.live` kills is there to be killed."""

from ocrjury.campaign.history import OPEN_STATES
from ocrjury.deployments.direct_runs import COMMAND
from ocrjury.deployments.installation import Installation
from ocrjury.deployments.local import page_of, server_of, worker_of
from tests.drill.live import COMMANDS, PROGRAMS, SERVERS, STATES


def test_every_program_is_known_by_the_command_that_starts_it(tmp_path):
    installation = Installation(tmp_path, 4200)
    programs = {"server": server_of, "worker": worker_of, "page": page_of}
    commands = {name: " ".join(of(installation).command) for name, of in programs.items()}
    commands["run"] = COMMAND

    assert {name for name, command in commands.items() if COMMANDS[name] in command} == {*commands}
    assert set(COMMANDS) == {one for one in PROGRAMS if not one.startswith("up")}


def test_the_drill_comes_to_every_state_in_which_an_evaluation_is_open():
    assert set(STATES) == {*OPEN_STATES}
    assert PROGRAMS["run"] == SERVERS["postgresql"]["database"] == STATES
