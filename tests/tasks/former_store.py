"""The store of the first release with an evaluation that collects: tables, rows and one file."""

import base64
import json
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

import sqlalchemy as sa

from ocrjury.store import database
from ocrjury.store.backups.plain_rows import read_rows
from ocrjury.store.database import make_engine, open_database, reading
from ocrjury.store.schema.creation import TABLES
from tests import quick_database

FORMER = Path(__file__).parents[1] / "store" / "first_release"
ROWS = FORMER / "collecting.jsonl"
FOLDER = "@folder@"
"""Stands for the folder of the campaign, which every test has for itself."""


def write_tables(url):
    """Keep what makes the tables; as long as the first release is not out, they are today's."""
    made = []

    def note(_connection, _cursor, statement, *_):
        if statement.strip().lower().startswith(("create", "insert")):
            lines = statement.strip().expandtabs(2).splitlines()
            made.append("\n".join(line.rstrip() for line in lines) + ";\n")

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    with patch.object(database, "_migrate", quick_database.migrate):  # which says each statement
        engine = open_database(url)
    sa.event.remove(sa.Engine, "before_cursor_execute", note)
    (FORMER / f"{engine.dialect.name}.sql").write_text("".join(made), "utf-8")
    engine.dispose()


def write(home, folder):
    """Keep the rows of a home's store, and its files."""
    engine = make_engine(f"sqlite:///{home}/ocrjury.db")
    with reading(engine) as connection:
        lines = [[table.name, row] for table in TABLES for row in _rows(connection, table)]
    engine.dispose()
    lines += [
        [path.name, base64.b64encode(path.read_bytes()).decode()]
        for path in sorted((home / "files").iterdir())
    ]
    body = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    ROWS.write_text(body.replace(str(folder), FOLDER), "utf-8")


def put(url, home, folder):
    """Make tables of the first release, with what was kept in them."""
    (home / "files").mkdir(parents=True)
    kept = ROWS.read_text("utf-8").replace(FOLDER, str(folder)).splitlines()
    engine = make_engine(url)
    with engine.begin() as connection:
        driver = connection.connection.driver_connection
        script = (FORMER / f"{engine.dialect.name}.sql").read_text("utf-8")
        (driver.executescript if engine.dialect.name == "sqlite" else driver.execute)(script)
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SET TIME ZONE 'UTC'")
        for name, row in map(json.loads, kept):
            if isinstance(row, dict):
                connection.execute(sa.table(name, *map(sa.column, row)).insert(), row)
            else:
                (home / "files" / name).write_bytes(base64.b64decode(row))
        if engine.dialect.name == "postgresql":  # as if the server had counted the lines
            connection.exec_driver_sql(
                "SELECT setval(pg_get_serial_sequence('audit', 'seq'), max(seq)) FROM audit"
            )
    engine.dispose()


def _rows(connection, table):
    names = [column.name for column in table.c]
    for rows in read_rows(connection, table):
        for row in rows:
            yield dict(zip(names, map(_plain, row), strict=True))


def _plain(value):
    """Moments as SQLite keeps them; PostgreSQL reads them, too."""
    if not isinstance(value, datetime):
        return value
    return value.replace(tzinfo=None).isoformat(sep=" ", timespec="microseconds")
