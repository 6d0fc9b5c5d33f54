import json
import os
import shutil
import signal
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert, update

from ocrjury.errors import InputError
from ocrjury.store.backups.checking import check_backup
from ocrjury.store.backups.manifest import entry_of
from ocrjury.store.backups.writing import write_backup
from ocrjury.store.database import writing
from ocrjury.store.purges import NewPurge, RemovedReport, add_purge
from ocrjury.store.schema.course import evaluations
from ocrjury.store.schema.findings import reports
from tests.covers import cover
from tests.forks import exit_code_of
from tests.store.backups.conftest import contents, quiet, rating
from tests.store_calls import add_submissions


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_backup_of_either_database_becomes_a_store_on_either(
    store, back_up, restored, target, request
):
    url = request.getfixturevalue("other_url") if target == "postgresql" else None
    before = contents(store.url)

    folder, done = back_up()
    home, restored_url = restored(folder, url=url)

    assert contents(restored_url) == before == contents(store.url)
    assert (home / "files" / store.address).read_bytes() == b"a pool"
    assert done.manifest.tables["ratings"] == 2
    assert sorted(path.name for path in folder.iterdir()) == [
        "files",
        "manifest.json",
        "ocrjury.db",
    ]
    held = {path.name for path in home.iterdir()}
    assert held == ({"files", "ocrjury.db"} if target == "sqlite" else {"files"})


def test_whoever_restores_gets_a_closed_home(back_up, restored):
    home, _ = restored(back_up()[0])

    assert home.stat().st_mode & 0o077 == 0


def test_a_backup_taken_while_four_rate_holds_every_rating_acknowledged_before(
    store, back_up, engine
):
    acknowledged, goes_on = [], threading.Event()
    pairs = [(item, rater) for item in ("d1", "d2") for rater in ("R01", "R02")]

    def hand_in(item, rater):
        for number in range(200):
            one = rating(store.evaluation, item, rater, event=f"{item}/{rater}/{number}")
            add_submissions(engine, store.evaluation, [one], now=store.now)
            acknowledged.append(one.event_id)
            if goes_on.is_set() and number >= 3:
                return

    threads = [threading.Thread(target=hand_in, args=pair) for pair in pairs]
    for thread in threads:
        thread.start()
    while len(acknowledged) < 8:
        goes_on.wait(0.005)
    before = list(acknowledged)
    folder, _ = back_up()
    goes_on.set()
    for thread in threads:
        thread.join(60)

    with closing(sqlite3.connect(folder / "ocrjury.db")) as copy:
        kept = {event for (event,) in copy.execute("SELECT event_id FROM ratings")}
    assert set(before) <= kept


def killed_backup(folder, home, url, now, after):
    """Write a backup; be killed when some part of it is done."""
    parts = []

    def tick(part):
        parts.append(part)
        if len(parts) == after:
            os.kill(os.getpid(), signal.SIGKILL)

    write_backup(folder, home=home, database_url=url, now=now, tick=tick)


@pytest.mark.parametrize("after", [1, 3, 5])
def test_a_backup_that_is_killed_leaves_nothing_under_its_name(store, back_up, tmp_path, after):
    folder = tmp_path / "backup"

    code = exit_code_of(killed_backup, folder, store.home, store.url, store.now, after)

    assert code == -signal.SIGKILL
    assert not folder.exists()
    back_up()
    assert check_backup(folder, tick=quiet).manifest.tables["ratings"] == 2
    assert not [path for path in tmp_path.iterdir() if "unfinished" in path.name]


def test_two_backups_never_share_a_folder(back_up, tmp_path):
    back_up()
    with pytest.raises(InputError, match="holds something already"):
        back_up()

    def again(_part):
        with pytest.raises(InputError, match="another process is writing"):
            back_up("other")

    back_up("other", tick=again)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_place_that_no_folder_can_take_is_refused_at_once(back_up, tmp_path, monkeypatch):
    (tmp_path / "disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "disk")
    ticks = []
    with pytest.raises(InputError, match="link is a link, or the top of a disk; name a new folder"):
        back_up("link", tick=ticks.append)
    monkeypatch.setattr(Path, "is_mount", lambda path: path.name == "disk")
    with pytest.raises(InputError, match="disk is a link, or the top of a disk; name a new folder"):
        back_up("disk", tick=ticks.append)

    assert ticks == []


def append(path, body=b"x"):
    path.write_bytes(path.read_bytes() + body)


def cut(path):
    path.write_bytes(path.read_bytes()[:-20])


DAMAGE = {
    "files/{} has changed": lambda folder, address: append(folder / "files" / address),
    "files/{} is missing": lambda folder, address: (folder / "files" / address).unlink(),
    "files/new is not in manifest.json": lambda folder, _: (folder / "files/new").touch(),
    "ocrjury.db has changed": lambda folder, _: cut(folder / "ocrjury.db"),
    "manifest.json is damaged": lambda folder, _: cut(folder / "manifest.json"),
    "holds no backup": lambda folder, _: (folder / "manifest.json").unlink(),
}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_damage_is_named_and_nothing_of_it_restored(back_up, restored, store, tmp_path):
    for number, (sentence, damage) in enumerate(DAMAGE.items()):
        folder, _ = back_up(f"backup{number}")
        damage(folder, store.address)

        with pytest.raises(InputError, match=sentence.format(store.address)):
            restored(folder)

        assert not (tmp_path / "restored").exists()


BROKEN = {
    "nothing guards rows that never change: ratings_no": "DROP TRIGGER ratings_no_delete",
    "earlier revisions of ratings are missing": """
        DROP TRIGGER ratings_no_delete; DELETE FROM ratings WHERE rev = 1""",
    "rows refer to missing ones": "DELETE FROM assignments WHERE state = 'done'",
    "the audit log was changed at line 1": """
        DROP TRIGGER audit_no_update; UPDATE audit SET actor = 'R02'""",
}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("sentence", BROKEN)
def test_a_store_that_breaks_its_rules_is_backed_up_and_told(back_up, store, sentence):
    with closing(sqlite3.connect(store.url.removeprefix("sqlite:///"))) as database:
        database.executescript(BROKEN[sentence])

    folder, done = back_up()

    assert any(fault.startswith(sentence) for fault in done.faults)
    assert check_backup(folder, tick=quiet).faults == done.faults


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_database_whose_rows_went_is_no_backup(back_up):
    folder, _ = back_up()
    with closing(sqlite3.connect(folder / "ocrjury.db")) as copy, copy:
        copy.execute("DELETE FROM rubrics")
    manifest = folder / "manifest.json"
    body = json.loads(manifest.read_text())
    body["files"]["ocrjury.db"] = entry_of(folder / "ocrjury.db").to_json()
    manifest.write_text(json.dumps(body))

    with pytest.raises(InputError, match="other numbers of rows"):
        check_backup(folder, tick=quiet)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_file_that_was_damaged_in_the_store_is_named(store, back_up):
    append(store.files.path(store.address))

    folder, done = back_up()

    assert done.faults == (f"files/{store.address} is damaged",)
    assert (folder / "files" / store.address).read_bytes() == b"a poolx"


def test_what_rows_name_and_the_home_does_not_hold_is_told(store, back_up, engine, now):
    pool = update(evaluations).values(pool_hash=store.address)
    report = {"evaluation": store.evaluation, "kind": "final", "language": "en", "main": True}
    hashes = {"sha256": "x", "inputs_hash": "x", "cover": cover(), "at": now}
    with writing(engine) as connection:
        connection.execute(pool)
        for version, name in enumerate(("report-gone.html", "report-purged.html"), start=1):
            row = report | hashes | {"version": version, "html_uri": name}
            connection.execute(insert(reports).values(row))
        purged = RemovedReport("final", "en", 2, "report-purged.html")
        purge = NewPurge(store.evaluation, 1, finished=False, body={"reports": [purged]}, actor="x")
        add_purge(connection, purge, now=now)

    _, done = back_up()
    shutil.rmtree(store.home / "files")  # as of a home that is not mounted
    _, unmounted = back_up("unmounted")

    assert done.faults == ("files lacks report-gone.html",)
    assert unmounted.faults == (f"files lacks {store.address}, report-gone.html",)
