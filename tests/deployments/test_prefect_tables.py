"""A new database of Prefect is the one that its own migrations make."""

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from prefect import settings

from ocrjury.deployments.prefect_tables import TABLES, database_file, make_tables

HEAD = """-- What the migrations of Prefect (Apache-2.0) make in an empty database.
-- Written by tests/deployments/test_prefect_tables.py with --regen-golden."""
MIGRATE = """
import asyncio
from prefect.server.database import provide_database_interface
asyncio.run(provide_database_interface().create_db())
"""


def dumped(path):
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def content_of(path):
    """What was dumped; migrations leave indexes, and constraints of a table, in any order."""
    return sorted(sorted(re.split(r",? *\n\t|\n\)", line)) for line in dumped(path))


def migrate(home):
    """Let Prefect's own migrations end their work in a folder; return the database."""
    environment = os.environ | {"PREFECT_HOME": str(home)}
    subprocess.run([sys.executable, "-c", MIGRATE], env=environment, check=True, timeout=200)
    return home / "prefect.db"


def test_the_tables_are_those_of_the_migrations_down_to_the_name_of_the_last(tmp_path, request):
    migrated = migrate(tmp_path / "own")
    if request.config.getoption("--regen-golden"):
        TABLES.write_text("\n".join([HEAD, *dumped(migrated), ""]), "utf-8")

    path = tmp_path / "ours" / "prefect.db"
    make_tables(path)

    assert content_of(path) == content_of(migrated)


@pytest.mark.parametrize("name", ["prefect.db", "prefect.db-wal"])
def test_what_is_there_is_left_alone(tmp_path, name):
    (tmp_path / name).write_bytes(b"")

    make_tables(tmp_path / "prefect.db")

    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [(name, b"")]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("sqlite+aiosqlite:////srv/x.db", "/srv/x.db"),
        ("sqlite+aiosqlite:///:memory:", None),
        ("sqlite+aiosqlite:///file:x.db?uri=true", None),
        ("postgresql+asyncpg://p:p@127.0.0.1/prefect", None),
    ],
)
@pytest.mark.parametrize("migrates", [True, False])
def test_only_a_file_in_which_prefect_would_make_tables_is_made(url, name, migrates):
    given = {
        settings.PREFECT_API_DATABASE_CONNECTION_URL: url,
        settings.PREFECT_API_DATABASE_MIGRATE_ON_START: migrates,
    }

    with settings.temporary_settings(given):
        found = database_file()

    assert found == (Path(name) if name and migrates else None)


def test_without_an_address_it_is_the_file_of_this_home():
    home = settings.get_current_settings().home

    assert database_file() == home / "prefect.db"
