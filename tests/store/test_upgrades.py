"""A package with a newer version of the tables opens a store in which people rate."""

import pytest
import sqlalchemy as sa

from ocrjury.errors import InputError
from ocrjury.store import database, migrations
from ocrjury.store.database import open_database, reading, revision_of, shared_database
from ocrjury.store.ratings import Submission, list_ratings
from tests import next_release
from tests.store_calls import add_submissions


@pytest.fixture
def upgraded(tmp_path, monkeypatch):
    """A function that makes this process one of the next release."""

    def become(more=""):
        next_release.become(monkeypatch, tmp_path, more)

    return become


def rate(engine, evaluation, item, now):
    assignment = f"{evaluation}/1/R01/0/{item}"
    one = Submission(assignment, {"meaning": 4.0}, f"e/{item}", "r", "file")
    add_submissions(engine, evaluation, [one], now=now)


def test_what_collects_goes_on_after_a_migration_which_is_told(
    engine, evaluation, database_url, upgraded, now, caplog
):
    rate(engine, evaluation, "d1", now)
    before = list_ratings(engine, evaluation)
    engine.dispose()
    upgraded()

    with shared_database(database_url) as newer:
        rate(newer, evaluation, "d2", now)
        after = list_ratings(newer, evaluation)
        with reading(newer) as connection:
            rooms = connection.execute(sa.text("select room from rounds")).scalars().all()

    assert rooms == ["first floor"]
    assert [one for one in after if one in before] == before
    assert len(after) == 2
    assert f"brought from version {migrations.HEAD} to {next_release.REVISION}" in caplog.text
    assert "restart whatever still runs one" in caplog.text


def test_the_former_package_then_refuses_and_says_what_to_do(
    engine, evaluation, database_url, upgraded, monkeypatch
):
    engine.dispose()
    upgraded()
    open_database(database_url).dispose()
    monkeypatch.setattr(database, "HEAD", migrations.HEAD)
    monkeypatch.setattr(database, "_SCRIPTS", "ocrjury.store:migrations")

    with pytest.raises(InputError, match=r"have version '9999', which this ocrjury does not know"):
        open_database(database_url)


def test_a_migration_that_fails_leaves_the_tables_as_they_were(
    engine, evaluation, database_url, upgraded, now
):
    engine.dispose()
    upgraded(more='raise OSError("the power went")')

    with pytest.raises(OSError, match="the power went"):
        open_database(database_url)

    with reading(engine) as connection:
        assert revision_of(connection) == migrations.HEAD
        assert "room" not in {c["name"] for c in sa.inspect(connection).get_columns("rounds")}
    rate(engine, evaluation, "d1", now)


def test_opening_a_store_of_this_version_says_nothing(engine, database_url, caplog):
    open_database(database_url).dispose()

    assert [record for record in caplog.records if record.name != "asyncio"] == []
