"""What each source of auxiliaries saved of the work behind a mean."""

import numpy as np
import pandas as pd
import pytest

from ocrjury.estimation import rated_mean
from ocrjury.estimation.auxiliary import auxiliary_columns
from ocrjury.evaluation.evidence import NO_RATINGS, Evidence
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.evaluation.savings import measure_savings

N, SIZE = 200, 4000


@pytest.fixture(scope="module")
def drawn():
    """A pool with a judge that knows, one that does not, and types that say nothing."""
    rng = np.random.default_rng(11)
    quality = rng.normal(3, 1, SIZE)
    pool = pd.DataFrame(
        {
            "llm": quality + 0.5 * rng.normal(size=SIZE),
            "noise": rng.normal(size=SIZE),
            "doc_type": rng.choice(["a", "b"], SIZE),
        }
    )
    rows = rng.choice(SIZE, N, replace=False)
    ratings = pd.DataFrame(
        {
            "item": np.repeat(rows, 2),
            "rater": ["x", "y"] * N,
            "rating": np.repeat(quality[rows], 2) + 0.2 * rng.normal(size=2 * N),
        }
    )
    items = pd.DataFrame({"item": rows, "inclusion_probability": N / SIZE})
    return pool, rows, items, Evidence(ratings, NO_RATINGS, NO_RATINGS)


def sample(drawn, judges):
    pool, rows, items, _ = drawn
    matrix, names, sources = auxiliary_columns(pool, n=N, judges=judges)
    return Sample(items, matrix[rows], matrix.mean(axis=0), names, sources, {}, {}, matrix)


def test_a_judge_that_knows_saved_most_of_the_items_and_others_nothing(drawn):
    known = sample(drawn, ["llm", "noise"])

    savings = measure_savings(drawn[-1].of_sample(known), known, judges={"LLM": "llm"})

    needed = {saving.source: saving.needed for saving in savings}
    assert list(needed) == ["LLM", "noise", "doc_type", None]
    assert 3.5 < needed["LLM"] < 6  # 1 / (1 - .8) = 5 without noise of raters
    assert needed["noise"] == pytest.approx(1, abs=0.05)
    assert needed["doc_type"] == pytest.approx(1, abs=0.05)
    assert needed[None] == pytest.approx(needed["LLM"], rel=0.05)


def test_of_a_vast_pool_a_saving_is_the_ratio_of_variances_of_the_mean(drawn):
    _, _, items, evidence = drawn
    items = items.assign(inclusion_probability=1e-9)
    with_judge = sample(drawn, ["llm"])._replace(sources=["", "llm", "llm"], items=items)

    (saving,) = measure_savings(evidence.of_sample(with_judge), with_judge, judges={})

    known = {"auxiliary": with_judge.auxiliary, "pool_mean": with_judge.pool_mean}
    whole = rated_mean(evidence.ratings, items=items, **known, raters="these")
    constant = {"auxiliary": np.ones((N, 1)), "pool_mean": [1.0]}
    plain = rated_mean(evidence.ratings, items=items, **constant, raters="these")
    assert (saving.source, saving.needed) == ("llm", pytest.approx((plain.se / whole.se) ** 2))


def rated_twice(quality, rows, seed):
    noise = 0.2 * np.random.default_rng(seed).normal(size=2 * len(rows))
    return pd.DataFrame(
        {
            "item": np.repeat(rows, 2),
            "rater": ["x", "y"] * len(rows),
            "rating": np.repeat(quality[rows], 2) + noise,
        }
    )


def test_as_many_items_as_a_saving_says_give_the_same_error_in_a_small_pool():
    """A third of the pool was rated: four times as many items would be more than there are."""
    rng = np.random.default_rng(3)
    size, n = 1000, 350
    quality = rng.normal(3, 1, size)
    pool = pd.DataFrame({"llm": quality + 0.5 * rng.normal(size=size)})
    order = rng.permutation(size)
    matrix, names, sources = auxiliary_columns(pool, n=n, judges=["llm"])
    items = pd.DataFrame({"item": order[:n], "inclusion_probability": n / size})
    known = Sample(items, matrix[order[:n]], matrix.mean(axis=0), names, sources, {}, {}, matrix)
    evidence = Evidence(rated_twice(quality, order[:n], 1), NO_RATINGS, NO_RATINGS)

    (saving,) = measure_savings(evidence.of_sample(known), known, judges={})

    more = round(saving.needed * n)
    assert n < more < size
    larger = pd.DataFrame({"item": order[:more], "inclusion_probability": more / size})
    without = rated_mean(rated_twice(quality, order[:more], 2), items=larger, raters="these")
    assert without.se == pytest.approx(evidence.of_sample(known).mean(raters="these").se, rel=0.05)


def test_without_auxiliaries_or_without_an_interval_nothing_was_saved(drawn):
    evidence, known = drawn[-1], sample(drawn, ["llm"])
    constant = known._replace(
        auxiliary=known.auxiliary[:, :1], pool_mean=known.pool_mean[:1], sources=[""]
    )

    assert measure_savings(evidence.of_sample(constant), constant, judges={}) == ()
    alike = evidence._replace(ratings=evidence.ratings.assign(rating=3.0))
    nothing = Evidence(NO_RATINGS, NO_RATINGS, NO_RATINGS)
    for without in (alike, nothing):
        assert measure_savings(without.of_sample(known), known, judges={}) == ()
