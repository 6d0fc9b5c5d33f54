"""Every row of a store copied into another database, and both compared."""

import hashlib
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.errors import InputError
from ocrjury.store.backups.plain_rows import insert_rows, read_rows
from ocrjury.store.database import Connection
from ocrjury.store.schema.creation import TABLES

Tick = Callable[[str], None]
"""Function that a copy calls with the name of each table or file that is done."""

_MODULUS = 1 << 256
_VIOLATIONS = (sa.exc.DBAPIError, ValueError)


class Content(NamedTuple):
    """Content of a table: number of rows, and a hash that does not depend on their order."""

    rows: int
    sha256: str


def copy_rows(source: Connection, target: Connection, *, tick: Tick) -> dict[str, Content]:
    """Copy all rows into a database with empty tables of this version; what each table held.

    Raises
    ------
    InputError
        If the target cannot hold a row, or holds anything else afterwards.
    """
    copied = {}
    for table in TABLES:
        copied[table.name] = _copy_table(source, target, table)
        tick(table.name)
    _set_sequences(target)
    differing = [table.name for table in TABLES if content_of(target, table) != copied[table.name]]
    if differing:
        raise InputError(
            f"the copy differs from the store in {', '.join(differing)}; nothing was kept of it."
        )
    return copied


def _copy_table(source: Connection, target: Connection, table: sa.Table) -> Content:
    content = Content(0, _hex(0))
    for rows in read_rows(source, table):
        try:
            insert_rows(target, table, rows)
        except _VIOLATIONS as error:
            reason = str(getattr(error, "orig", error)).strip().partition("\n")[0]
            raise InputError(
                f"{target.dialect.name} cannot hold a row of the table {table.name}: {reason}. "
                "Nothing was copied."
            ) from error
        content = _with_rows(content, rows)
    return content


def content_of(connection: Connection, table: sa.Table) -> Content:
    """Content of a table; the same on both databases."""
    content = Content(0, _hex(0))
    for rows in read_rows(connection, table):
        content = _with_rows(content, rows)
    return content


def _with_rows(content: Content, rows: list[tuple[Any, ...]]) -> Content:
    """Content with more rows; a sum of hashes needs no order, in which databases differ."""
    total = int(content.sha256, 16)
    for row in rows:
        body = json.dumps(row, default=lambda moment: moment.isoformat())
        total += int.from_bytes(hashlib.sha256(body.encode()).digest())
    return Content(content.rows + len(rows), _hex(total))


def _hex(total: int) -> str:
    return f"{total % _MODULUS:064x}"


def _set_sequences(target: Connection) -> None:
    """Let PostgreSQL count on from the highest number; SQLite does so by itself."""
    if target.dialect.name != "postgresql":
        return
    for table in TABLES:
        column = table.autoincrement_column
        if column is not None and column.autoincrement is True:
            sequence = sa.func.pg_get_serial_sequence(table.name, column.name)
            highest = sa.select(sa.func.max(column)).scalar_subquery()
            # Without a row, the next number is 1.
            target.execute(
                sa.select(
                    sa.func.setval(sequence, sa.func.coalesce(highest, 1), highest.is_not(None))
                )
            )


def held_tables(connection: Connection) -> list[str]:
    """Names of the tables of a store that hold a row already; a missing table holds none."""
    present = set(sa.inspect(connection).get_table_names())
    return [
        table.name
        for table in TABLES
        if table.name in present
        and connection.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first()
    ]
