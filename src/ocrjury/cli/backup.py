"""``ocrjury backup``: the store as a folder that can be restored."""

import argparse
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.cli.actors import note_in
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import remark, say, waiting
from ocrjury.cli.store_access import copying_the_database, existing_settings, tell_store
from ocrjury.errors import StoreError
from ocrjury.pages.numbers import plural

if TYPE_CHECKING:
    from ocrjury.campaign.settings import Settings
    from ocrjury.store.backups.checking import Checked
    from ocrjury.store.backups.manifest import Manifest

BACKUP = """the store as a folder, taken while people rate

Write the database and the files of the home (pools, reports) into a folder, and check them.

People and runs may go on: the backup holds what was stored when it began. The folder is new or
empty, and appears when the backup is whole. Its database is SQLite, whichever it was made from.
Campaigns, page images, logs and passwords of the home are not in it; links of raters are. Keep it
as closed as the home. docs/operations.md tells more.

ocrjury backup /backup/2026-11-24
ocrjury backup /backup/2026-11-24 --verify      # nothing new: check one that was made"""

UNNOTED = ("full", "read-only")


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "backup", BACKUP, run=run_backup)
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the backup goes, or lies")
    parser.add_argument(
        "--verify", action="store_true", help="check the backup that lies there, and write nothing"
    )


def run_backup(options: argparse.Namespace) -> int:
    """Write a backup or check one, and say what is in it; 1 if the store had faults already."""
    checked = _verify(options.folder) if options.verify else _write(options.folder)
    return tell_faults(checked)


def _write(folder: Path) -> "Checked":
    from ocrjury.store.backups.writing import write_backup

    settings = existing_settings()
    tell_store(settings)
    with copying_the_database(settings):
        _note(settings, folder)
    with waiting("Backing up the store") as line, copying_the_database(settings):
        done = write_backup(
            folder,
            home=settings.home,
            database_url=settings.database_url,
            now=settings.now(),
            tick=lambda part: line.update("Backing up the store", detail=part),
        )
    say(f"{content_of(done.manifest)} are in {folder}, and checked.")
    return done


def _note(settings: "Settings", folder: Path) -> None:
    """Write into the audit log that everything leaves; say so where the store takes no line.

    A store that is full, or of an earlier version, needs its backup more than the line.
    """
    from ocrjury.store.database import make_engine, reading, revision_of, writing
    from ocrjury.store.migrations import HEAD

    engine = make_engine(settings.database_url)
    try:
        with reading(engine) as connection:
            if revision_of(connection) != HEAD:
                remark("The audit log has no line about it: its tables are of another version.")
                return
        with writing(engine) as connection:
            note_in(connection, "backup", f"store, to {folder.absolute()}", now=settings.now())
    except StoreError as error:
        if error.ailment not in UNNOTED:
            raise
        remark(f"The audit log has no line about it: {error}")
    finally:
        engine.dispose()


def _verify(folder: Path) -> "Checked":
    from ocrjury.store.backups.checking import check_backup

    with waiting("Checking the backup") as line:
        done = check_backup(
            folder, tick=lambda part: line.update("Checking the backup", detail=part)
        )
    made = f"{done.manifest.made_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    say(f"The backup in {folder} is whole: {content_of(done.manifest)}, made at {made}.")
    return done


def tell_faults(checked: "Checked") -> int:
    """Say what was wrong with the store that a backup was made of; 1 if anything was."""
    for fault in checked.faults:
        remark(f"Wrong in the store already, and in its backup: {fault}.")
    return 1 if checked.faults else 0


def content_of(manifest: "Manifest") -> str:
    """Counts of what matters in a backup, in words."""
    from ocrjury.store.backups.manifest import FILES

    counts = manifest.tables
    evaluations = plural(counts.get("evaluations", 0), "evaluation")
    ratings = plural(counts.get("ratings", 0), "rating")
    files = sum(name.startswith(f"{FILES}/") for name in manifest.files)
    return f"{evaluations}, {ratings} and {plural(files, 'file')}"
