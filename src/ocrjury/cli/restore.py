"""``ocrjury restore``: a backup put into an empty home."""

import argparse
from pathlib import Path

from ocrjury.campaign.settings import Settings
from ocrjury.cli.backup import content_of, tell_faults
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import say, waiting
from ocrjury.cli.store_access import copying_the_database, where

RESTORE = """a backup put into an empty home

Check a backup and put it into the home that OCRJURY_HOME names, which must hold nothing.

Its database becomes the home's SQLite database, or rows of the empty PostgreSQL database that
OCRJURY_DATABASE_URL names, whichever the backup was made from. Tables of an earlier version of
ocrjury are brought to this one. A restore that was stopped can be run again.

OCRJURY_HOME=/srv/ocrjury ocrjury restore /backup/2026-11-24"""


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "restore", RESTORE, run=run_restore)
    parser.add_argument("folder", type=Path, metavar="DIR", help="the backup")


def run_restore(options: argparse.Namespace) -> int:
    """Restore, and say what came to where; 1 if the store had faults already."""
    from ocrjury.store.backups.restoring import restore_backup

    settings = Settings.from_environment()
    with waiting("Restoring the backup") as line, copying_the_database(settings):
        done = restore_backup(
            options.folder,
            home=settings.home,
            database_url=settings.database_url,
            tick=lambda part: line.update("Restoring the backup", detail=part),
        )
    say(
        f"{content_of(done.manifest)} are in {settings.home}, the database at {where(settings)}. "
        "`ocrjury status` says what is awaited; `ocrjury up` and `ocrjury deploy` start it again."
    )
    return tell_faults(done)
