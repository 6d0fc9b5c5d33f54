"""Prefect's server as `ocrjury up` starts it: on a database of one's own, for a year."""

from contextlib import ExitStack

import psycopg
import pytest

from ocrjury.deployments import local
from ocrjury.deployments.installation import Installation
from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.deployments.supervision import Supervisor
from ocrjury.signals.own_server import own_password
from ocrjury.signals.server import request
from tests.conftest import new_database
from tests.flows.conftest import free_port

pytestmark = pytest.mark.prefect
AGES = range(0, 52, 4)
"""Weeks since a run ended, over a year; Prefect keeps 90 days."""


@pytest.fixture
def database(postgres_cluster, request):
    """A database of Prefect's own on a real PostgreSQL server."""
    with new_database(postgres_cluster, request) as url:
        yield url


@pytest.fixture
def api(database, tmp_path, monkeypatch):
    """Prefect's server of a new home, as it is started for `ocrjury up`."""
    address = database.replace("postgresql://", "postgresql+asyncpg://")
    monkeypatch.setenv("PREFECT_SERVER_DATABASE_CONNECTION_URL", address)
    monkeypatch.setenv("PREFECT_SERVER_SERVICES_DB_VACUUM_LOOP_SECONDS", "2")
    monkeypatch.delenv("PREFECT_HOME", raising=False)
    installation, supervisor = Installation(tmp_path / "home", free_port()), Supervisor(say=print)
    with ExitStack() as stack:
        stack.enter_context(local.only_one(installation))
        stack.callback(supervisor.stop)
        supervisor.start(local.server_of(installation))
        local.wait_until_healthy(installation, supervisor)
        yield PrefectApi(installation.api, key=own_password(installation.home), timeout=60)


def test_a_year_of_runs_lies_in_postgresql_and_goes_after_90_days(api, database, tmp_path, until):
    flow = post(api, "/flows/", {"name": "weekly"})["id"]
    runs = {age: ended_run(api, flow) for age in AGES}

    with psycopg.connect(database, autocommit=True, connect_timeout=60) as connection:
        ended = "UPDATE flow_run SET end_time = now() - %s::interval WHERE id = %s"
        for age, run in runs.items():
            connection.execute(ended, (f"{age} weeks", run))
        kept = {runs[0], runs[4], runs[8], runs[12]}
        until(lambda: in_column(connection, "artifact", "flow_run_id") == kept)

        assert in_column(connection, "flow_run", "id") == kept
    assert not list(tmp_path.rglob("prefect.db"))


def ended_run(api, flow):
    """A run that has ended, with an artifact."""
    state = {"type": "COMPLETED"}
    run = post(api, "/flow_runs/", {"flow_id": flow, "state": state})["id"]
    post(api, "/artifacts/", {"key": "page", "type": "markdown", "data": "", "flow_run_id": run})
    return run


def in_column(connection, table, column):
    """Values of a column of ids."""
    return {name for (name,) in connection.execute(f"SELECT {column}::text FROM {table}")}


def post(api, path, body):
    return request("POST", f"{api.address}{path}", key=api.key, json=body, timeout=60).json()
