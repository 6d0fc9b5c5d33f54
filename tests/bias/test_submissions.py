import numpy as np
import pandas as pd
import pytest

from ocrjury import Scale
from ocrjury.bias.submissions import read_submissions

COLUMNS = ["item", "rater", "dimension", "rating", "session", "position"]
ROWS = [
    ("b", "R1", "layout", 4, "s1", 2),
    ("b", "R1", "meaning", 5, "s1", 2),
    ("a", "R1", "meaning", 1, "s1", 1),
    ("c", "R1", "meaning", 3, "s2", 1),
    ("a", "R2", "meaning", 2, "s3", None),
]


def submissions(**changes):
    frame = pd.DataFrame(ROWS, columns=COLUMNS).assign(**changes)
    return read_submissions(frame, scale=Scale.likert(1, 5))


def test_a_submission_is_an_item_of_a_rater_on_all_dimensions():
    found = submissions()

    assert found.dimensions == ("layout", "meaning")
    assert found.raters == ("R1", "R2")
    assert list(zip(found.item.tolist(), found.rater.tolist(), strict=True)) == [
        (0, 0),
        (0, 1),
        (1, 0),
        (2, 0),
    ]
    assert found.value[2].tolist() == [4, 5]
    assert np.isnan(found.value[0]).tolist() == [True, False]
    assert found.point == 1


def test_places_count_within_sessions():
    found = submissions()

    assert found.place.tolist() == [0, -1, 1, 0]
    assert found.session[0] == found.session[2] != found.session[3]
    assert found.sequence().tolist() == [0, 2, 3]
    assert found.position().tolist() == [-0.5, 0, 0.5, 0]


def test_gaps_between_positions_do_not_matter():
    found = submissions(position=[40, 40, 7, 1, None])

    assert found.place.tolist() == [0, -1, 1, 0]


def test_without_a_session_all_of_a_rater_is_one():
    frame = pd.DataFrame(ROWS, columns=COLUMNS).drop(columns="session")
    frame["position"] = [2, 2, 1, 3, 1]

    found = read_submissions(frame, scale=Scale.likert(1, 5))

    assert found.place.tolist() == [0, 0, 1, 2]


def test_a_session_name_that_two_raters_share_is_two_sessions():
    found = submissions(session="monday", position=[2, 2, 1, 3, 1])

    assert found.session[0] == found.session[2] == found.session[3] != found.session[1]


def test_positions_that_are_all_missing_are_no_order():
    assert not submissions(position=None).ordered


def test_the_overall_rating_is_the_mean_of_centred_dimensions():
    # meaning has the mean 11 / 4, layout the mean 4
    assert submissions().overall() == pytest.approx([-1.75, -0.75, 1.125, 0.25])


def test_a_dimension_without_ratings_is_none():
    found = submissions(rating=[None, 5, 1, 3, 2])

    assert found.dimensions == ("meaning",)
