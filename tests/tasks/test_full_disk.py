"""A disk without room stops a step with a sentence, changes nothing, and is healed by room."""

import pytest

import ocrjury.flows.advance_evaluation as advance
from ocrjury.errors import StoreError
from ocrjury.store.reports import list_reports
from ocrjury.tasks.report import write_report_again
from tests.full_disk import full
from tests.tasks.conftest import QUICK

pytestmark = pytest.mark.on_sqlite
FULL = r"is full\. What was stored is safe; make room on its disk"


@pytest.fixture
def rated(small):
    """An evaluation whose round is full, so that the next step would write."""
    small.write(rounds={"frontend": "file"}, sampling={"n": 40}).open()
    small.rate()
    return small


def test_an_advance_on_a_full_disk_says_so_and_goes_on_later(rated):
    before = rated.rows()

    with full(), pytest.raises(StoreError, match=FULL):
        rated.advance_now()

    assert rated.rows() == before
    rated.advance_now()
    assert len(rated.rows()) > len(before)


def test_a_sweep_on_a_full_disk_says_so_and_goes_on_later(rated):
    before = rated.rows()

    with full(), pytest.raises(StoreError, match=FULL):
        advance.sweep()

    assert rated.rows() == before
    assert not advance.sweep().is_failed()
    assert rated.rows() != before


def test_nothing_opens_on_a_full_disk_until_there_is_room(small):
    small.write(rounds={"frontend": "file"}).open_only("before")  # makes the store

    with full(), pytest.raises(StoreError, match=FULL):
        small.open_only("p")

    assert small.evaluation == "small-before"
    assert small.open_only("p").evaluation == "small-p"
    assert small.advance_now().name == "WaitingForRatings"


def test_a_report_on_a_full_disk_is_written_when_there_is_room(small):
    small.write(**QUICK).open()
    before = small.stored(list_reports)

    with full(), pytest.raises(StoreError, match=FULL):
        write_report_again.fn(small.evaluation)

    assert small.stored(list_reports) == before
    write_report_again.fn(small.evaluation)
    assert len(small.stored(list_reports)) == len(before) + 1
