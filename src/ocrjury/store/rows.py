"""Rows of tables as records, whose fields are named as the columns."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading

Record = TypeVar("Record")
_AT_ONCE = 500


def columns_of(table: sa.FromClause, record: type[Any]) -> list[sa.ColumnElement[Any]]:
    """Columns that make a record, in the order of its fields."""
    return [table.c[name] for name in record.__annotations__]


def list_rows(
    source: Engine | Connection,
    record: Callable[..., Record],
    query: sa.Select[Any],
    **values: object,
) -> list[Record]:
    """Rows of a query with its values, read in its own transaction unless a connection is given."""
    if isinstance(source, sa.Engine):
        with reading(source) as connection:
            return list_rows(connection, record, query, **values)
    return [record(*row) for row in source.execute(query, values).all()]


def list_of_evaluation(
    source: Engine | Connection,
    record: type[Record],
    table: sa.Table,
    *,
    evaluation: str,
    order: str,
) -> list[Record]:
    """Rows of a table about one evaluation, ordered by columns."""
    query = of_evaluation(record, table, order)  # type: ignore[arg-type]  # classes are hashable
    return list_rows(source, record, query, evaluation=evaluation)


# Every step asks for these; building a statement anew takes longer than running it.
EVALUATION: sa.BindParameter[Any] = sa.bindparam("evaluation")


@cache
def of_evaluation(record: type[Any], table: sa.Table, order: str) -> sa.Select[Any]:
    """Rows of a table about ``EVALUATION`` as records, ordered by columns."""
    query = sa.select(*columns_of(table, record)).where(table.c.evaluation == EVALUATION)
    return query.order_by(*(table.c[name] for name in order.split()))


def same(left: sa.FromClause, right: sa.FromClause, *names: str) -> sa.ColumnElement[bool]:
    """Condition that joins two tables by columns of the same names."""
    return sa.and_(*(left.c[name] == right.c[name] for name in names))


def rows_among(
    connection: Connection,
    query: sa.Select[Any],
    column: sa.ColumnElement[Any],
    *,
    names: Sequence[str],
) -> Iterator[sa.Row[Any]]:
    """Yield the rows of a query in which a column has one of some names, however many there are."""
    for start in range(0, len(names), _AT_ONCE):
        some = column.in_(list(names[start : start + _AT_ONCE]))
        yield from connection.execute(query.where(some))


def has_row(connection: Connection, table: sa.Table, **key: Any) -> bool:
    """Return whether a table has a row under a key."""
    return connection.execute(_any_row(table, *_kinds(key)), key).first() is not None


def next_number(connection: Connection, column: sa.Column[int], **key: Any) -> int:
    """Number of the next row under a key, from 1."""
    return (connection.execute(_highest(column, *_kinds(key)), key).scalar() or 0) + 1


def _kinds(key: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """Names of a key, each with whether it has a value."""
    return [(name, value is not None) for name, value in key.items()]


@cache
def _any_row(table: sa.Table, *names: tuple[str, bool]) -> sa.Select[Any]:
    return sa.select(sa.literal(1)).select_from(table).where(*_under(table, names)).limit(1)


@cache
def _highest(column: sa.Column[int], *names: tuple[str, bool]) -> sa.Select[Any]:
    return sa.select(sa.func.max(column)).where(*_under(column.table, names))


def _under(table: sa.FromClause, names: Iterable[tuple[str, bool]]) -> list[sa.ColumnElement[bool]]:
    return [
        table.c[name] == sa.bindparam(name) if known else table.c[name].is_(None)
        for name, known in names
    ]


def row_of(record: Any) -> dict[str, Any]:
    """Fields of a dataclass by name; other than by `dataclasses.asdict`, nothing is copied."""
    return {field.name: getattr(record, field.name) for field in fields(record)}


def add_rows(connection: Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows, if there are any."""
    if rows:
        connection.execute(sa.insert(table), rows)


def count_anew(connection: Connection, *tables: sa.Table) -> None:
    """Let PostgreSQL plan with what tables hold now, as it does a minute later by itself.

    Until then it takes a table for nearly empty, and walks through all items to find one.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"ANALYZE {', '.join(table.name for table in tables)}")
