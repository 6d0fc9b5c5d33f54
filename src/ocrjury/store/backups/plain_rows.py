"""Rows as plain values that are the same on SQLite and PostgreSQL, whatever holds them."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal

import sqlalchemy as sa

from ocrjury.store.database import Connection

Kind = Literal["json", "moment", "truth", "other"]
"""Kind of a value that the databases store differently: JSON text, moments, true and false."""

AT_ONCE = 1000
"""Rows that are in memory at once."""

_WHOLE = 1 << 63
"""SQLite keeps whole numbers below it as such."""


def read_rows(connection: Connection, table: sa.Table) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the rows of a table, some at a time, in any order."""
    sqlite = connection.dialect.name == "sqlite"
    columns = [
        sa.column(column.name)
        if sqlite or _kind(column) != "json"
        else sa.cast(sa.column(column.name), sa.Text)
        for column in table.c
    ]
    kinds = [_kind(column) for column in table.c]
    query = sa.select(*columns).select_from(sa.table(table.name))
    answer = connection.execute(query.execution_options(yield_per=AT_ONCE))
    for rows in answer.partitions():
        yield [tuple(map(_taken, row, kinds)) for row in rows]


def insert_rows(connection: Connection, table: sa.Table, rows: list[tuple[Any, ...]]) -> None:
    """Insert rows that `read_rows` gave, in this database's own form."""
    names = [column.name for column in table.c]
    insert = sa.table(table.name, *map(sa.column, names)).insert()
    if connection.dialect.name == "sqlite":
        kinds = [_kind(column) for column in table.c]
        rows = [tuple(map(_for_sqlite, row, kinds)) for row in rows]
    connection.execute(insert, [dict(zip(names, row, strict=True)) for row in rows])


@cache
def _kind(column: sa.Column[Any]) -> Kind:
    stored = column.type
    while isinstance(stored, sa.TypeDecorator):
        stored = stored.impl_instance
    kinds: tuple[tuple[Any, Kind], ...] = (
        *((sa.JSON, "json"), (sa.DateTime, "moment"), (sa.Boolean, "truth")),
    )
    return next((kind for type_, kind in kinds if isinstance(stored, type_)), "other")


def _taken(value: Any, kind: Kind) -> Any:
    """Plain form of what a driver gave."""
    if value is None or kind == "other":
        return value
    if kind == "truth":
        return bool(value)
    return _moment(value) if kind == "moment" else _json_text(value)


def _moment(value: str | datetime) -> datetime:
    if isinstance(value, str):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return value.astimezone(UTC)


def _json_text(value: str | float) -> str:
    """Text of JSON; SQLite keeps a number that stands alone as a number, whole if it is whole."""
    number = _number(value) if isinstance(value, str) else value
    if number is None:
        return str(value)
    whole = abs(number) < _WHOLE and number == int(number)
    return json.dumps(int(number) if whole else number)


def _number(text: str) -> int | float | None:
    """Number that a JSON text is; None for any other text."""
    if text[:1] not in set("-0123456789"):
        return None
    number: int | float = json.loads(text)
    return number


def _for_sqlite(value: Any, kind: Kind) -> Any:
    """Value as SQLAlchemy stores it in SQLite."""
    if value is None:
        return None
    if kind == "moment":
        return value.replace(tzinfo=None).isoformat(sep=" ", timespec="microseconds")
    if kind == "truth":
        return int(value)
    number = _number(value) if kind == "json" else None
    return value if number is None else number
