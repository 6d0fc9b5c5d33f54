"""Outputs of several OCR systems for one page, as one rater has them; which is better."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.links import Link
from ocrjury.store.queue import RatingTask, read_task
from ocrjury.store.rows import same
from ocrjury.store.schema.intake import visits
from ocrjury.store.schema.material import documents, items
from ocrjury.store.schema.rating import assignments, rounds

BETTER, SAME, WORSE = 1, 0, -1


class PreferenceRow(NamedTuple):
    """Preference of a rater who saw all outputs of a page: one is `BETTER`, `SAME` or `WORSE`."""

    round: int
    item: str
    rater: str
    preference: int


def read_outputs(connection: Connection, link: Link, task: RatingTask) -> list[RatingTask]:
    """All outputs of a task's page that its rater sees together, in the stored order.

    They are of different systems, were compared with the same text, and are open or done alike;
    only the task itself where there is no other.
    """
    own = connection.execute(
        sa.select(documents.c.page_id, assignments.c.repeat)
        .join(items, same(items, assignments, "evaluation", "item"))
        .join(documents, same(documents, items, "evaluation", "doc_id"))
        .where(assignments.c.assignment == task.assignment)
    ).one()
    query = (
        sa.select(assignments.c.assignment, items.c.system)
        .join(items, same(items, assignments, "evaluation", "item"))
        .join(documents, same(documents, items, "evaluation", "doc_id"))
        .where(
            assignments.c.evaluation == task.evaluation,
            assignments.c.round == task.round,
            assignments.c.rater == task.rater,
            assignments.c.repeat == own.repeat,
            assignments.c.state == task.state,
            documents.c.page_id == own.page_id,
        )
        .order_by(assignments.c.position)
    )
    outputs = [
        (other, row.system)
        for row in connection.execute(query)
        if (other := read_task(connection, link, row.assignment)) is not None
        and _text_of(other) == _text_of(task)
    ]
    if len({system for _, system in outputs}) < len(outputs):
        outputs = [(other, system) for other, system in outputs if other.box == task.box]
    alone = len({system for _, system in outputs}) < max(len(outputs), 2)
    return [task] if alone else [other for other, _ in outputs]


def list_preferences(engine: Engine, evaluation: str) -> list[PreferenceRow]:
    """Newest preference about every output that was rated beside others.

    A rating of the same page that was handed in later without one takes it back.
    """
    query = (
        sa.select(
            *(assignments.c[name] for name in ("round", "item", "rater", "assignment")),
            visits.c.conditions,
        )
        .join(assignments, same(assignments, visits, "assignment"))
        .join(rounds, same(rounds, assignments, "evaluation", "round"))
        .where(
            assignments.c.evaluation == evaluation,
            assignments.c.state == "done",
            assignments.c.repeat == 0,
            rounds.c.kind == "main",
            visits.c.submitted_at.is_not(None),
        )
        .order_by(visits.c.submitted_at)
    )
    with reading(engine) as connection:
        newest = {row.assignment: row for row in connection.execute(query)}
    preferences = [
        PreferenceRow(row.round, row.item, row.rater, row.conditions["preference"])
        for row in newest.values()
        if (row.conditions or {}).get("preference") is not None
    ]
    return sorted(preferences)


def own_preferences(connection: Connection, names: Sequence[str]) -> dict[str, int]:
    """Newest submitted preference by assignment."""
    query = (
        sa.select(visits.c.assignment, visits.c.conditions)
        .where(visits.c.assignment.in_(list(names)), visits.c.submitted_at.is_not(None))
        .order_by(visits.c.submitted_at)
    )
    newest = {row.assignment: row.conditions or {} for row in connection.execute(query)}
    return {
        name: conditions["preference"]
        for name, conditions in newest.items()
        if conditions.get("preference") is not None
    }


def _text_of(task: RatingTask) -> Sequence[Any]:
    """Field kind, language and reference text of an output."""
    return task.kind, task.language, task.reference
