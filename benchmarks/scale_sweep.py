"""What a sweep costs in a store with many evaluations about which nothing is new.

Run by `benchmarks.scale` in an empty folder, as flow runs against a real Prefect server. Every
tenth evaluation is held, the next collects, the others are closed; all moved in the last day.
"""

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
import sqlalchemy as sa
from prefect.settings import PREFECT_API_URL
from prefect.testing.utilities import prefect_test_harness

from benchmarks.scale_lists import OPEN_SHARE, copy_evaluation
from benchmarks.scale_world import Meter, whole_evaluation, write_campaign, write_pool
from ocrjury.evaluation.case import Work, at_work
from ocrjury.flows import advance_evaluation as flows
from ocrjury.store.database import Connection, writing
from ocrjury.store.evaluations import list_evaluations
from ocrjury.store.links import add_link
from ocrjury.store.schema.course import decisions, evaluations, moves
from ocrjury.store.schema.findings import results, verdicts
from ocrjury.store.schema.rating import assignments, ratings, rounds

POOL, N, SWEEPS = 5_000, 1_000, 3
"""Documents of the pool and of each sample; sweeps that are measured after the first."""


def main(folder: Path, count: int) -> None:
    """Fill a store; print what its first sweep costs, and the least of those after it."""
    os.environ["OCRJURY_HOME"] = str(folder / "home")
    campaign = write_campaign(folder, folder / "pool.jsonl", n=N, frontend="simulated")
    write_pool(folder / "pool.jsonl", POOL)
    whole_evaluation(campaign, now=datetime.now(UTC) - timedelta(hours=1), meter=Meter())
    del os.environ["OCRJURY_CLOCK"]
    with at_work() as work:
        fill(work, count)
    with prefect_test_harness(server_startup_timeout=120):
        costs = [_sweep_elsewhere(PREFECT_API_URL.value()) for _ in range(1 + SWEEPS)]
    least = min(costs[1:], key=lambda cost: float(cost["milliseconds"]))
    for name, cost in (("first", costs[0]), ("idle", least)):
        print(json.dumps({"list": name, **cost}), flush=True)


def _sweep_elsewhere(server: str) -> dict[str, Any]:
    """Cost of a sweep in a process of its own, as a worker starts one for each run."""
    printed = subprocess.run(  # ourselves
        [sys.executable, "-m", "benchmarks.scale_sweep"],
        env={**os.environ, "PREFECT_API_URL": server},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=600,
    ).stdout
    found: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return found


def fill(work: Work, count: int) -> None:
    """Copy the finished evaluation, in other states, until there are so many."""
    [source] = [row.evaluation for row in list_evaluations(work.engine)]
    for number in range(1, count):
        state = {0: "held", 1: "collecting"}.get(number % OPEN_SHARE, "closed")
        name = f"copy-{number:04d}"
        if state != "collecting":
            copy_evaluation(work.engine, source, name, state=state)
            continue
        copy_evaluation(work.engine, source, name, state=state, wanted=_of_first_round)
        with writing(work.engine) as connection:
            _begin_again(connection, source, name, now=work.now)


def _of_first_round(table: sa.Table) -> "sa.ColumnElement[bool]":
    """Whether a row was there when the first main round was open."""
    if table in (verdicts, results, decisions):
        return sa.false()
    if table is moves:
        return table.c.version == 1
    return table.c.round == 1 if "round" in table.c else sa.true()


def _begin_again(connection: Connection, source: str, name: str, *, now: datetime) -> None:
    """Let half of a copy's first round wait for raters of the page, who have their links."""
    of_copy, opened = evaluations.c.evaluation == name, {"state": "open", "frontend": "web"}
    config = dict(connection.execute(sa.select(evaluations.c.config).where(of_copy)).scalar_one())
    config["rounds"] = {**config["rounds"], "frontend": "web"}
    as_new = {"config": config, "simulated": False}
    connection.execute(sa.update(evaluations).where(of_copy).values(**as_new))
    round_ = sa.update(rounds).where(rounds.c.evaluation == name)
    deadline = now + timedelta(days=10)
    connection.execute(round_.values(**opened, closed_at=None, closed_by=None, deadline=deadline))
    own = sa.and_(assignments.c.evaluation == name, assignments.c.position % 2 == 0)
    connection.execute(sa.update(assignments).where(own).values(state="open"))
    _copy_ratings(connection, source, name)
    raters = sa.select(assignments.c.rater.distinct()).where(own)
    for rater in connection.execute(raters).scalars().all():
        add_link(connection, name, rater, number=1, created_by="lead", now=now)


def _copy_ratings(connection: Connection, source: str, name: str) -> None:
    """Copy the ratings of assignments that are done in a copy."""
    done = sa.select(assignments.c.assignment).where(
        assignments.c.evaluation == name, assignments.c.state == "done"
    )
    renamed = sa.func.replace(ratings.c.assignment, source, name)
    chosen = [
        renamed
        if column.name == "assignment"
        else sa.literal(f"{name}-").concat(column)
        if column.name in {"rating_id", "event_id"}
        else column
        for column in ratings.c
    ]
    query = sa.select(*chosen).where(renamed.in_(done))
    connection.execute(sa.insert(ratings).from_select([*ratings.c.keys()], query))


def cost_of_sweep() -> dict[str, Any]:
    """Processor and wall time of a sweep inside its flow run, its statements and requests."""
    sent: list[str] = []
    waits: list[float] = []
    cost: dict[str, Any] = {}
    sweep, send = flows.sweep, httpx.Client.send

    def measured() -> Any:
        del waits[:], sent[:]  # of the run itself
        start, wall = time.process_time(), time.perf_counter()
        end = sweep()
        cost["milliseconds"] = 1000 * (time.process_time() - start)
        cost["wall"] = 1000 * (time.perf_counter() - wall)
        cost.update(statements=len(sent), requests=len(waits), waited=1000 * sum(waits))
        cost["load"] = os.getloadavg()[0]
        return end

    def asking(client: httpx.Client, request: httpx.Request, **options: Any) -> httpx.Response:
        start = time.perf_counter()
        answer = send(client, request, **options)
        waits.append(time.perf_counter() - start)
        return answer

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(flows, "sweep", measured))
        stack.enter_context(mock.patch.object(httpx.Client, "send", asking))
        sa.event.listen(sa.Engine, "before_cursor_execute", note)
        stack.callback(sa.event.remove, sa.Engine, "before_cursor_execute", note)
        flows.advance_evaluation()
    return cost


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]), int(sys.argv[2]))
    else:
        print(json.dumps(cost_of_sweep()))
