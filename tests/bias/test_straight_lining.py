import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.bias.range_restriction import longest_runs, repeated


def test_runs_end_with_the_session_and_the_rater():
    answer = np.array([[4], [4], [4], [4], [1], [1]])
    follows = np.array([False, True, False, True, False, True])

    found = longest_runs(answer, follows, rater=np.array([0, 0, 0, 0, 2, 2]), n_raters=3)

    assert found.ravel().tolist() == [2, 0, 2]


@given(st.lists(st.integers(0, 2), min_size=1, max_size=30))
def test_runs_equal_those_counted_one_by_one(answers):
    longest = current = 0
    for place, answer in enumerate(answers):
        current = current + 1 if place and answer == answers[place - 1] else 1
        longest = max(longest, current)
    follows = np.arange(len(answers)) > 0

    found = longest_runs(
        np.array(answers)[:, None], follows, rater=np.zeros(len(answers), dtype=int), n_raters=1
    )

    assert found[0, 0] == longest


def test_an_answer_repeats_the_one_before_in_its_session_only():
    answer = np.array([[4], [4], [4], [4], [1], [1]])
    follows = np.array([False, True, False, True, False, True])

    found = repeated(answer, follows, rater=np.array([0, 0, 0, 0, 2, 2]), n_raters=3)

    assert found.ravel().tolist() == [0.5, 0, 0.5]
