import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.assignment.eligibility import read_eligible, read_previous

RATERS = ["a", "b", "c"]


@given(st.lists(st.lists(st.sampled_from("abcx"), max_size=4), max_size=8))
def test_items_of_the_same_raters_share_a_row(lists):
    items = list(range(len(lists)))

    kind, allowed = read_eligible(dict(enumerate(lists)), items, RATERS)

    for item, names in enumerate(lists):
        expected = [rater in names for rater in RATERS]
        assert allowed[kind[item]].tolist() == expected
    assert len(allowed) == len({frozenset(names) - {"x"} for names in lists})


def test_a_frame_and_a_mapping_say_the_same():
    pairs = [(0, "c"), (2, "a"), (0, "a"), (2, "x"), (9, "a")]
    frame = pd.DataFrame(pairs, columns=["item", "rater"])

    kind, allowed = read_eligible(frame, [0, 1, 2], RATERS)

    assert allowed[kind].tolist() == [[True, False, True], [False] * 3, [True, False, False]]


def test_without_a_rule_everybody_may_rate_everything():
    kind, allowed = read_eligible(None, [0, 1], RATERS)

    assert allowed[kind].all()


def test_earlier_raters_are_padded_and_their_meetings_counted():
    previous = pd.DataFrame(
        [(1, "b"), (1, "a"), (1, "b"), ("old", "b"), ("old", "c"), (0, "gone")],
        columns=["item", "rater"],
    )

    before, meetings = read_previous(previous, [0, 1], RATERS)

    assert before.tolist() == [[3, 3], [0, 1]]
    assert meetings.tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]


def test_no_earlier_ratings_take_no_room():
    before, meetings = read_previous(None, [0, 1], RATERS)

    assert before.shape == (2, 0)
    assert not np.any(meetings)
