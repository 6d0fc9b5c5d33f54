"""Creation of the tables, and the triggers that make those of human data insert-only."""

import sqlalchemy as sa

from ocrjury.store.schema import (
    course,
    findings,
    intake,
    material,  # noqa: F401  # every table is known to `metadata` once it is imported
    people,
    rating,
)
from ocrjury.store.schema.columns import metadata

INSERT_ONLY = tuple(
    table.name
    for table in (
        *(course.moves, course.decisions, course.purges),
        *(rating.ratings, rating.set_aside),
        *(findings.verdicts, findings.results, findings.truths, findings.reports),
        *(findings.deliveries, findings.sendings),
        *(intake.quarantine, people.audit),
    )
)
"""Tables whose rows never change: a correction is a new row (triggers guard it)."""

_DELETABLE = {"audit": "exists (select 1 from purges where subject = 'audit' and before > old.at)"}


def create_tables(connection: sa.Connection) -> None:
    """Create every table, and guard those whose rows never change."""
    metadata.create_all(connection, checkfirst=False)
    for table in INSERT_ONLY:
        forbid_changes(connection, table, deletable=_DELETABLE.get(table))


def forbid_changes(connection: sa.Connection, table: str, *, deletable: str | None = None) -> None:
    """Make updates and deletes of a table fail with a sentence.

    Parameters
    ----------
    deletable
        A condition on `old` under which a row may be deleted all the same.
    """
    refusal = f"'rows of {table} never change: insert a new row instead'"
    if connection.dialect.name == "sqlite":
        for event in ("update", "delete"):
            when = f"when not {deletable} " if deletable and event == "delete" else ""
            connection.exec_driver_sql(
                f"create trigger {table}_no_{event} before {event} on {table} {when}"
                f"begin select raise(abort, {refusal}); end"
            )
        return
    passed = f"if tg_op = 'DELETE' and {deletable} then return old; end if;" if deletable else ""
    connection.exec_driver_sql(
        f"create or replace function forbid_changes_{table}() returns trigger language plpgsql as "
        f"$$ begin {passed} raise exception {refusal}; end $$"
    )
    connection.exec_driver_sql(
        f"create trigger {table}_insert_only before update or delete on {table} "
        f"for each row execute function forbid_changes_{table}()"
    )
