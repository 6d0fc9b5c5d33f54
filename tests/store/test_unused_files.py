"""Files go that were written for a row which never came to be, but for those that others name."""

import pytest
import sqlalchemy as sa

from ocrjury.errors import LostRaceError
from ocrjury.store.database import writing
from ocrjury.store.files import FileStore
from ocrjury.store.schema.course import evaluations
from ocrjury.store.unused_files import check_there, check_unpurged, removed_unless_named
from ocrjury.store.workspace import Store


@pytest.fixture
def store(engine, tmp_path):
    return Store(engine, FileStore(tmp_path / "files"))


def put(store, body):
    return store.files.put(body, kind="pool", suffix=".parquet")


def test_only_what_no_row_names_goes_where_a_step_fails(store, evaluation):
    named, unnamed = put(store, b"named"), put(store, b"unnamed")
    with writing(store.engine) as connection:
        connection.execute(sa.update(evaluations).values(pool_hash=named))

    with pytest.raises(LostRaceError), removed_unless_named(store, [named, unnamed]):
        raise LostRaceError(evaluation)

    assert [path.name for path in store.files.folder.iterdir()] == [named]


def test_nothing_goes_where_a_step_is_stored(store):
    kept = put(store, b"x")

    with removed_unless_named(store, [kept]):
        pass

    assert store.files.path(kept).exists()


def test_a_file_that_was_removed_meanwhile_is_not_named(store, evaluation):
    address = put(store, b"x")
    with writing(store.engine) as connection:
        check_there(connection, store, address)
        check_unpurged(connection, evaluation, since=0)
    store.files.path(address).unlink()

    with writing(store.engine) as connection, pytest.raises(LostRaceError, match=address):
        check_there(connection, store, address)
    with writing(store.engine) as connection, pytest.raises(LostRaceError, match=evaluation):
        check_unpurged(connection, evaluation, since=1)
