import contextvars
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from ocrjury.campaign.rubric import Rubric
from ocrjury.errors import InputError
from ocrjury.store import database
from ocrjury.store.database import open_database, reading, shared_database, writing
from ocrjury.store.evaluations import add_rubric
from ocrjury.store.schema.columns import Actions, Body, Kept, Said, metadata
from ocrjury.store.schema.course import moves
from ocrjury.store.schema.creation import INSERT_ONLY
from ocrjury.store.schema.material import documents
from ocrjury.store.snapshots import snapshot
from tests.children import exit_code_of
from tests.covers import cover
from tests.forks import FORKED
from tests.quick_database import durable, migrate
from tests.store.conftest import RUBRIC
from tests.tasks import former_store


def test_a_new_database_has_the_tables_of_the_schema(bare_url, monkeypatch):
    monkeypatch.setattr(database, "_migrate", migrate)  # made, as other tests do not
    engine = open_database(bare_url)

    assert_tables_of_the_schema(engine)
    engine.dispose()


def test_the_migrations_turn_the_tables_of_the_first_release_into_those_of_the_schema(
    bare_url, request
):
    if request.config.getoption("--regen-golden"):
        former_store.write_tables(bare_url)
        return
    released = sa.create_engine(bare_url.replace("postgresql:", "postgresql+psycopg:"))
    script = Path(__file__).with_name("first_release") / f"{released.dialect.name}.sql"
    statements = script.read_text("utf-8")
    with released.begin() as connection:
        driver = connection.connection.driver_connection
        run = driver.executescript if released.dialect.name == "sqlite" else driver.execute
        run(statements)
    released.dispose()

    engine = open_database(bare_url)

    assert_tables_of_the_schema(engine)
    engine.dispose()


def assert_tables_of_the_schema(engine):
    with reading(engine) as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, metadata) == []
        inspector = sa.inspect(connection)
        for table in metadata.tables.values():
            columns = [column["name"] for column in inspector.get_columns(table.name)]
            assert columns == table.columns.keys()
            checks = {check["name"] for check in inspector.get_check_constraints(table.name)}
            assert checks == {
                check.name for check in table.constraints if isinstance(check, sa.CheckConstraint)
            }


def test_a_commit_waits_for_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "_set_pragmas", durable)  # without the haste of other tests
    engine = open_database(f"sqlite:///{tmp_path}/durable.db")

    with reading(engine) as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL

    engine.dispose()


def test_a_process_keeps_one_engine_for_a_database_and_no_connection(database_url):
    with shared_database(database_url) as engine, shared_database(database_url) as again:
        assert again is engine
        with reading(again) as connection:
            connection.execute(sa.select(moves)).all()
    assert engine.pool.checkedin() == 0

    with shared_database(database_url) as later, reading(later) as connection:
        assert later is engine
        assert connection.execute(sa.select(moves)).all() == []


def test_stores_of_many_folders_leave_no_file_open(tmp_path):
    def open_one(number):
        with shared_database(f"sqlite:///{tmp_path}/{number}.db") as engine, reading(engine) as c:
            c.execute(sa.select(moves)).all()

    open_one(0)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for number in range(1, 12):
        open_one(number)

    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_database_that_was_removed_is_made_anew(tmp_path):
    path = tmp_path / "ocrjury.db"
    with shared_database(f"sqlite:///{path}"):
        pass
    path.unlink()

    with shared_database(f"sqlite:///{path}") as engine, reading(engine) as connection:
        assert connection.execute(sa.select(moves)).all() == []


def test_a_fork_has_an_engine_and_connections_of_its_own(database_url):
    with shared_database(database_url) as engine, reading(engine) as connection:
        child = os.fork()
        if child == 0:
            with shared_database(database_url) as other, reading(other) as own:
                empty = own.execute(sa.select(moves)).all() == []
                os._exit(0 if empty and other is not engine else 1)
        assert exit_code_of(child, 60) == 0
        assert connection.execute(sa.select(moves)).all() == []


def test_opening_again_changes_nothing(engine, database_url):
    again = open_database(database_url)
    try:
        with reading(again) as connection:
            assert connection.execute(sa.select(sa.func.count()).select_from(moves)).scalar() == 0
    finally:
        again.dispose()


def test_the_error_of_a_failed_statement_names_no_value(engine):
    text = "a text of a document"
    row = {"evaluation": "e", "doc_id": "d", "page_id": "p", "reference": text, "scores": {}}

    with pytest.raises(sa.exc.IntegrityError) as error, writing(engine) as connection:
        connection.execute(sa.insert(documents), [row] * 2)

    assert text not in str(error.value)


CHANGES = {
    "sqlite": (
        "update {0} set {1} = {1}",
        "update or replace {0} set {1} = {1}",
        "delete from {0}",
        "insert or replace into {0} select * from {0}",
        "replace into {0} (rowid, {2}) select rowid, {3} from {0}",
    ),
    "postgresql": (
        "update {0} set {1} = {1}",
        "delete from {0}",
        "truncate {0}",
        "insert into {0} select * from {0} on conflict ({4}) do update set {1} = excluded.{1}",
    ),
}


@pytest.mark.parametrize("table", INSERT_ONLY)
def test_rows_of_human_data_never_change(engine, now, table):
    columns, key = metadata.tables[table].columns, metadata.tables[table].primary_key.columns
    with writing(engine) as connection:
        _insert_any_row(connection, metadata.tables[table], now)
    other = (f"'b' || {c.name}" if c in [*key] and c.name != "seq" else c.name for c in columns)
    words = (table, key.keys()[0], *map(", ".join, (columns.keys(), other, key.keys())))

    for statement in CHANGES[engine.dialect.name]:
        with pytest.raises(sa.exc.DatabaseError, match=f"rows of {table} never change"):
            with writing(engine) as connection:
                connection.exec_driver_sql(statement.format(*words))


@pytest.mark.parametrize("taken", ["(assignment, dimension, rev)", "(event_id, dimension)"])
def test_no_rating_takes_the_place_of_one_with_another_key(tmp_path, now, taken):
    engine = open_database(f"sqlite:///{tmp_path}/ocrjury.db")
    with writing(engine) as connection:
        _insert_any_row(connection, metadata.tables["ratings"], now)
    other = {"rating_id": "b", "rev": 2, "event_id": "b"}
    kept = [name for name in other if name not in taken]
    columns = metadata.tables["ratings"].columns.keys()
    values = (repr(other[name]) if name in kept else name for name in columns)

    with pytest.raises(sa.exc.IntegrityError, match="rows of ratings never change"):
        with writing(engine) as connection:
            connection.exec_driver_sql(
                f"insert or replace into ratings select {', '.join(values)} from ratings"
            )
    engine.dispose()


def test_no_delivery_takes_the_place_of_one_that_was_sent(tmp_path, now):
    engine = open_database(f"sqlite:///{tmp_path}/ocrjury.db")
    again = (
        "insert or replace into deliveries select message_id, attempt + 1, evaluation, what, "
        "recipient, sha256, '{}', detail, at from deliveries"
    )
    with writing(engine) as connection:
        _insert_any_row(connection, metadata.tables["deliveries"], now)
        connection.exec_driver_sql(again.format("failed"))

    with pytest.raises(sa.exc.IntegrityError, match="rows of deliveries never change"):
        with writing(engine) as connection:
            connection.exec_driver_sql(again.format("sent"))
    engine.dispose()


def open_when_all_are_there(url, gate):
    gate.wait(60)
    open_database(url).dispose()


def test_five_processes_may_open_a_new_database_at_once(bare_url):
    gate = FORKED.Barrier(5)
    children = [
        FORKED.Process(target=open_when_all_are_there, args=(bare_url, gate)) for _ in range(5)
    ]

    for child in children:
        child.start()
    for child in children:
        child.join(60)

    assert [child.exitcode for child in children] == [0] * 5


def test_a_database_that_somebody_writes_to_is_waited_for_until_it_has_a_log(tmp_path):
    # SQLite itself waits here for nothing: the switch would have to read what is being written.
    other = sqlite3.connect(tmp_path / "x.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE").close()
    other.execute("CREATE TABLE anything (x)").close()
    done = Timer(0.3, other.execute, ["COMMIT"])
    done.start()

    open_database(f"sqlite:///{tmp_path}/x.db").dispose()

    done.join(60)
    other.close()
    with closing(sqlite3.connect(tmp_path / "x.db")) as anew:
        assert anew.execute("PRAGMA journal_mode").fetchall() == [("wal",)]


def test_another_database_is_refused():
    with pytest.raises(InputError, match="must start with sqlite:// or postgresql://"):
        open_database("mysql://localhost/x")


def test_tables_of_a_newer_version_are_refused_and_left_alone(engine, database_url):
    with writing(engine) as connection:
        connection.exec_driver_sql("update alembic_version set version_num = '9999'")
    tables = sa.inspect(engine).get_table_names()

    with pytest.raises(InputError, match=r"have version '9999'.* a newer one: pip install"):
        open_database(database_url)

    assert sa.inspect(engine).get_table_names() == tables


def test_a_writer_waits_for_another_only_so_long(engine):
    asked = {"sqlite": "pragma busy_timeout", "postgresql": "show lock_timeout"}
    with reading(engine) as connection:
        limit = connection.exec_driver_sql(asked[engine.dialect.name]).scalar()
        driver = connection.connection.driver_connection

    assert limit in (30_000, "30s")
    if engine.dialect.name == "postgresql":  # nor for one whose machine is gone without a word
        given = driver.info.get_parameters()
        assert given["tcp_user_timeout"] == "60000"
        assert "-c tcp_keepalives_idle=20 " in given["options"]  # the server, for a client


def test_the_url_may_set_how_long_a_writer_waits(postgres_url):
    opened = open_database(f"{postgres_url}&options=-c%20lock_timeout%3D5s")
    try:
        with reading(opened) as connection:
            assert connection.exec_driver_sql("show lock_timeout").scalar() == "5s"
    finally:
        opened.dispose()


def _insert_any_row(connection, table, now):
    """Insert a row that breaks no rule but those about other tables."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("pragma defer_foreign_keys = on")
    if table.name in {"ratings", "item_flags"}:
        _insert_assignment(connection, now)
    words = {"decision": "PASS", "state": "sent", "source": "file", "value": 3.0, "flag": None}
    words |= {"category": "other", "change": "case"}
    connection.execute(sa.insert(table).values(**{c.name: _any(c, words, now) for c in table.c}))


def _any(column, words, now):
    if column.name in words and column.table.name != "set_aside":
        return words[column.name]
    if column.nullable:
        return None
    if isinstance(column.type, Kept):
        return cover()
    if isinstance(column.type, Body):
        return column.type.kind()
    kinds = [
        *(
            (sa.Boolean, False),
            (sa.Integer, 1),
            (sa.Float, 1.0),
            (sa.JSON, []),
            (Said, []),
            (Actions, ()),
        ),
        (sa.Text, "a"),
    ]
    return next((value for kind, value in kinds if isinstance(column.type, kind)), now)


def _insert_assignment(connection, now):
    tables = metadata.tables
    rows = {
        "items": {"item": "a", "purpose": "pilot", "system": "default"},
        "raters": {"rater": "a", "pseudonym": "a"},
        "rounds": {"kind": "main", "state": "open"},
        "assignments": {"assignment": "a", "state": "open"},
    }
    for name, values in rows.items():
        columns = {c.name: _any(c, {}, now) for c in tables[name].c}
        connection.execute(sa.insert(tables[name]).values(**{**columns, **values}))


def test_a_snapshot_is_of_one_moment_until_its_reader_writes(engine):
    def count():
        with reading(engine) as connection:
            return connection.exec_driver_sql("SELECT count(*) FROM rubrics").scalar()

    def add(name):
        with writing(engine) as connection:
            add_rubric(connection, Rubric.model_validate({**RUBRIC, "purpose": name}))

    with snapshot(engine):
        before = count()
        contextvars.Context().run(add, "by another process")
        assert (before, count()) == (0, 0)
        with snapshot(engine):
            assert count() == 0
        add("by itself")
        assert count() == 2
    assert count() == 2
