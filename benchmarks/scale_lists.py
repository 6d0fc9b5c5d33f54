"""What lists of a store with many evaluations cost: ``status``, ``evaluation list``, desk index.

Run by `benchmarks.scale` on the store of a finished evaluation, which it copies in the database.
"""

import contextlib
import io
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import sqlalchemy as sa

from ocrjury.cli import main as ocrjury
from ocrjury.evaluation.case import at_work
from ocrjury.frontends.web.desk.evaluation_view import list_view
from ocrjury.store.database import Engine, writing
from ocrjury.store.evaluations import list_evaluations
from ocrjury.store.schema.course import decisions, evaluations, moves
from ocrjury.store.schema.findings import results, verdicts
from ocrjury.store.schema.material import documents, items
from ocrjury.store.schema.rating import assignments, rounds

if TYPE_CHECKING:
    from ocrjury.frontends.web.access.leads import Lead

TABLES = (evaluations, rounds, documents, items, assignments, verdicts, results, moves, decisions)
RENAMED = {"evaluation", "assignment"}
OPEN_SHARE = 10
"""Every tenth copy is held, the next collects."""
TRIES = 5


def copy_evaluation(
    engine: Engine,
    source: str,
    name: str,
    *,
    state: str,
    wanted: Callable[[sa.Table], sa.ColumnElement[bool]] = lambda _: sa.true(),
) -> None:
    """Copy what lists read of an evaluation under another name, in another state.

    `wanted` is the condition for the rows of a table that are copied, all unless given.
    """
    with writing(engine) as connection:
        for table in TABLES:
            chosen = [_renamed(column, source, name) for column in table.c]
            query = sa.select(*chosen).where(table.c.evaluation == source, wanted(table))
            connection.execute(sa.insert(table).from_select([*table.c.keys()], query))
        held = {"held_reason": "gate_failed", "held_from": "judged"} if state == "held" else {}
        connection.execute(
            sa.update(evaluations)
            .where(evaluations.c.evaluation == name)
            .values(state=state, **held)
        )


def _renamed(column: "sa.Column[Any]", source: str, name: str) -> "sa.ColumnElement[Any]":
    """Column of a copy; of a campaign there is one evaluation in a period."""
    if column.name == "period":
        return sa.literal(name).label(column.name)
    if column is decisions.c.decision:  # a key without the evaluation's name
        return sa.literal(f"{name}-").concat(column).label(column.name)
    return sa.func.replace(column, source, name) if column.name in RENAMED else column


def least_milliseconds(act: Callable[[], object]) -> float:
    """Processor time of an act, the least of several."""
    times = []
    for _ in range(TRIES):
        start = time.process_time()
        act()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def main(home: Path, count: int) -> None:
    """Print the milliseconds and the statements of each list."""
    os.environ["OCRJURY_HOME"] = str(home)
    with at_work() as work:
        there = list_evaluations(work.engine)
        for number in range(len(there), count):
            state = {0: "held", 1: "collecting"}.get(number % OPEN_SHARE, "closed")
            source = there[0].evaluation
            copy_evaluation(work.engine, source, f"copy-{number:04d}", state=state)
        site = SimpleNamespace(store=work.store, now=lambda: work.now)
        lead = cast("Lead", SimpleNamespace(site=site, sees=lambda _: True))
        acts: dict[str, Callable[[], object]] = {
            "`ocrjury status`": lambda: ocrjury(["status"]),
            "`ocrjury evaluation list`": lambda: ocrjury(["evaluation", "list"]),
            "desk index": lambda: list_view(lead),
        }
        for name, act in acts.items():
            print(json.dumps({"list": name, **_cost(act)}), flush=True)


def _cost(act: Callable[[], object]) -> dict[str, Any]:
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    with contextlib.redirect_stdout(io.StringIO()):
        sa.event.listen(sa.Engine, "before_cursor_execute", note)
        act()
        sa.event.remove(sa.Engine, "before_cursor_execute", note)
        return {"milliseconds": least_milliseconds(act), "statements": len(sent)}


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
