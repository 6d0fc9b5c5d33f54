"""Evaluations that an earlier test moved alike: the store is copied, and no step taken anew.

What decides how a run ends is the store as it was, the files beside it, the settings with the
clock, and what tests put in the place of functions. Not kept is what reached beyond the store.
"""

import hashlib
import inspect
import os
import shutil
import sqlite3
import threading
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from ocrjury.store import database

OF_THE_FOLDER = ("config", "config_path", "pool_uri")
"""Columns of an evaluation that name the folder of its campaign."""


class Earlier:
    """What earlier tests kept, for the evaluations of one test."""

    def __init__(self, folder, kept, monkeypatch):
        self.folder, self.kept = folder, kept
        self.patches = [monkeypatch]
        self.threads = threading.active_count()
        monkeypatch.context = self.patching

    @property
    def home(self):
        """Where the store is."""
        return Path(os.environ["OCRJURY_HOME"])

    @contextmanager
    def patching(self):
        """`pytest.MonkeyPatch.context`, which this knows of."""
        with pytest.MonkeyPatch.context() as patch:
            self.patches.append(patch)
            yield patch
            self.patches.remove(patch)

    def run(self, act, *about):
        """What an act about an evaluation ends with, done before or done now."""
        key = self.key_of(about)
        found = key and self.kept.find(key)
        if found:
            folder, (answer, of_folder) = found
            self.take(folder / "home", of_folder)
            return answer
        before = self.beyond()
        answer = act()
        if key and self.beyond() == before and self.is_movable(answer):
            self.kept.keep(key, (answer, str(self.folder)), self.copy_home)
        return answer

    @property
    def database(self):
        """The file of the database."""
        return self.home / "ocrjury.db"

    def key_of(self, about):
        """What decides how an act ends; None if something may that no key can hold."""
        names = names_of(self.patches)
        settings = {key: value for key, value in os.environ.items() if key[:7] != "PYTEST_"}
        del settings["OCRJURY_HOME"]
        url = f"sqlite:///{self.database.resolve()}"
        if (
            None in names
            or "OCRJURY_DATABASE_URL" in settings
            or not self.home.is_relative_to(self.folder)
            or threading.active_count() != self.threads
            or database._shared(url, os.getpid()).users
        ):
            return None
        content = hashlib.sha256(repr((about, names, sorted(settings.items()))).encode())
        own = str(self.folder).encode()
        for path in [*self.beside(), *self.files()]:
            body = path.read_bytes() if path.is_file() else b"a link to nowhere"
            content.update(repr((str(path.relative_to(self.folder)), len(body))).encode())
            content.update(body.replace(own, b"."))
        for table in tables(self.database):
            content.update(repr(table).encode().replace(own, b"."))
        return content.hexdigest()

    def beyond(self):
        """What an act leaves outside the store: files, and letters and messages that went out.

        No server of a test was told what failed: beside its thread nothing is kept.
        """
        if not self.database.exists():
            return self.beside(), 0
        with closing(sqlite3.connect(self.database)) as connection:
            sent = "select count(*) from deliveries where state = 'sent'"
            (count,) = connection.execute(sent).fetchone()
        return self.beside(), count

    def beside(self):
        """The files of the campaign and what else is outside the home."""
        return self.files(self.folder, but=self.home)

    def files(self, folder=None, but=None):
        """The files of a folder, else those of the home that are not of the database."""
        found = []
        for where, folders, names in os.walk(folder or self.home):
            folders[:] = sorted(name for name in folders if Path(where, name) != but)
            found += [Path(where, name) for name in sorted(names)]
        return [path for path in found if not path.name.startswith("ocrjury.db")]

    def is_movable(self, answer):
        """Whether nothing but a few columns tells in which folder all this happened."""
        own = str(self.folder)
        return own not in repr((answer, *tables(self.database, but=OF_THE_FOLDER)))

    def copy_home(self, folder):
        """Copy what the home holds."""
        shutil.copytree(self.home, folder / "home", symlinks=True)

    def take(self, home, folder):
        """Put what was kept in the place of the store."""
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.copytree(home, self.home, symlinks=True)
        with closing(sqlite3.connect(self.database)) as connection, connection:
            for column in OF_THE_FOLDER:
                connection.execute(
                    f"UPDATE evaluations SET {column} = replace({column}, ?, ?)",
                    (folder, str(self.folder)),
                )


def tables(path, *, but=()):
    """The name and all rows of every table, without some columns."""
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("select name from sqlite_master where type = 'table'")
        return [(name, _rows(connection, name, but)) for (name,) in names.fetchall()]


def _rows(connection, table, but):
    if table != "evaluations":  # no other has columns to leave out; to ask each takes half the time
        return connection.execute(f"select * from {table}").fetchall()
    columns = connection.execute(f"select name from pragma_table_info('{table}')")
    chosen = ", ".join(f'"{name}"' for (name,) in columns if name not in but)
    return connection.execute(f"select {chosen} from {table}").fetchall()


def names_of(patches):
    """Names of what tests put in the place of functions; None for one of a test's own."""
    return [name_of(target, name) for patch in patches for target, name, _ in patch._setattr]


def name_of(target, name):
    """Name of what a test put in the place of a function; None for one of the test's own."""
    value = getattr(target, name, None)
    if isinstance(value, dict):
        return name if all(map(_of_a_module, value.values())) else None
    return f"{name} {value.__module__}.{value.__qualname__}" if _of_a_module(value) else None


def _of_a_module(value):
    return inspect.isfunction(value) and "<" not in value.__qualname__
