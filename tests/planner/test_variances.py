import numpy as np
import pandas as pd
import pytest

from ocrjury import InputError
from ocrjury.planner import variance_components


def evaluation(seed=1, *, n=400, raters=12, saved=0.6):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    score = 3 + 0.9 * (np.sqrt(saved) * x + np.sqrt(1 - saved) * rng.normal(size=n))
    severity = rng.normal(0, 0.3, raters)
    severity *= 0.3 / severity.std(ddof=1)
    rows = [
        (f"d{i}", f"R{r}", score[i] + severity[r] + 0.5 * rng.normal())
        for i in range(n)
        for r in rng.choice(raters, 2, replace=False)
    ]
    items = pd.DataFrame({"doc_id": [f"d{i}" for i in range(n)], "inclusion_probability": 0.05})
    return pd.DataFrame(rows, columns=["item", "rater", "rating"]), items, x


def test_the_parts_of_a_simulated_evaluation_are_found():
    ratings, items, x = evaluation()

    found = variance_components(ratings, items=items, auxiliary=x, pool_mean=[0.0])

    assert found.score_sd == pytest.approx(0.9, abs=0.08)
    assert found.rater_sd == pytest.approx(0.3, abs=0.05)
    assert found.noise_sd == pytest.approx(0.5, abs=0.04)
    assert found.r_squared == pytest.approx(0.6, abs=0.08)
    assert found.n_raters == 12


def test_without_auxiliaries_nothing_is_saved():
    ratings, items, _ = evaluation()

    assert variance_components(ratings, items=items).r_squared == pytest.approx(0, abs=0.02)
    assert variance_components(ratings).r_squared == 0


def test_without_items_all_documents_count_alike():
    ratings, items, _ = evaluation()

    alone, drawn = variance_components(ratings), variance_components(ratings, items=items)

    assert alone.score_sd == pytest.approx(drawn.score_sd)
    assert alone.noise_sd == drawn.noise_sd


def test_documents_drawn_more_often_count_less():
    ratings, items, _ = evaluation()
    low = ratings.groupby("item")["rating"].mean()[items["doc_id"]].to_numpy() < 3
    uneven = items.assign(inclusion_probability=np.where(low, 0.5, 0.05))

    assert (
        variance_components(ratings, items=uneven).score_sd
        < variance_components(ratings, items=items).score_sd
    )


def test_gold_items_tell_nothing_about_the_pool():
    ratings, items, _ = evaluation()
    gold = pd.DataFrame({"item": "g1", "rater": ["R1", "R2"], "rating": [100.0, 100.0]})

    assert variance_components(pd.concat([ratings, gold]), items=items) == variance_components(
        ratings, items=items
    )


def test_a_plan_takes_what_was_found():
    from ocrjury.planner import plan_study

    ratings, items, x = evaluation()
    found = variance_components(ratings, items=items, auxiliary=x, pool_mean=[0.0])

    assert plan_study(population=8000, width=0.5, **found._asdict()).possible


def test_raters_who_agree_on_everything_have_no_noise():
    ratings, items, _ = evaluation(n=60)
    same = ratings.assign(rating=ratings["item"].str[1:].astype(int) % 5)

    found = variance_components(same, items=items)

    assert (found.rater_sd, found.noise_sd) == (pytest.approx(0), pytest.approx(0))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.drop_duplicates("item"), "needs items with two or more ratings"),
        (lambda f: f[:0], "needs ratings of the items; found none"),
        (lambda f: f.drop(columns="rater"), "ratings has no column 'rater'"),
    ],
)
def test_a_design_that_cannot_tell_is_refused(change, message):
    ratings, _, _ = evaluation(n=30)

    with pytest.raises(InputError, match=message):
        variance_components(change(ratings))
