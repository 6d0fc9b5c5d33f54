"""``ocrjury store``: where the store is."""

import argparse

from ocrjury.campaign.settings import DATABASE_URL, Settings
from ocrjury.cli.declaring import Commands, add_command, add_group
from ocrjury.cli.printing import say, table, waiting
from ocrjury.cli.store_access import copying_the_database, where
from ocrjury.errors import InputError
from ocrjury.pages.numbers import plural

STORE = """where the store is: move it to PostgreSQL

Move the store from SQLite to PostgreSQL.

ocrjury store move"""
MOVE = """copy the home's SQLite database to PostgreSQL

Copy all rows of the home's SQLite database into the empty PostgreSQL database that
OCRJURY_DATABASE_URL names, and compare both.

Stop `ocrjury up` and whatever else uses the store before. One transaction does everything: it is
all there afterwards, or nothing. The SQLite database stays as it is; remove it when you no longer
need it. Files stay in the home.

OCRJURY_DATABASE_URL=postgresql://ocrjury@db/ocrjury ocrjury store move"""


def add_to(commands: Commands) -> None:
    """Declare the commands."""
    group = add_group(commands, "store", STORE)
    add_command(group, "move", MOVE, run=run_move)


def run_move(_options: argparse.Namespace) -> None:
    """Move the store, and say what each table holds."""
    from ocrjury.campaign.settings import DATABASE_FILE
    from ocrjury.store.backups.moving import move_store

    settings = Settings.from_environment()
    database = settings.home / DATABASE_FILE
    if not settings.database_url.startswith("postgres"):
        raise InputError(
            f"{DATABASE_URL} must name the PostgreSQL database that the store moves to, such as "
            "postgresql://ocrjury@db/ocrjury."
        )
    if not database.exists():
        raise InputError(f"There is no SQLite database in {settings.home} to move.")
    with waiting("Moving the store") as line, copying_the_database(settings):
        moved = move_store(
            database,
            settings.database_url,
            tick=lambda part: line.update("Moving the store", detail=part),
        )
    filled = [(name, str(content.rows)) for name, content in moved.items() if content.rows]
    table(("table", "rows"), filled)
    say(
        f"{plural(len(moved), 'table')} are in {where(settings)}, equal to those in {database}. "
        f"Keep {DATABASE_URL} set wherever ocrjury runs, and start it again."
    )
