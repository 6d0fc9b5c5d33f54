"""Backups that somebody else made, and places that somebody else prepared."""

import json
import os
import sqlite3
from contextlib import closing

import pytest

from ocrjury.errors import InputError
from ocrjury.store.backups.checking import check_backup
from ocrjury.store.backups.manifest import entry_of
from tests.store.backups.conftest import quiet

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def declare(folder, **changes):
    """Make a manifest that fits what lies in a backup now."""
    manifest = folder / "manifest.json"
    body = json.loads(manifest.read_text()) | changes
    paths = [path for path in folder.rglob("*") if path.is_file() and path != manifest]
    body["files"] = {str(path.relative_to(folder)): entry_of(path).to_json() for path in paths}
    with closing(sqlite3.connect(folder / "ocrjury.db")) as database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        body["tables"] = {
            name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            for (name,) in names
            if not name.startswith("sqlite_")
        }
    manifest.write_text(json.dumps(body))


def change(folder, statements):
    with closing(sqlite3.connect(folder / "ocrjury.db")) as database:
        database.executescript(statements)
    declare(folder)


def link(folder, target):
    (folder / "files" / "linked").symlink_to(target)
    declare(folder)


def empty(folder):
    (folder / "ocrjury.db").unlink()
    change(folder, "CREATE TABLE other (a)")


def bare(folder):
    (folder / "ocrjury.db").unlink()
    manifest = folder / "manifest.json"
    body = json.loads(manifest.read_text())
    del body["files"]["ocrjury.db"]
    manifest.write_text(json.dumps(body))


def deep(folder):
    (folder / "manifest.json").write_text("[" * 200_000)


def nest(folder):
    (folder / "files" / "a").mkdir()
    (folder / "files" / "a" / "b").touch()
    declare(folder)


NO_GUARD = """
    DROP TRIGGER ratings_no_delete;
    CREATE TRIGGER ratings_no_delete BEFORE DELETE ON ratings BEGIN SELECT 1; END"""
OWN = "CREATE TRIGGER mine AFTER INSERT ON ratings BEGIN DELETE FROM drafts; END"

HOSTILE = {
    "link to a file": (lambda folder: link(folder, "/etc/hostname"), "linked is no plain file"),
    "link to a folder": (lambda folder: link(folder, "/etc"), "linked is no plain file"),
    "pipe": (lambda folder: os.mkfifo(folder / "files" / "p"), "files/p is no plain file"),
    "nested": (nest, "files/a/b is in no place of a backup"),
    "beside": (lambda folder: (folder / "x").touch() or declare(folder), "x is in no place of a"),
    "no database": (bare, r"ocrjury\.db is missing"),
    "no store": (empty, "holds no tables of ocrjury"),
    "deep manifest": (deep, "manifest.json is damaged"),
    "other version": (
        lambda folder: declare(folder, revision="0"),
        "another version of the",
    ),
    "trigger": (lambda folder: change(folder, OWN), "trigger mine, which ocrjury does not make"),
    "guard of nothing": (lambda folder: change(folder, NO_GUARD), "ratings_no_delete"),
    "view": (
        lambda folder: change(folder, "CREATE VIEW seen AS SELECT 1"),
        "view seen, which ocrjury does not make",
    ),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_nothing_of_a_hostile_backup_is_restored(kind, back_up, restored, tmp_path):
    make, sentence = HOSTILE[kind]
    folder, _ = back_up()
    make(folder)

    with pytest.raises(InputError, match=sentence):
        restored(folder)

    assert [*(tmp_path / "restored").glob("*")] == []


def test_a_folder_that_somebody_prepared_is_neither_emptied_nor_written_to(back_up, tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "kept").touch()
    (tmp_path / ".ocrjury-backup.unfinished").symlink_to(mine)

    with pytest.raises(InputError, match="is no folder of this account"):
        back_up()

    assert [path.name for path in mine.iterdir()] == ["kept"]


def test_a_folder_of_another_account_is_not_written_to(back_up, tmp_path, monkeypatch):
    (tmp_path / ".ocrjury-backup.unfinished").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)

    with pytest.raises(InputError, match="is no folder of this account"):
        back_up()


def test_a_view_of_ones_own_is_no_reason_to_have_no_backup(store, back_up):
    with closing(sqlite3.connect(store.url.removeprefix("sqlite:///"))) as database:
        database.execute("CREATE VIEW seen AS SELECT 1")

    folder, done = back_up()

    told = "the database has the view seen, which ocrjury does not make"
    assert done.faults == (told,)
    assert check_backup(folder, tick=quiet).faults == (told,)
