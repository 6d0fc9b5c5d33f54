"""Advancing on a store that takes no changes says so, changes nothing, and goes on later."""

from contextlib import contextmanager

import pytest
import sqlalchemy as sa

import ocrjury.flows.advance_evaluation as advance
from ocrjury.errors import StoreError
from ocrjury.evaluation.case import at_work


@contextmanager
def read_only():
    """Let no new connection of this process change anything, as a disk that is mounted so."""
    only_reading = {
        "sqlite3": "PRAGMA query_only=ON",
        "psycopg": "SET default_transaction_read_only = on",
    }

    def limit(raw, _record):
        kind = type(raw).__module__.partition(".")[0]
        raw.execute(only_reading[kind]).close()
        raw.commit()

    with at_work() as work:
        work.engine.dispose()
    sa.event.listen(sa.Engine, "connect", limit)
    try:
        yield
    finally:
        sa.event.remove(sa.Engine, "connect", limit)
        with at_work() as work:
            work.engine.dispose()


@pytest.fixture
def rated(small):
    """An evaluation whose round is full, so that the next step would write."""
    small.write(rounds={"frontend": "file"}, sampling={"n": 40}).open()
    small.rate()
    return small


@pytest.mark.usefixtures("database")
def test_an_advance_on_a_read_only_store_says_so_and_goes_on_later(rated):
    before = rated.rows()

    with read_only(), pytest.raises(StoreError, match=r"can only be read. Mount its disk for writ"):
        rated.advance_now()

    assert rated.rows() == before
    rated.advance_now()
    assert len(rated.rows()) > len(before)


@pytest.mark.usefixtures("database")
def test_a_sweep_on_a_read_only_store_fails_with_the_sentence(rated):
    before = rated.rows()

    with read_only():
        end = advance.sweep()

    assert end.is_failed()
    assert f"{rated.evaluation} failed" in end.message
    assert "can only be read. Mount its disk for writing" in end.message
    assert rated.rows() == before
    assert not advance.sweep().is_failed()
    assert rated.rows() != before
