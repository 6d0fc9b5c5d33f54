from datetime import UTC, datetime
from functools import partial

import pytest

from ocrjury.frontends.ingest import OpenRound, check_capabilities, receive
from ocrjury.frontends.simulated import simulated_ratings
from ocrjury.store.audit import list_audit
from ocrjury.store.ratings import list_ratings
from tests.frontends.web.conftest import campaign_of, item, open_place, store_in

NOW = datetime(2026, 11, 20, tzinfo=UTC)
READ_RIGHT = {"hypothesis": "금액 1,200원"}


@pytest.fixture
def round_(tmp_path):
    """A round on fields that were read so well that a simulated rater says 5, amounts or not."""
    with store_in(tmp_path) as base:
        items = [item("d1", **READ_RIGHT), item("d2", **READ_RIGHT), item("d3")]
        place = open_place(base, items=items)
        rubric = campaign_of(tmp_path).rubric
        yield OpenRound(place.store, place.evaluation, 1, ("meaning", "layout"), rubric)


@pytest.fixture
def ratings(tmp_path):
    """A function that yields the ratings of a round by simulated raters."""
    return partial(simulated_ratings, campaign=campaign_of(tmp_path), seed=7)


def test_it_can_do_all_that_needs_no_eyes():
    assert check_capabilities("simulated") == ("diff", "image", "timing")


def test_everything_that_is_open_is_rated_once(ratings, round_):
    first = receive(round_, ratings(round_), now=NOW)
    again = receive(round_, ratings(round_), now=NOW)

    assert (len(first.accepted), first.refused, first.complete) == (6, (), True)
    assert again == ((), (), False, 0, 0)
    found = list_ratings(round_.store.engine, round_.evaluation)
    assert len(found) == 12
    assert {one.source for one in found} == {"simulated"}


def test_the_log_does_not_take_it_for_people(ratings, round_):
    receive(round_, ratings(round_), now=NOW)

    rated = [one for one in list_audit(round_.store.engine) if one.action == "rate"]
    assert {one.address for one in rated} == {"simulated"}
    assert len(rated) == 6


def test_an_interrupted_poll_gives_the_same_ratings_again(ratings, round_):
    assert list(ratings(round_)) == list(ratings(round_))
