"""Prefect answers with 200 rows at most, or fewer; whoever needs all of a list asks on."""

from datetime import UTC, datetime

import httpx
import pytest

from ocrjury.deployments import prefect_api
from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.signals import ended_runs

ROWS = 450
NOW = datetime(2026, 11, 29, tzinfo=UTC)


def row(number):
    """A row that is a run, a deployment, a worker and all else."""
    facts = {"id": f"{number:04}", "name": f"n{number}", "status": "ONLINE", "tags": []}
    moment = NOW.isoformat()
    run = {"state_type": "CRASHED", "flow_id": "f", "parameters": {"evaluation": f"e{number}"}}
    state = {"timestamp": moment, "message": ""}
    return {**facts, **run, "state": state, "expected_start_time": moment}


@pytest.fixture(params=[200, 50])
def api(monkeypatch, request):
    def many(_method, address, *, json=None, **_options):
        """What a server answers that has many rows of everything, and pages of this size."""
        body = json or {}
        start, most = body.get("offset", 0), min(body.get("limit", 200), request.param)
        rows = [row(number) for number in range(ROWS)]
        return httpx.Response(200, json=rows[start:][:most], request=httpx.Request("POST", address))

    monkeypatch.setattr(prefect_api, "request", many)
    monkeypatch.setattr(ended_runs, "request", many)
    return PrefectApi("http://127.0.0.1:4200/api")


@pytest.mark.parametrize(
    "listed",
    [
        lambda api: api.unfinished_runs("pool"),
        lambda api: api.live_workers("pool"),
        PrefectApi.waiting_runs,
        PrefectApi.flow_names,
        PrefectApi.deployments,
        PrefectApi.automations,
    ],
)
def test_a_list_has_all_rows(api, listed):
    assert len(listed(api)) == ROWS


@pytest.mark.usefixtures("api")
def test_all_runs_that_ended_badly_are_known():
    ended = ended_runs.EndedRuns("http://127.0.0.1:4200/api", None, now=NOW)

    assert len(ended.runs) == ROWS


@pytest.mark.usefixtures("api")
def test_a_list_of_the_first_few_is_asked_for_once():
    assert (
        len(ended_runs.ask("http://127.0.0.1", "/flow_runs/filter", {"limit": 20}, key=None)) == 20
    )
