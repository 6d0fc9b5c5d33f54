"""A store: its database and its files, opened together and closed together."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ocrjury.store.database import Engine, shared_database
from ocrjury.store.files import FileStore
from ocrjury.store.privacy import keep_private

DATABASE_FILE, FILES_FOLDER = "ocrjury.db", "files"
"""What a home holds of a store, unless a URL names a database elsewhere."""


@dataclass(frozen=True, slots=True)
class Store:
    """The database and the folder of files of one installation."""

    engine: Engine
    files: FileStore


@contextmanager
def open_store(*, home: Path, database_url: str | None = None) -> Iterator[Store]:
    """Yield the store in a folder; its database is SQLite there unless a URL says otherwise."""
    keep_private(home)
    with shared_database(database_url or f"sqlite:///{home.resolve() / DATABASE_FILE}") as engine:
        yield Store(engine, FileStore(home / FILES_FOLDER))
