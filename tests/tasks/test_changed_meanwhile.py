"""Pool, campaign, rubric and raters are edited or removed while people rate."""

import pytest

from ocrjury.store.ratings import list_ratings
from ocrjury.store.results import latest_results
from ocrjury.store.rounds import list_assignments
from tests.tasks.conftest import documents, opinion


def first_half(small, home):
    small.monkeypatch.setenv("OCRJURY_HOME", str(home))
    small.pool, small.dimensions = documents(20), ["meaning"]
    small.people = ["R01,rater", "R02,rater", "R03,rater"]
    small.scale = {"kind": "likert", "low": 1, "high": 5}
    rounds = {"frontend": "file", "top_ups": 0}
    small.write(sampling={"n": 12, "floor": 0}, rounds=rounds, adaptive={"max_rounds": 0}).open()
    small.rate({"R01"}, say=lambda one, _: opinion(one))


def second_half(small):
    """Bring it to its end; return what was found and who was asked."""
    assert small.advance().name == "WaitingForRatings"
    small.rate(say=lambda one, _: opinion(one))
    small.advance()
    assert small.decide("proceed").name == "Closed"
    read = (list_assignments, list_ratings)
    return small.stored(latest_results, "estimate"), *map(small.stored, read), small.rows()


@pytest.mark.on_sqlite
def test_what_is_edited_while_people_rate_changes_nothing_that_is_open(small, tmp_path):
    first_half(small, tmp_path / "left-alone")
    undisturbed = second_half(small)

    first_half(small, tmp_path / "edited")
    small.scale, small.people = {"kind": "binary"}, ["X1,rater", "X2,rater"]
    small.write(sampling={"n": 5}, gate={"on_fail": "abort"}, adaptive={"max_rounds": 3})
    small.path.with_name("pool.jsonl").unlink()

    assert second_half(small) == undisturbed


def test_what_is_removed_while_people_rate_is_missed_by_nobody(small, tmp_path):
    first_half(small, tmp_path / "home")
    ratings = small.path.parent.glob("*.csv")
    for path in (small.path, small.path.with_name("pool.jsonl"), *ratings):
        path.unlink()

    estimates, assignments, ratings, _ = second_half(small)

    assert set(estimates) == {"meaning"}
    assert len(ratings) == len(assignments)
