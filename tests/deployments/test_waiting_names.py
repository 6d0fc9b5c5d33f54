"""Runs that wait bear the name that they will have; real servers: tests/flows."""

import pytest

from ocrjury.campaign.bundled_example import EXAMPLE
from ocrjury.deployments import waiting_names
from ocrjury.deployments.waiting_names import WaitingNames
from ocrjury.errors import MissingDependencyError


class Server:
    """Waiting runs of a server, and what they were called afterwards."""

    def __init__(self):
        self.runs, self.renamed, self.asked = [], [], 0

    def add(self, flow, *, name="humble-bettong", tags=("ocrjury",), **parameters):
        number = str(len(self.runs))
        due = "2026-11-15T21:00:00Z"
        run = {"id": number, "name": name, "flow_id": flow, "deployment_id": "d"}
        more = {"tags": list(tags), "parameters": parameters, "expected_start_time": due}
        self.runs.append(run | more)

    def waiting_runs(self):
        self.asked += 1
        return self.runs

    def flow_names(self):
        return {run["flow_id"]: run["flow_id"] for run in self.runs}

    def deployments(self):
        fields = {"campaign": {"default": str(EXAMPLE)}, "evaluation": {}}
        return [{"id": "d", "parameter_openapi_schema": {"properties": fields}}]

    def rename(self, flow_run, name, *, tags):
        self.renamed.append((flow_run, name, tags))


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path))
    return Server()


def test_a_run_that_cannot_be_named_keeps_no_other_from_its_name(server):
    server.add("advance-evaluation", evaluation="claims-2026w46", reason="event")
    server.add("advance-evaluation", evaluation="claims-2026w47", reason="event")
    del server.runs[0]["expected_start_time"]

    WaitingNames(server).name_all()

    assert [name for _, name, _ in server.renamed] == ["claims-2026w47-advance"]


def test_what_an_event_or_a_schedule_starts_is_named_once(server):
    server.add("advance-evaluation", evaluation="claims-2026w47", reason="event")
    server.add("open-evaluation")
    server.add("advance-evaluation", name="sweep-schedule")
    server.add("of-another-program")
    names = WaitingNames(server)

    names.name_all()
    names.name_all()

    opening = "korean-claims-2026w47"
    assert server.renamed == [
        ("0", "claims-2026w47-advance", ["ocrjury"]),
        (
            "1",
            f"{opening}-r00-open",
            ["campaign:korean-claims", f"evaluation:{opening}", "ocrjury"],
        ),
    ]


def test_a_server_that_is_away_for_a_while_ends_nothing(server, monkeypatch):
    class Pause:
        def wait(self, _seconds):
            return server.asked > 1

    def away():
        server.asked += 1
        raise MissingDependencyError("away")

    monkeypatch.setattr(waiting_names.threading, "Event", Pause)
    monkeypatch.setattr(server, "waiting_runs", away)

    WaitingNames(server)._stay()

    assert server.asked == 2
