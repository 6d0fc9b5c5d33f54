import os
import signal

import psycopg
import pytest

from ocrjury.errors import InputError, StoreError
from ocrjury.store.backups import restoring
from ocrjury.store.backups.restoring import restore_backup
from ocrjury.store.backups.unfinished_folder import unfinished
from ocrjury.store.database import make_engine, writing
from tests.forks import exit_code_of
from tests.store.backups.conftest import contents, quiet


def test_a_home_that_holds_anything_is_refused(back_up, tmp_path, database_url):
    folder, _ = back_up()
    home = tmp_path / "held"
    home.mkdir()
    (home / "files").mkdir()

    with pytest.raises(InputError, match="held holds files; a backup is restored into an empty"):
        restore_backup(folder, home=home, database_url=f"sqlite:///{home}/ocrjury.db", tick=quiet)

    assert [path.name for path in home.iterdir()] == ["files"]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_postgresql_database_that_holds_rows_is_refused(store, back_up, restored, tmp_path):
    folder, _ = back_up()
    before = contents(store.url)

    with pytest.raises(InputError, match="holds rows already"):
        restored(folder, url=store.url)

    assert contents(store.url) == before
    assert list((tmp_path / "restored").iterdir()) == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_sqlite_belongs_into_the_home(back_up, restored, tmp_path):
    with pytest.raises(InputError, match=r"is restored to .*restored/ocrjury\.db"):
        restored(back_up()[0], url=f"sqlite:///{tmp_path}/elsewhere.db")


def killed_restore(folder, home, url, after):
    """Restore a backup; be killed when some part of it is done."""
    parts = []

    def tick(part):
        parts.append(part)
        if len(parts) == after:
            os.kill(os.getpid(), signal.SIGKILL)

    restore_backup(folder, home=home, database_url=url, tick=tick)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_restore_that_is_killed_can_be_run_again(store, back_up, target, request, tmp_path):
    url = request.getfixturevalue("other_url") if target == "postgresql" else None
    folder, _ = back_up()
    home = tmp_path / "restored"
    url = url or f"sqlite:///{home}/ocrjury.db"

    for after in (2, 5, 12):
        code = exit_code_of(killed_restore, folder, home, url, after)
        assert code == (-signal.SIGKILL if after < 7 or target == "postgresql" else 0)
        assert (home / "ocrjury.db").exists() == (code == 0)
    if code:
        (home / "files").mkdir()  # as if it was killed between the files and the rows
        restore_backup(folder, home=home, database_url=url, tick=quiet)

    assert contents(url) == contents(store.url)
    assert [path.name for path in home.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_backup_of_a_newer_version_is_refused_and_nothing_stays(
    store, back_up, restored, tmp_path
):
    engine = make_engine(store.url)
    with writing(engine) as connection:
        connection.exec_driver_sql("update alembic_version set version_num = '9999'")
    engine.dispose()
    folder, done = back_up()
    assert done.manifest.revision == "9999"

    with pytest.raises(InputError, match=r"have version '9999'.*pip install --upgrade"):
        restored(folder)

    assert list((tmp_path / "restored").iterdir()) == []


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_restore_whose_database_goes_away_at_the_end_can_be_run_again(
    store, back_up, restored, other_url, tmp_path, monkeypatch
):
    folder, _ = back_up()

    def put_files_and_lose_the_database(*places):
        put_files(*places)
        with psycopg.connect(other_url, autocommit=True, connect_timeout=60) as connection:
            others = "datname = current_database() AND pid <> pg_backend_pid()"
            query = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE "
            connection.execute(query + others)

    put_files = restoring._put_files
    with monkeypatch.context() as patch, pytest.raises(StoreError, match="cannot be opened"):
        patch.setattr(restoring, "_put_files", put_files_and_lose_the_database)
        restored(folder, url=other_url)
    restored(folder, url=other_url)

    assert contents(other_url) == contents(store.url)
    assert [path.name for path in (tmp_path / "restored").iterdir()] == ["files"]


def test_a_folder_that_has_its_name_is_followed_by_that_of_another_process(tmp_path):
    place = tmp_path / ".unfinished"
    with unfinished(place, place=place) as part:
        part.rename(tmp_path / "done")
        with unfinished(place, place=place) as other:
            (other / "written").touch()
            other.rename(tmp_path / "second")
        place.mkdir()
        (place / "of a third").touch()

    assert (place / "of a third").exists()
    assert (tmp_path / "second" / "written").exists()
