"""A trend shows a mean as the evaluation's own estimates do."""

from types import SimpleNamespace

import pandas as pd
import pytest

from ocrjury.estimation import RatedSample, within_scale
from ocrjury.evaluation.trends import Side, trend_rows


def rated():
    """Ratings of excellent documents by raters whom gold shows to be too strict."""
    rows = [(f"d{k}", f"R{r}", 5 - (k + r) % 7 // 6) for k in range(40) for r in range(3)]
    rows += [(f"g{k}", f"R{r}", 3 + (k + r) % 2) for k in range(20) for r in range(3)]
    return RatedSample(
        pd.DataFrame(rows, columns=["item", "rater", "rating"]),
        pd.DataFrame({"doc_id": [f"d{k}" for k in range(40)], "inclusion_probability": 0.1}),
        gold=pd.DataFrame({"item": [f"g{k}" for k in range(20)], "rating": 4.0}),
    )


def side(name, *, seed=1):
    case = SimpleNamespace(rubrics={"r"}, row=SimpleNamespace(period=name))
    return Side(SimpleNamespace(name=name, case=case, draws=(seed, "apart")), rated)


def test_a_mean_that_gold_carries_beyond_the_scale_is_the_one_of_the_estimates():
    mean = within_scale(rated().mean(), low=1.0, high=5.0)
    assert mean.value > 5.1

    rows = trend_rows([side("w1"), side("w2")], {}, bounds=(1.0, 5.0))

    for row in rows:
        assert (row.mean.value, row.mean.low, row.mean.high) == pytest.approx(
            (mean.value, mean.low, mean.high)
        )


def test_another_seed_long_ago_leaves_the_change_between_samples_of_one_seed_as_it_is():
    alone = trend_rows([side("w2"), side("w3")], {}, bounds=(1.0, 5.0))[-1].change

    rows = trend_rows([side("w1", seed=9), side("w2"), side("w3")], {}, bounds=(1.0, 5.0))

    assert (rows[-1].change.low, rows[-1].change.high) == (alone.low, alone.high)
    assert rows[1].change.high > alone.high  # of independent samples
