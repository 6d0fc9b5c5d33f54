from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from ocrjury.store.audit import add_audit
from ocrjury.store.backups.copying import content_of
from ocrjury.store.backups.restoring import restore_backup
from ocrjury.store.backups.writing import write_backup
from ocrjury.store.database import make_engine, open_database, reading, writing
from ocrjury.store.files import FileStore
from ocrjury.store.ratings import Submission
from ocrjury.store.schema.creation import TABLES
from ocrjury.store.schema.findings import truths
from tests.store_calls import add_submissions

LABELS = [
    3,
    3.0,
    1e17,
    0.1234567890123457,
    -2.5e300,
    "3",
    "금액",
    None,
    [1, 2.0],
    {"a": None},
    True,
]
"""What JSON may be, alone in its column: SQLite keeps numbers, PostgreSQL texts."""


def quiet(_part):
    """Take no notice of progress."""


def rating(evaluation, item, rater, *, event=None, value=4.0):
    assignment = f"{evaluation}/1/{rater}/0/{item}"
    return Submission(assignment, {"meaning": value}, event or f"e/{assignment}", "r", "file")


def contents(url):
    """What every table of a database holds."""
    engine = make_engine(url)
    try:
        with reading(engine) as connection:
            return {table.name: content_of(connection, table) for table in TABLES}
    finally:
        engine.dispose()


@pytest.fixture
def store(engine, evaluation, database_url, tmp_path, now):
    """A store with an open round, ratings in two revisions, an audit log, labels and two files."""
    home = tmp_path / "home"
    files = FileStore(home / "files")
    address = files.put(b"a pool", kind="pool", suffix=".parquet")
    files.put(b"%PDF", kind="report", suffix=".pdf")
    for event, value in (("first", 2.0), ("second", 3.0)):
        one = rating(evaluation, "d1", "R01", event=event, value=value)
        add_submissions(engine, evaluation, [one], now=now)
    with writing(engine) as connection:
        add_audit(connection, "view", actor="R01", object_="d1", address="x", now=now)
        keys = {"evaluation": evaluation, "version": 1, "dimension": "meaning"}
        rest = {"confidence": 0.1, "tied": False, "probabilities": {}, "n_ratings": 2}
        rows = [keys | rest | {"item": str(n), "label": one} for n, one in enumerate(LABELS)]
        connection.execute(sa.insert(truths), rows)
    return SimpleNamespace(
        home=home, url=database_url, evaluation=evaluation, files=files, address=address, now=now
    )


@pytest.fixture
def back_up(store, tmp_path):
    """A function that makes a backup."""

    def call(name="backup", tick=quiet):
        folder = tmp_path / name
        done = write_backup(
            folder, home=store.home, database_url=store.url, now=store.now, tick=tick
        )
        return folder, done

    return call


@pytest.fixture
def restored(tmp_path):
    """A function that restores a backup and returns the home and the database's address."""

    def call(folder, *, url=None, home=None, tick=quiet):
        home = home or tmp_path / "restored"
        url = url or f"sqlite:///{home}/ocrjury.db"
        restore_backup(folder, home=home, database_url=url, tick=tick)
        return home, url

    return call


@pytest.fixture
def other_url(postgres_cluster, postgres_template, request):
    """A second PostgreSQL database with empty tables."""
    from tests.conftest import server_of

    name = f"o{abs(hash(request.node.nodeid))}"
    with server_of(postgres_cluster) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {postgres_template}")
        yield f"postgresql://postgres@/{name}?host={postgres_cluster}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def opened(url):
    """Open a database and close it, as any command does."""
    open_database(url).dispose()
