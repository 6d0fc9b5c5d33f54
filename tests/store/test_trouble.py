"""A store that is full, read-only or away says so in one sentence, whatever asked."""

import errno
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
import pytest
import sqlalchemy as sa

from ocrjury.errors import StoreError
from ocrjury.store.audit import add_audit
from ocrjury.store.database import open_database, reading, writing
from ocrjury.store.snapshots import snapshot
from ocrjury.store.trouble import ailment_of_disk, trouble
from tests.conftest import start_postgres, stop_postgres


@pytest.fixture
def file(tmp_path):
    """The database of a store that was used before."""
    engine = open_database(f"sqlite:///{tmp_path}/ocrjury.db")
    engine.dispose()
    return tmp_path / "ocrjury.db"


def write(engine, now, *, size=20_000):
    with writing(engine) as connection:
        add_audit(connection, "view", actor="R01", object_="x" * size, address="cli", now=now)


def count(engine):
    with reading(engine) as connection:
        return connection.execute(sa.text("select count(*) from audit")).scalar()


def fill(engine):
    """Give a database no page more than it has, as a full disk does."""
    sa.event.listen(engine, "connect", lambda raw, _: raw.execute("PRAGMA max_page_count=1"))
    engine.dispose()


def test_a_full_store_can_be_read_and_says_that_it_is_full(file, now):
    engine = open_database(f"sqlite:///{file}")
    fill(engine)

    with pytest.raises(StoreError) as refused:
        write(engine, now)

    assert refused.value.ailment == "full"
    assert str(refused.value) == (
        f"The store at {file} is full. What was stored is safe; make room on its disk, then do "
        "this again."
    )
    assert count(engine) == 0
    engine.dispose()


def test_a_read_only_store_can_be_read_and_says_that_it_is(file, now):
    engine = open_database(f"sqlite:///file:{file}?mode=ro&uri=true")

    with pytest.raises(StoreError, match="can only be read") as refused:
        write(engine, now)

    assert refused.value.ailment == "read-only"
    assert count(engine) == 0
    engine.dispose()


def test_a_store_in_a_folder_that_is_gone_is_away(tmp_path):
    with pytest.raises(StoreError, match="cannot be opened: unable to open") as refused:
        open_database(f"sqlite:///{tmp_path}/gone/ocrjury.db")

    assert refused.value.ailment == "away"


def test_a_damaged_store_is_not_taken_for_a_full_one(file):
    file.write_bytes(b"this is no database" * 1000)

    with pytest.raises(StoreError, match="restore the last backup") as refused:
        open_database(f"sqlite:///{file}")

    assert refused.value.ailment == "damaged"


def test_a_server_that_is_stopped_is_away_and_comes_back(postgres_cluster, now):
    server = f"host={postgres_cluster} user=postgres dbname=postgres"
    with psycopg.connect(server, autocommit=True, connect_timeout=60) as connection:
        connection.execute("CREATE DATABASE stopped")
    engine = open_database(f"postgresql://postgres@/stopped?host={postgres_cluster}")
    write(engine, now)

    stop_postgres(postgres_cluster)
    try:
        with pytest.raises(StoreError, match="start its server") as refused:
            write(engine, now)
    finally:
        start_postgres(postgres_cluster)

    assert refused.value.ailment == "away"
    assert count(engine) == 1
    engine.dispose()
    with psycopg.connect(server, autocommit=True, connect_timeout=60) as connection:
        connection.execute("DROP DATABASE stopped")


@pytest.mark.parametrize("transaction", [snapshot, writing])
def test_a_server_that_dies_within_a_transaction_is_away(postgres_url, transaction):
    engine = open_database(postgres_url)
    with pytest.raises(StoreError) as refused, transaction(engine) as connection:
        look(engine, connection)
        break_connections(postgres_url)
        look(engine, connection)

    assert refused.value.ailment == "away"
    assert count(engine) == 0
    engine.dispose()


def test_a_connection_that_a_restart_ended_between_two_uses_is_replaced_unseen(postgres_url, now):
    engine = open_database(postgres_url)
    write(engine, now)

    break_connections(postgres_url)

    assert count(engine) == 1
    engine.dispose()


def break_connections(url):
    """End all other connections to a database."""
    with psycopg.connect(url, autocommit=True, connect_timeout=60) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def look(engine, connection):
    """Read in a transaction, or in the snapshot of this thread."""
    if connection is None:
        count(engine)
    else:
        connection.execute(sa.text("select count(*) from audit"))


def test_a_server_that_takes_no_changes_is_read_only(postgres_url, now):
    open_database(postgres_url).dispose()
    engine = open_database(f"{postgres_url}&options=-c%20default_transaction_read_only=on")
    with pytest.raises(StoreError) as refused:
        write(engine, now)
    engine.dispose()

    assert refused.value.ailment == "read-only"


def test_a_wrong_statement_is_no_trouble_of_the_store(file):
    engine = open_database(f"sqlite:///{file}")

    with reading(engine) as connection, pytest.raises(sa.exc.OperationalError):
        connection.execute(sa.text("select x from nowhere"))

    engine.dispose()


@pytest.mark.parametrize(
    ("number", "ailment"),
    [(errno.ENOSPC, "full"), (errno.EROFS, "read-only"), (errno.ENOENT, None)],
)
def test_an_error_of_a_disk_is_told_from_that_of_a_file(number, ailment):
    assert ailment_of_disk(OSError(number, "x")) == ailment


def test_a_sentence_repeats_only_the_first_line_of_a_driver():
    error = trouble("away", "postgresql://db/x", detail="refused.\n[SQL: select 1]")

    assert "SQL" not in str(error)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_transaction_that_the_server_ends_so_that_another_can_go_on_was_busy(engine):
    def take(first, second):
        with engine.begin() as connection:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({first})")
            both_began.wait(60)
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({second})")

    both_began = Barrier(2)
    with ThreadPoolExecutor() as two:
        running = [two.submit(take, 1, 2), two.submit(take, 2, 1)]
        ends = [end for end in (one.exception(60) for one in running) if end is not None]

    assert [error.ailment for error in ends] == ["busy"]
