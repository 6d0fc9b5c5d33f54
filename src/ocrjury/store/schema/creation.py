"""Creation of the tables, and the triggers that make those of human data insert-only."""

from collections.abc import Iterable, Iterator
from typing import Any

import sqlalchemy as sa

from ocrjury.store.schema import (
    course,
    findings,
    intake,
    material,
    people,
    rating,
)
from ocrjury.store.schema.columns import metadata

TABLES = tuple(metadata.sorted_tables)
"""All tables; those that others refer to come first."""

INSERT_ONLY = tuple(
    table.name
    for table in (
        *(course.moves, course.decisions, course.purges, course.rubric_versions),
        *(rating.ratings, rating.set_aside),
        *(findings.verdicts, findings.results, findings.truths, findings.reports),
        *(findings.deliveries, findings.sendings, findings.link_requests),
        *(
            intake.quarantine,
            intake.item_flags,
            people.audit,
            material.shown_images,
            material.exclusions,
        ),
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
    """Make every statement fail that changes, replaces or removes rows of a table.

    Parameters
    ----------
    deletable
        A condition on `old` under which a row may be deleted all the same.
    """
    refusal = f"'rows of {table} never change: insert a new row instead'"
    guards = _on_sqlite if connection.dialect.name == "sqlite" else _on_postgresql
    for statement in guards(table, refusal, deletable):
        connection.exec_driver_sql(statement)


def _on_sqlite(table: str, refusal: str, deletable: str | None) -> Iterator[str]:
    """Yield one trigger for each kind of change.

    `INSERT OR REPLACE` removes rows without a word to the triggers of deletions.
    """
    taken = " or ".join(f"({condition})" for condition in sorted(_taken(metadata.tables[table])))
    conditions = {
        "update": "true",
        "delete": f"not {deletable}" if deletable else "true",
        "insert": f"exists (select 1 from {table} where {taken})",  # noqa: S608  # our own names
    }
    names = {"insert": "replace"}
    for event, condition in conditions.items():
        yield (
            f"create trigger {table}_no_{names.get(event, event)} before {event} on {table} "
            f"when {condition} begin select raise(abort, {refusal}); end"
        )


def _taken(table: sa.Table) -> Iterator[str]:
    """Yield conditions under which a new row would take the place of one that is there."""
    unique = [
        key
        for key in table.constraints
        if isinstance(key, sa.PrimaryKeyConstraint | sa.UniqueConstraint)
    ]
    yield "rowid = new.rowid"
    for key in unique:
        yield _same(key.columns)
    for index in table.indexes:
        if index.unique:
            # It is of some rows: both must be among them. Its condition begins with a column.
            some = index.dialect_options["sqlite"]["where"]
            yield f"{_same(index.columns)} and {some} and new.{some}"


def _same(columns: Iterable[sa.ColumnElement[Any]]) -> str:
    return " and ".join(f"{column.key} = new.{column.key}" for column in columns)


def _on_postgresql(table: str, refusal: str, deletable: str | None) -> Iterator[str]:
    """Yield a function that refuses, and what calls it."""
    passed = (
        f"if tg_op = 'DELETE' then if {deletable} then return old; end if; end if;"
        if deletable
        else ""
    )
    yield (
        f"create or replace function forbid_changes_{table}() returns trigger language plpgsql as "
        f"$$ begin {passed} raise exception {refusal}; end $$"
    )
    for name, events, each in (
        ("insert_only", "update or delete", "row"),
        ("no_truncate", "truncate", "statement"),
    ):
        yield (
            f"create trigger {table}_{name} before {events} on {table} "
            f"for each {each} execute function forbid_changes_{table}()"
        )
