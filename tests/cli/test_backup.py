"""Backups, restoring and moving as commands; `tests/store/backups` has what they do."""

import sqlite3
import stat
from contextlib import closing

import pytest
import sqlalchemy as sa

from ocrjury.cli.actors import login_name
from ocrjury.store.audit import add_audit, list_audit
from ocrjury.store.database import writing
from tests.cli.conftest import NAME, NOW
from tests.cli.test_open_sheets import filled
from tests.cli.test_store_trouble import only_reading
from tests.full_disk import full


@pytest.fixture
def backup(run, collecting, store, tmp_path):
    store.files.put(b"%PDF", kind="report", suffix=".pdf")
    folder = tmp_path / "backup"
    answer = run("backup", folder)
    assert (answer.code, answer.err) == (0, "Backing up the store\n")
    assert answer.out == f"1 evaluation, 0 ratings and 1 file are in {folder}, and checked.\n"
    return folder


def test_a_backup_is_checked_and_restored_into_another_home(run, backup, tmp_path, monkeypatch):
    checked = run("backup", backup, "--verify")
    assert checked.code == 0
    assert checked.out == (
        f"The backup in {backup} is whole: 1 evaluation, 0 ratings and 1 file, made at "
        "2026-11-20 09:00 UTC.\n"
    )
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path / "new"))

    restored = run("restore", backup)

    assert restored.code == 0
    assert (
        f"1 file are in {tmp_path}/new, the database at {tmp_path}/new/ocrjury.db" in restored.out
    )
    assert NAME in run("status").out
    assert "holds files, ocrjury.db; a backup is restored" in run("restore", backup).err


def test_what_was_handed_out_before_a_backup_is_accepted_after_it_was_restored(
    run, collecting, home, tmp_path, monkeypatch
):
    sheet = tmp_path / "R01.csv"
    run("ratings", "export", collecting, "--open", "--rater", "R01", "--out", sheet)
    folder, new = tmp_path / "backup", tmp_path / "new"
    assert "and 0 files are in" in run("backup", folder).out
    monkeypatch.setenv("OCRJURY_HOME", str(new))
    run("restore", folder)

    answer = run("ratings", "import", collecting, filled(sheet, rows=1))

    assert answer.out.startswith("3 ratings on 1 assignment stored"), answer.err
    keys = [place / "sheets.key" for place in (home, folder, new)]
    assert len({key.read_bytes() for key in keys}) == 1
    assert {stat.S_IMODE(key.stat().st_mode) for key in keys} == {0o600}


def test_that_everything_left_is_in_the_audit_log_and_in_its_copy(run, backup, store):
    newest = list_audit(store.engine)[0]
    assert (newest.actor, newest.action) == (login_name(), "backup")
    assert (newest.object, newest.address) == (f"store, to {backup}", "cli")
    with closing(sqlite3.connect(backup / "ocrjury.db")) as copy:
        assert copy.execute("select action from audit").fetchall() == [("backup",)]
    run("backup", backup, "--verify")
    assert list_audit(store.engine)[0] == newest


def test_a_store_that_takes_no_line_is_backed_up_all_the_same(run, collecting, store, tmp_path):
    sa.event.listen(sa.Engine, "connect", only_reading)
    try:
        answer = run("backup", tmp_path / "backup")
    finally:
        sa.event.remove(sa.Engine, "connect", only_reading)

    assert answer.code == 0
    unnoted, *_ = answer.err.splitlines()
    assert unnoted.startswith("The audit log has no line about it: The store at ")
    assert "can only be read" in unnoted
    assert answer.out.endswith("and checked.\n")


def test_a_backup_before_an_upgrade_leaves_the_store_as_it_is(run, collecting, store, tmp_path):
    with writing(store.engine) as connection:
        connection.exec_driver_sql("update alembic_version set version_num = '0000'")

    answer = run("backup", tmp_path / "backup")

    assert (answer.code, answer.err.splitlines()[0]) == (
        0,
        "The audit log has no line about it: its tables are of another version.",
    )
    assert list_audit(store.engine) == []


def test_a_place_without_a_store_is_named_and_none_is_made(run, home, tmp_path):
    answer = run("backup", tmp_path / "backup")

    assert answer.code == 2
    assert answer.err.startswith(f"There is no store in {home}, which OCRJURY_HOME names.")
    assert not home.exists()
    assert not (tmp_path / "backup").exists()


def test_a_folder_among_the_files_of_a_store_keeps_nobody_from_a_backup(run, backup, store, home):
    (home / "files" / "lost+found").mkdir()

    answer = run("backup", home / "files" / "here")

    assert answer.code == 0
    assert ", 0 ratings and 1 file are in " in answer.out
    assert run("backup", home.with_name("again")).code == 0


def test_a_full_disk_is_named_by_what_was_to_be_written(run, backup, store, tmp_path, monkeypatch):
    new, home = tmp_path / "new", tmp_path / "other"
    with full():
        kept = run("backup", new)
    monkeypatch.setenv("OCRJURY_HOME", str(home))
    with full():
        restored = run("restore", backup)

    assert (kept.code, restored.code) == (2, 2)
    assert kept.err.splitlines()[-1].startswith(f"{new}: No space left on device. Make room")
    assert restored.err.splitlines()[-1].startswith(f"{home}: File too large. Raise the limit")


def test_faults_of_the_store_are_told_and_make_no_good_exit(run, collecting, store, tmp_path):
    address = store.files.put(b"%PDF", kind="report", suffix=".pdf")
    store.files.path(address).write_bytes(b"%PD")

    answer = run("backup", tmp_path / "backup")

    told = f"Wrong in the store already, and in its backup: files/{address} is damaged.\n"
    assert (answer.code, answer.err) == (1, f"Backing up the store\n{told}")


def test_a_store_moves_to_the_database_that_the_environment_names(
    run, collecting, store, home, postgres_url, monkeypatch
):
    with writing(store.engine) as connection:
        add_audit(connection, "view", actor="R01", object_="d1", address="x", now=NOW)
    store.engine.dispose()
    assert "must name the PostgreSQL database" in run("store", "move").err
    monkeypatch.setenv("OCRJURY_DATABASE_URL", postgres_url)

    answer = run("store", "move")

    assert answer.code == 0
    assert "assignments  4\n" in answer.out
    assert f"equal to those in {home}/ocrjury.db. Keep OCRJURY_DATABASE_URL set" in answer.out
    assert NAME in run("status").out
    assert "holds rows already" in run("store", "move").err


def test_a_server_that_is_away_is_named_without_its_password(run, collecting, store, monkeypatch):
    store.engine.dispose()
    monkeypatch.setenv("OCRJURY_DATABASE_URL", "postgresql://u:secret@127.0.0.1:1/x")

    answer = run("store", "move")

    assert answer.code == 2
    assert answer.err.startswith("The store at postgresql://127.0.0.1/x cannot be opened: ")
    assert "start its server" in answer.err
    assert "secret" not in answer.err
