"""Gold and documents that are left for raters to practise on."""

import math
from collections import defaultdict
from collections.abc import Sequence

import sqlalchemy as sa

from ocrjury.store.database import Connection
from ocrjury.store.evaluations import Evaluation
from ocrjury.store.rows import same
from ocrjury.store.schema.course import decisions
from ocrjury.store.schema.material import gold, items
from ocrjury.store.schema.people import registries
from ocrjury.store.schema.rating import assignments

_NAMES: sa.BindParameter[list[str]] = sa.bindparam("names", expanding=True)
_KNOWN = (
    sa.select(gold.c.evaluation, gold.c.item)
    .where(gold.c.evaluation.in_(_NAMES))
    .distinct()
    .subquery()
)
_ITEMS = (
    sa.select(
        items.c.evaluation,
        sa.func.count().label("items"),
        sa.func.sum(sa.case((items.c.purpose == "gold", 1), else_=0)).label("gold"),
        sa.func.sum(
            sa.case((sa.and_(items.c.purpose == "gold", _KNOWN.c.item.is_not(None)), 1), else_=0)
        ).label("known"),
    )
    .outerjoin(_KNOWN, same(_KNOWN, items, "evaluation", "item"))
    .where(items.c.evaluation.in_(_NAMES))
    .group_by(items.c.evaluation)
)
_MET = (
    sa.select(
        assignments.c.evaluation,
        assignments.c.rater,
        sa.func.count(sa.distinct(assignments.c.item)).label("items"),
    )
    .join(items, same(items, assignments, "evaluation", "item"))
    .join(_KNOWN, same(_KNOWN, assignments, "evaluation", "item"))
    .where(assignments.c.evaluation.in_(_NAMES), items.c.purpose == "gold")
    .group_by(assignments.c.evaluation, assignments.c.rater)
)
_PEOPLE = sa.select(registries).where(registries.c.evaluation.in_(_NAMES))
_DROPS = sa.select(decisions.c.evaluation, decisions.c.target).where(
    decisions.c.evaluation.in_(_NAMES), decisions.c.kind == "drop"
)


def may_practise(connection: Connection, rows: Sequence[Evaluation]) -> set[str]:
    """Evaluations in which enough is left for at least one rater to practise on.

    That is gold outside the sample whose rating is known and that the rater never met, and
    documents of the pool that are no items yet. It takes as many statements for many evaluations
    as for one.
    """
    needed = {row.evaluation: row.config.rounds.pilot.practice_items for row in rows}
    if not rows:
        return set()
    known = dict.fromkeys(needed, 0)
    # A pool that was not counted is not known to be too small.
    fresh = {row.evaluation: row.pool_size or math.inf for row in rows}
    own_pool = {row.evaluation for row in rows if row.config.raters.gold_pool is not None}
    for counts in connection.execute(_ITEMS, {"names": list(needed)}):
        name = counts.evaluation
        # Gold of a pool of its own takes no document from the evaluation's pool.
        fresh[name] -= counts.items - (counts.gold if name in own_pool else 0)
        known[name] = counts.known
    enough = {name for name in needed if fresh[name] >= needed[name]}
    unsure = [
        row
        for row in rows
        if row.evaluation not in enough
        and fresh[row.evaluation] + known[row.evaluation] >= needed[row.evaluation]
    ]
    unmet = _most_unmet(connection, unsure, known) if unsure else {}
    return enough | {name for name, gold in unmet.items() if fresh[name] + gold >= needed[name]}


def _most_unmet(
    connection: Connection, rows: Sequence[Evaluation], known: dict[str, int]
) -> dict[str, int]:
    """Gold items that the rater who met the fewest has not met, by evaluation."""
    names = {"names": [row.evaluation for row in rows]}
    listed = {row.evaluation: set(row.raters) for row in rows}
    for drop in connection.execute(_DROPS, names):
        listed[drop.evaluation] -= set(drop.target.raters)
    met = {(row.evaluation, row.rater): row.items for row in connection.execute(_MET, names)}
    unmet: dict[str, int] = defaultdict(int)
    for person in connection.execute(_PEOPLE, names):
        name, rater = person.evaluation, person.rater
        if rater in listed[name] and person.entry["role"] == "rater":
            unmet[name] = max(unmet[name], known[name] - met.get((name, rater), 0))
    return unmet
