"""Questions of whoever watches an installation: is the store usable, and how much is open."""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from ocrjury.store.database import Engine, reading
from ocrjury.store.migrations import HEAD
from ocrjury.store.rows import same
from ocrjury.store.schema.course import evaluations, signals
from ocrjury.store.schema.rating import assignments, rounds


@dataclass(frozen=True, slots=True)
class Load:
    """Numbers of what is open in a store; names of nobody and nothing.

    Attributes
    ----------
    evaluations
        Number of evaluations by state.
    rounds
        Number of open rounds by frontend.
    overdue
        Number of open rounds whose deadline has passed.
    assignments
        Number of ratings that raters still owe in open rounds.
    signals
        Number of signals that Prefect has not taken yet.
    """

    evaluations: dict[str, int]
    rounds: dict[str, int]
    overdue: int
    assignments: int
    signals: int


def has_current_tables(engine: Engine) -> bool:
    """Return whether the tables have the version that this package works with.

    Another process of a newer version may have changed them since they were opened.
    """
    with reading(engine) as connection:
        revision = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return bool(revision == HEAD)


def count_load(engine: Engine, *, now: datetime) -> Load:
    """Count what is open, in one state of the database."""
    open_rounds, count = rounds.c.state == "open", sa.func.count()
    owed = (
        sa.select(count)
        .select_from(assignments)
        .join(rounds, same(assignments, rounds, "evaluation", "round"))
        .where(open_rounds, assignments.c.state == "open")
    )
    by_state = sa.select(evaluations.c.state, count).group_by(evaluations.c.state)
    by_frontend = sa.select(rounds.c.frontend, count).where(open_rounds)
    late = sa.select(count).select_from(rounds).where(open_rounds, rounds.c.deadline < now)
    unsent = sa.select(count).select_from(signals).where(signals.c.sent_at.is_(None))
    with reading(engine) as connection:
        return Load(
            dict(connection.execute(by_state).tuples().all()),
            dict(connection.execute(by_frontend.group_by(rounds.c.frontend)).tuples().all()),
            connection.execute(late).scalar_one(),
            connection.execute(owed).scalar_one(),
            connection.execute(unsent).scalar_one(),
        )
