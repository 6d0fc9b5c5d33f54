"""What is said of runs that are stuck is what the guide says."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from ocrjury.signals import ended_runs, stuck_runs
from ocrjury.signals.stuck_runs import StuckRun, explain

GUIDE = Path(__file__).resolve().parents[1] / "docs" / "operations.md"
OPEN = "ocrjury evaluation open FILE --period PERIOD"
AS_WELL = "the same, of an opening"
"""Beginning of a row about openings, whose message is that of the row above."""


def rows():
    """Message, place and remedy of each row of the guide, with the messages that it omits."""
    message = ""
    for line in GUIDE.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 5:
            message = message if cells[1].startswith(AS_WELL) else cells[1]
            yield message, cells[1].startswith(AS_WELL), cells[3]


def remedy_of(sentence, *, opening):
    """What the guide says to do where a sentence is read."""
    [remedy] = [
        remedy
        for message, of_openings, remedy in rows()
        if of_openings == opening and is_quoted(message, sentence)
    ]
    return remedy


def is_quoted(message, sentence):
    quoted = re.match(r"`(.+?)`", message)
    parts = re.split(r"NAME|\.\.\.", quoted[1]) if quoted else ["\0"]
    return all(part.strip(" .") in sentence for part in parts)


@pytest.mark.parametrize(
    ("trouble", "command"),
    [("blocked", ""), ("late", ""), ("crashed", ""), ("failed", ""), ("crashed", OPEN),
     ("failed", OPEN)],
)  # fmt: skip
def test_guide_and_program_tell_the_same_remedy(trouble, command):
    run = StuckRun("claims-open", trouble, datetime.now(UTC), command=command)

    explained = explain(run, moment="09:00")

    assert remedy_of(explained.sentence, opening=bool(command)).startswith(explained.remedy)


def test_a_decision_whose_run_ended_in_the_middle_may_have_to_be_taken_again():
    run = StuckRun(
        "w1-extend", "crashed", datetime.now(UTC), evaluation="claims-w1", decision="extend"
    )

    assert explain(run, moment="09:00").remedy == (
        "The decision extend may be lost: if `ocrjury evaluation show claims-w1` does not list it, "
        "take it again."
    )


@pytest.mark.parametrize(
    ("request_", "decision"), [({}, "extend"), ({"request": "claims-w1/3/1"}, "")]
)
def test_a_run_is_known_by_the_decision_of_a_form_but_one_of_a_command_was_stored(
    now, monkeypatch, request_, decision
):
    run = {
        "id": "1",
        "name": "w1-extend",
        "state_type": "CRASHED",
        "tags": [],
        "parameters": {"evaluation": "claims-w1", "decision": "extend", **request_},
        "expected_start_time": now.isoformat(),
        "deployment_id": None,
    }
    monkeypatch.setattr(stuck_runs, "ask", lambda *_, **__: [])
    monkeypatch.setattr(stuck_runs, "EndedRuns", lambda *_, **__: Ended([run]))

    [found] = stuck_runs.list_stuck("http://prefect/api", key=None, now=now)

    assert (found.trouble, found.decision) == ("crashed", decision)


class Ended:
    """Runs that ended, of which nothing more is known."""

    def __init__(self, runs):
        self.runs, self.lost = runs, []

    def command(self, _run):
        return ""

    def is_settled(self, _run):
        return False


class Prefect:
    """A server that knows runs which a worker took, and is told to put some of them back."""

    def __init__(self, **taken):
        moments = {name: moment.isoformat() for name, moment in taken.items()}
        self.runs = [
            {"id": name, "name": name, "state": {"timestamp": moment}}
            for name, moment in moments.items()
        ]
        self.told = []

    def ask(self, _method, address, *, json, **_):
        if address.endswith("/set_state"):
            self.told.append((address.split("/")[-2], json["state"]["type"]))
        taken = json.get("flow_runs", {}).get("state") == {"type": {"any_": ["PENDING"]}}
        return httpx.Response(200, json=self.runs if taken else [], request=httpx.Request("G", "/"))


def test_a_run_that_a_killed_worker_took_and_never_began_is_put_back(now, monkeypatch):
    prefect = Prefect(forgotten=now - timedelta(minutes=31), begins=now - timedelta(minutes=29))
    monkeypatch.setattr(ended_runs, "request", prefect.ask)

    assert ended_runs.begin_again("http://prefect/api", key=None, now=now) == ["forgotten"]
    assert prefect.told == [("forgotten", "SCHEDULED")]
