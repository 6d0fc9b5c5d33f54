"""A store: its database and its files, opened together and closed together."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from ocrjury.campaign.settings import DATABASE_FILE, SQLITE
from ocrjury.errors import StateError
from ocrjury.store.database import Engine, reading, shared_database
from ocrjury.store.files import FileStore
from ocrjury.store.privacy import keep_private
from ocrjury.store.schema.course import evaluations

FILES_FOLDER = "files"
"""Folder of a home with the files of its store."""
SHEETS_KEY = "sheets.key"
"""File of a home with the key that signs what is handed out to be filled in."""


@dataclass(frozen=True, slots=True)
class Store:
    """The database and the folder of files of one installation."""

    engine: Engine
    files: FileStore


@contextmanager
def open_store(*, home: Path, database_url: str | None = None) -> Iterator[Store]:
    """Yield the store in a folder; its database is SQLite there unless a URL says otherwise.

    Raises
    ------
    StateError
        The database is elsewhere, and what it says about files is not of this home.
    """
    resolved = home.resolve()
    url = database_url or f"{SQLITE}{resolved / DATABASE_FILE}"
    here = Path(url.removeprefix(SQLITE)).parent in (home, resolved)
    if here:
        keep_private(home)
    with shared_database(url) as engine:
        if not (here or (home / FILES_FOLDER).is_dir()) and _wrote_files(engine):
            raise StateError(
                f"{home} is gone, or not mounted: there are no files in it, which the database "
                "tells of. Mount it again, or set OCRJURY_HOME to where it is."
            )
        keep_private(home)
        yield Store(engine, FileStore(home / FILES_FOLDER))


def _wrote_files(engine: Engine) -> bool:
    """Return whether an evaluation has scored its pool, which is kept as a file."""
    scored = sa.select(evaluations.c.evaluation).where(evaluations.c.pool_hash.is_not(None))
    with reading(engine) as connection:
        return connection.execute(scored.limit(1)).first() is not None
