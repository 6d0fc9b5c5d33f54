import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from ocrjury.errors import InputError
from ocrjury.store.audit import add_audit, list_audit
from ocrjury.store.backups.moving import move_store
from ocrjury.store.database import open_database, shared_database, writing
from tests.forks import exit_code_of
from tests.store.backups.conftest import contents, opened, quiet
from tests.store.conftest import known_rows


@pytest.fixture
def database_url(tmp_path):
    return f"sqlite:///{tmp_path}/ocrjury.db"


@pytest.fixture
def database(store, engine):
    """The SQLite database that is moved; nobody has it open."""
    engine.dispose()
    return Path(store.url.removeprefix("sqlite:///"))


def test_every_row_comes_to_postgresql_and_the_source_stays_as_it_is(store, database, postgres_url):
    before = database.read_bytes()

    moved = move_store(database, postgres_url, tick=quiet)

    assert moved == contents(postgres_url) == contents(store.url)
    assert moved["truths"].rows == 11
    with shared_database(postgres_url) as engine:
        assert known_rows(engine, "truths") == {"truths": 11}
    assert database.read_bytes() == before


def test_numbers_go_on_and_rows_of_human_data_never_change(database, postgres_url, now):
    move_store(database, postgres_url, tick=quiet)
    engine = open_database(postgres_url)
    highest = list_audit(engine)[0].seq

    with writing(engine) as connection:
        add_audit(connection, "view", actor="R02", object_="d2", address="x", now=now)
    with pytest.raises(sa.exc.DatabaseError, match="rows of ratings never change"):
        with writing(engine) as connection:
            connection.exec_driver_sql("update ratings set value = 1")

    assert list_audit(engine)[0].seq == highest + 1
    engine.dispose()


def test_the_first_number_of_an_empty_log_is_one(tmp_path, postgres_url, now):
    opened(f"sqlite:///{tmp_path}/ocrjury.db")
    move_store(tmp_path / "ocrjury.db", postgres_url, tick=quiet)
    engine = open_database(postgres_url)

    with writing(engine) as connection:
        add_audit(connection, "view", actor="R02", object_="d2", address="x", now=now)

    assert [line.seq for line in list_audit(engine)] == [1]
    engine.dispose()


def test_a_target_that_holds_something_is_refused_and_left_alone(database, postgres_url):
    move_store(database, postgres_url, tick=quiet)
    before = contents(postgres_url)

    with pytest.raises(InputError, match="holds rows already"):
        move_store(database, postgres_url, tick=quiet)

    assert contents(postgres_url) == before


def killed_move(database, url):
    """Move a store; be killed before the last tables."""
    parts = []

    def tick(part):
        parts.append(part)
        if len(parts) == 20:
            os.kill(os.getpid(), signal.SIGKILL)

    move_store(database, url, tick=tick)


def test_a_move_that_is_killed_leaves_nothing_and_can_be_run_again(store, database, postgres_url):
    assert exit_code_of(killed_move, database, postgres_url) == -signal.SIGKILL
    assert {content.rows for content in contents(postgres_url).values()} == {0}

    move_store(database, postgres_url, tick=quiet)

    assert contents(postgres_url) == contents(store.url)


def test_a_store_in_use_is_not_moved(store, database, postgres_url, monkeypatch):
    monkeypatch.setattr("ocrjury.store.backups.moving._WAIT_SECONDS", 0.1)
    with shared_database(store.url) as engine, engine.connect() as idle:
        idle.exec_driver_sql("select 1").all()
        with pytest.raises(InputError, match=r"is in use. Stop `ocrjury up`"):
            move_store(database, postgres_url, tick=quiet)

    assert {content.rows for content in contents(postgres_url).values()} == {0}


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        pytest.param(
            "UPDATE documents SET reference = 'a' || char(0)",
            r"cannot hold a row of the table documents: .*NUL",
            id="a text that PostgreSQL cannot hold",
        ),
        pytest.param(
            "UPDATE alembic_version SET version_num = '0000'",
            r"have version '0000'.*`ocrjury status` without",
            id="tables of another version",
        ),
    ],
)
def test_what_cannot_be_moved_is_named_and_nothing_is(database, postgres_url, statement, sentence):
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(statement)

    with pytest.raises(InputError, match=sentence):
        move_store(database, postgres_url, tick=quiet)

    assert {content.rows for content in contents(postgres_url).values()} == {0}
