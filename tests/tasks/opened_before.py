"""Evaluations that an earlier test opened in the same way: the store is copied, not made anew."""

import hashlib
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

KEPT = {}
"""What opening ended with, where it was, and a copy of the store, by what was opened."""

OF_THE_FOLDER = ("config", "config_path", "pool_uri")
"""Columns of an evaluation that name the folder of its campaign."""


def key_of(folder, *, period, monkeypatch):
    """What decides how opening ends; None if something does that no key can hold."""
    home = Path(os.environ["OCRJURY_HOME"])
    names = [name_of(target, name) for target, name, _ in monkeypatch._setattr]
    if home.exists() or None in names or "OCRJURY_DATABASE_URL" in os.environ:
        return None
    content = hashlib.sha256(repr((period, names)).encode())
    settings = {name: value for name, value in os.environ.items() if name.startswith("OCRJURY_")}
    content.update(repr(sorted({**settings, "OCRJURY_HOME": ""}.items())).encode())
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return content.hexdigest()


def keep(key, folder, opened, copy):
    """Keep a copy of what was opened, in a folder of its own."""
    shutil.copytree(os.environ["OCRJURY_HOME"], copy, dirs_exist_ok=True)
    KEPT[key] = (opened, str(folder), copy)


def take(key, folder):
    """Put what was kept in the place of a new store; return what opening ended with."""
    opened, before, copy = KEPT[key]
    home = Path(os.environ["OCRJURY_HOME"])
    shutil.copytree(copy, home)
    with closing(sqlite3.connect(home / "ocrjury.db")) as connection, connection:
        for column in OF_THE_FOLDER:
            connection.execute(
                f"UPDATE evaluations SET {column} = replace({column}, ?, ?)", (before, str(folder))
            )
    return opened


def name_of(target, name):
    """Name of what a test put in the place of a function; None for one of the test's own."""
    value = getattr(target, name)
    if isinstance(value, dict):
        return name if all(map(_of_a_module, value.values())) else None
    return f"{name} {value.__module__}.{value.__qualname__}" if _of_a_module(value) else None


def _of_a_module(value):
    return callable(value) and "<" not in getattr(value, "__qualname__", "<")
