"""The verdicts of the benchmark: a loss counts if chance does not explain it."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.truth_verdicts import NEW, VOTES, differences, error_over_items, stand


def test_holm_stops_at_the_first_loss_that_chance_explains():
    cells = pd.DataFrame({"p": [0.03, 0.001, 0.012, 0.02, 1.0]})

    # .05 over 5, 4, 3, 2 and 1 in turn; .03 alone would be below .05.
    assert stand(cells).tolist() == [False, True, True, False, False]


def cells(group, *, n_items, number=1, seeds=12):
    """Two methods that are equally good, on the same items with other ratings."""
    rng = np.random.default_rng(0)
    rows = []
    for name in range(number):
        item = rng.normal(0, 1, n_items)
        changes = [item + rng.normal(0, 1, n_items) for _ in range(seeds)]
        error = error_over_items(changes)
        for draw, change in enumerate(changes):
            rows.append((group, f"set {name}", 3, draw, change.mean(), 0.0, error))
    keys = ["group", "name", "per_item", "seed"]
    columns = [("MAE", NEW), ("MAE", VOTES), ("MAE over items", VOTES)]
    frame = pd.DataFrame(rows, columns=[*keys, *range(3)]).set_index(keys)
    frame.columns = pd.MultiIndex.from_tuples(columns)
    return differences(frame, "MAE", VOTES)


def test_on_public_sets_an_error_over_draws_of_ratings_is_not_one_over_items():
    found = cells("public", n_items=400).iloc[0]

    assert found["error"] == pytest.approx(1 / np.sqrt(12 * 400), rel=0.4)
    assert found["wide"] == pytest.approx(np.sqrt((1 + 1 / 12) / 400), rel=0.1)


def test_chance_alone_is_found_as_often_as_it_should_be():
    found = cells("public", n_items=60, number=1000)

    assert 0.035 < (found["p"] < 0.05).mean() < 0.07
    assert stand(found).sum() == 0


def test_simulated_sets_draw_new_items_with_each_seed():
    found = cells("names", n_items=400).iloc[0]

    assert found["wide"] == found["error"]


def test_equal_scores_are_no_loss():
    index = pd.MultiIndex.from_product(
        [["public"], ["set"], [3], range(4)], names=["group", "name", "per_item", "seed"]
    )
    columns = [("MAE", NEW), ("MAE", VOTES), ("MAE over items", VOTES)]
    rows = pd.DataFrame({name: np.zeros(4) for name in columns}, index=index)

    found = differences(rows, "MAE", VOTES)

    assert found["p"].tolist() == [1.0]
    assert not stand(found).any()


def test_a_whole_set_is_the_mean_over_its_numbers_of_ratings():
    index = pd.MultiIndex.from_product(
        [["names"], ["set"], [3, 5], range(4)], names=["group", "name", "per_item", "seed"]
    )
    gained = np.concatenate([np.full(4, 0.3), -0.1 + np.array([-0.02, 0.02, -0.02, 0.02])])
    columns = {("MAE", NEW): gained, ("MAE", VOTES): 0.0, ("MAE of sets", VOTES): np.nan}

    (whole,) = differences(
        pd.DataFrame(columns, index=index), "MAE", VOTES, whole=True
    ).itertuples()

    assert whole.mean == pytest.approx(0.1)
    assert whole.error == pytest.approx(0.01 * np.sqrt(4 / 3) / 2)
