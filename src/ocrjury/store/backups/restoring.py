"""A backup put into a home that holds nothing yet."""

import shutil
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from ocrjury.campaign.settings import DATABASE_FILE
from ocrjury.errors import InputError
from ocrjury.store.backups.checking import Checked, check_backup
from ocrjury.store.backups.copying import Tick
from ocrjury.store.backups.filling import fill_database
from ocrjury.store.backups.manifest import DATABASE, FILES, Manifest, copy_file, sync
from ocrjury.store.backups.rules import foreign_parts
from ocrjury.store.backups.unfinished_folder import unfinished
from ocrjury.store.database import make_engine, open_database
from ocrjury.store.privacy import keep_private
from ocrjury.store.workspace import FILES_FOLDER, SHEETS_KEY

_UNFINISHED = ".restoring"
_OF_A_DISK = "lost+found"


def restore_backup(folder: Path, *, home: Path, database_url: str, tick: Tick) -> Checked:
    """Check a backup and put it into an empty home, as SQLite or into a PostgreSQL database.

    Tables of an earlier version are brought to this one. The database is the last to be in its
    place, so that a store that is there is whole; a restore that was killed, or whose database went
    away, can be run again.

    Raises
    ------
    InputError
        If the backup is damaged, or the home or the PostgreSQL database holds something.
    """
    checked = check_backup(folder, tick=tick)
    _refuse_what_is_held(home)
    place = _place_for(home, database_url)
    keep_private(home)
    begun = False
    try:
        with unfinished(home / _UNFINISHED, place=home) as part:
            begun = True
            _copy(folder, part, checked.manifest, tick=tick)
            open_database(f"sqlite:///{part / DATABASE}").dispose()
            _refuse_foreign(part / DATABASE, folder)
            place(part, tick)
    except BaseException:
        if begun and (home / FILES_FOLDER).exists():
            (home / _UNFINISHED).mkdir(mode=0o700, exist_ok=True)  # as a kill leaves it
        raise
    sync(home)
    return checked


def _refuse_what_is_held(home: Path) -> None:
    """Refuse a home with anything in it but the remains of a restore that was killed."""
    held = {path.name for path in home.iterdir()} - {_OF_A_DISK} if home.exists() else set()
    if _UNFINISHED in held:
        held -= {_UNFINISHED, FILES_FOLDER, SHEETS_KEY}
    if held:
        raise InputError(
            f"{home} holds {', '.join(sorted(held)[:3])}; a backup is restored into an empty "
            "folder only. Set OCRJURY_HOME to a new one."
        )


def _place_for(home: Path, database_url: str) -> Callable[[Path, Tick], None]:
    """Function that puts what is restored into its place."""
    engine = make_engine(database_url)
    if engine.dialect.name == "postgresql":
        return lambda part, tick: _fill_server(database_url, part, home, tick=tick)
    if Path(engine.url.database or "") != home / DATABASE_FILE:
        raise InputError(
            f"an SQLite database is restored to {home / DATABASE_FILE}; unset OCRJURY_DATABASE_URL."
        )
    return lambda part, _: _put_in_place(part, home)


def _copy(folder: Path, part: Path, manifest: Manifest, *, tick: Tick) -> None:
    (part / FILES).mkdir()
    for name, entry in manifest.files.items():
        if copy_file(folder / name, part / name) != entry:
            raise InputError(f"{folder / name} changed while it was read. Nothing was restored.")
        tick(name)


def _refuse_foreign(database: Path, folder: Path) -> None:
    """Refuse a database that acts by itself: whoever made the backup would act in the store."""
    foreign = next(foreign_parts(database), None)
    if foreign:
        raise InputError(f"{folder} is not restored: {foreign}. Drop it, or use another backup.")


def _put_in_place(part: Path, home: Path) -> None:
    _put_files(part, home)
    (part / DATABASE).rename(home / DATABASE_FILE)


def _put_files(part: Path, home: Path) -> None:
    shutil.rmtree(home / FILES_FOLDER, ignore_errors=True)  # of a restore that was killed
    sync(part / FILES)
    (part / FILES).rename(home / FILES_FOLDER)
    if (part / SHEETS_KEY).exists():
        (part / SHEETS_KEY).rename(home / SHEETS_KEY)
    sync(home)


def _fill_server(database_url: str, part: Path, home: Path, *, tick: Tick) -> None:
    """Copy the rows; the files are in their place before anybody sees the rows."""
    engine = sa.create_engine(f"sqlite:///{part / DATABASE}")

    def put_files() -> None:
        _put_files(part, home)
        (part / DATABASE).unlink()

    try:
        with engine.begin() as source:
            fill_database(source, database_url, tick=tick, before_commit=put_files)
    finally:
        engine.dispose()
