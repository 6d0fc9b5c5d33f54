import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.bias.range_restriction import find_straight_lining, longest_runs, repeated
from ocrjury.bias.submissions import read_submissions
from ocrjury.scales import Scale


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


def run_with(burst, *, seed):
    """Finding on a rater who once gave the same answer to some items without looking."""
    rng = np.random.default_rng(seed)
    answers = rng.choice([1, 2, 3, 4, 5], 80, p=[0.1, 0.1, 0.2, 0.2, 0.4])
    start = rng.integers(0, 80 - burst)
    answers[start : start + burst] = 5
    ratings = pd.DataFrame({"item": range(80), "rater": "R1", "rating": answers})
    ratings = ratings.assign(dimension="meaning", position=range(80))
    [run] = find_straight_lining(read_submissions(ratings, scale=Scale.likert(1, 5)), rng)
    return run


def test_the_interval_holds_what_was_answered_without_looking():
    for burst in (0, 6, 25):
        runs = [run_with(burst, seed=seed) for seed in range(40)]

        assert np.mean([run.low <= burst <= run.high for run in runs]) >= 0.95
        assert all(run.low <= run.effect == run.high for run in runs)


def test_an_interval_above_zero_is_what_the_test_finds():
    runs = [run_with(burst, seed=seed) for burst in (0, 5, 15) for seed in range(30)]

    found = np.array([run.p_value <= 0.05 for run in runs])
    above = np.array([run.low > 0 for run in runs])

    assert (found == above).mean() > 0.9
    assert found[-30:].all()
    assert above[:30].mean() < 0.15


def side_by_side(seed, *, straight=False):
    """Finding on a rater of 20 pages, of which five systems' outputs follow each other."""
    rng = np.random.default_rng(seed)
    quality = np.repeat(rng.normal(3.3, 0.8, 20), 5) + rng.normal(0, 0.6, 100)
    answers = np.clip(np.round(quality + rng.normal(0, 0.5, 100)), 1, 5)
    answers[40:70] = 4 if straight else answers[40:70]
    ratings = pd.DataFrame({"item": range(100), "rater": "R1", "rating": answers})
    ratings = ratings.assign(dimension="meaning", position=range(100), cluster=np.arange(100) // 5)
    [run] = find_straight_lining(read_submissions(ratings, scale=Scale.likert(1, 5)), rng)
    return run


def test_like_outputs_of_a_page_next_to_each_other_are_no_straight_lining():
    chance = [side_by_side(seed).p_value <= 0.05 for seed in range(150)]

    assert sum(chance) <= 16  # 5 % of 150, and three standard errors
    assert all(side_by_side(seed, straight=True).p_value <= 0.05 for seed in range(20))
