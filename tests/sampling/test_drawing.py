import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.sampling import draw_sample, inclusion_probabilities
from ocrjury.sampling.drawing import permanent_numbers, rounded, smallest_ranks

HOW = {"stratum": "doc_type", "risk": "risk"}


def frequencies(pool, n, draws, **how):
    """How often each document was drawn, as a share of all draws."""
    count = pd.Series(0.0, index=pool["doc_id"])
    for seed in range(draws):
        count[draw_sample(pool, n=n, seed=seed, **how)["doc_id"]] += 1
    return count.to_numpy() / draws


@pytest.mark.parametrize("case", [(50, 12, 350), (230, 40, 180)], ids=["systematic", "Pareto"])
def test_documents_come_as_often_as_promised(make_pool, case):
    size, n, draws = case
    pool = make_pool(size)
    pi = inclusion_probabilities(pool, n=n, **HOW)

    seen = frequencies(pool, n, draws, **HOW)

    unsure = pi < 1
    z = (seen - pi)[unsure] / np.sqrt(pi * (1 - pi) / draws)[unsure]
    assert (seen[~unsure] == 1).all()
    assert np.sqrt((z**2).mean()) < 1.2
    assert np.abs(z).max() < 4.5


def test_the_sample_has_its_columns_in_draw_order(make_pool):
    pool = make_pool()

    sample = draw_sample(pool, n=60, seed=1, **HOW)

    assert sample.columns.tolist() == [
        "doc_id",
        "inclusion_probability",
        "weight",
        "stratum",
        "reason",
        "draw_number",
    ]
    assert sample["draw_number"].tolist() == list(range(1, 61))
    assert sample["doc_id"].is_unique
    assert sample.attrs["note"] == ""
    types = pool.set_index("doc_id")["doc_type"]
    assert sample["stratum"].tolist() == types[sample["doc_id"]].tolist()


@pytest.mark.parametrize("size", [150, 400])
def test_the_first_documents_of_a_sample_represent_it(make_pool, size):
    pool = make_pool(size)
    first, all_drawn = [], []

    for seed in range(60):
        drawn = draw_sample(pool, n=size // 2, seed=seed, **HOW)["inclusion_probability"]
        first.append(drawn[: size // 6].mean())
        all_drawn.append(drawn.mean())

    assert np.mean(first) == pytest.approx(np.mean(all_drawn), abs=0.02)


def test_probabilities_are_those_promised(make_pool):
    pool = make_pool()
    promised = pd.Series(inclusion_probabilities(pool, n=60, **HOW), index=pool["doc_id"])

    sample = draw_sample(pool, n=60, seed=1, **HOW)

    pi = sample["inclusion_probability"]
    assert pi.tolist() == promised[sample["doc_id"]].tolist()
    assert (sample["weight"] * pi).tolist() == pytest.approx([1.0] * 60)


@pytest.mark.parametrize("size", [80, 300])
def test_the_order_of_rows_does_not_matter(make_pool, size):
    pool = make_pool(size)
    shuffled = pool.sample(frac=1, random_state=3)

    first = draw_sample(pool, n=30, seed=1, **HOW)

    pd.testing.assert_frame_equal(first, draw_sample(shuffled, n=30, seed=1, **HOW))


def test_another_seed_draws_others(make_pool):
    pool = make_pool()

    first, second = (set(draw_sample(pool, n=60, seed=s, **HOW)["doc_id"]) for s in (1, 2))

    assert first != second


def test_strata_get_what_they_expect_give_or_take_one(make_pool):
    pool = make_pool(400)
    pi = pd.Series(inclusion_probabilities(pool, n=70, **HOW))
    expected = pi.groupby(pool["doc_type"]).sum()

    for seed in range(20):
        sample = draw_sample(pool, n=70, seed=seed, **HOW)
        assert ((sample["stratum"].value_counts() - expected).abs() < 1).all()


def test_reasons_come_as_often_as_their_shares(make_pool):
    pool = make_pool(400)
    pool["risk"] = pool["risk"].clip(upper=0.3)

    reasons = pd.concat(draw_sample(pool, n=60, seed=s, **HOW)["reason"] for s in range(60))

    share = reasons.value_counts(normalize=True)
    assert share["random"] == pytest.approx(0.5, abs=0.03)
    assert share["stratified"] == pytest.approx(0.3, abs=0.03)
    assert share["error_focused"] == pytest.approx(0.2, abs=0.03)


def test_taking_all_takes_every_document_once(make_pool):
    pool = make_pool(25)

    sample = draw_sample(pool, n=25, seed=1, **HOW)

    assert sorted(sample["doc_id"]) == pool["doc_id"].tolist()
    assert (sample["weight"] == 1).all()


def test_without_risk_the_note_says_so():
    pool = pd.DataFrame({"doc_id": range(50), "doc_type": list("ab") * 25})

    sample = draw_sample(pool, n=10, stratum="doc_type", risk=None, seed=1)

    assert sample.attrs["note"].startswith("Nothing in the pool has a risk above 0")
    assert set(sample["reason"]) <= {"random", "stratified"}


def test_a_document_without_a_type_keeps_none_as_its_stratum():
    pool = pd.DataFrame({"doc_id": ["a", "b"], "doc_type": ["x", None]})

    sample = draw_sample(pool, n=2, stratum="doc_type", risk=None, seed=1)

    assert sample.set_index("doc_id")["stratum"]["b"] is None


def test_korean_ids_are_drawn_like_any_other():
    pool = pd.DataFrame({"doc_id": [f"문서-{place}" for place in range(300)]})

    sample = draw_sample(pool, n=5, stratum=None, risk=None, seed="주간")

    assert sample["doc_id"].str.startswith("문서-").all()


def test_an_unknown_design_is_refused(make_pool):
    with pytest.raises(InputError, match="design must be 'mixture', 'stratified', 'target'; found"):
        draw_sample(make_pool(), n=5, seed=1, design="neyman", **HOW)


@pytest.mark.parametrize("design", ["stratified", "target"])
def test_documents_come_as_often_as_promised_in_every_design(make_pool, design):
    pool, how = make_pool(220), {**HOW, "design": design}
    pi = inclusion_probabilities(pool, n=40, **how)

    seen = frequencies(pool, 40, 250, **how)

    unsure = pi < 1
    z = (seen - pi)[unsure] / np.sqrt(pi * (1 - pi) / 250)[unsure]
    assert np.sqrt((z**2).mean()) < 1.2


@st.composite
def small_pools(draw):
    size = draw(st.integers(2, 260))
    seed = draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    pool = pd.DataFrame(
        {
            "doc_id": [f"문서-{place}" for place in rng.permutation(size)],
            "doc_type": rng.choice(["a", "b", "c"], size, p=[0.7, 0.25, 0.05]),
            "risk": np.where(rng.random(size) < 0.3, 0.0, rng.lognormal(-3, 1.5, size)),
        }
    )
    return pool, draw(st.integers(1, size)), seed


@given(small_pools(), st.sampled_from(["mixture", "stratified", "target"]))
def test_any_order_of_rows_draws_the_same_number_of_the_same_documents(case, design):
    pool, n, seed = case
    how = {**HOW, "n": n, "seed": seed, "design": design}

    sample = draw_sample(pool, **how)

    assert len(sample) == sample["doc_id"].nunique() == n
    shuffled = draw_sample(pool.sample(frac=1, random_state=seed), **how)
    pd.testing.assert_frame_equal(sample, shuffled)


def test_a_stratum_of_one_document_is_drawn_for_certain(make_pool):
    pool = make_pool(300)
    pool.loc[17, "doc_type"] = "the only one"

    sample = draw_sample(pool, n=40, seed=1, **HOW)

    alone = sample[sample["stratum"] == "the only one"]
    assert alone["doc_id"].tolist() == ["d0017"]
    assert alone["weight"].tolist() == [1.0]


@pytest.mark.parametrize("design", ["mixture", "target"])
def test_equal_error_rates_leave_a_sample_that_is_random_in_each_stratum(make_pool, design):
    pool = make_pool(300).assign(risk=0.1)

    sample = draw_sample(pool, n=40, seed=1, design=design, **HOW)

    assert sample.groupby("stratum")["inclusion_probability"].nunique().eq(1).all()
    assert sample.attrs["note"] == ""


def test_more_documents_than_there_are_cannot_be_drawn(make_pool):
    with pytest.raises(InputError, match=r"whole number from 1 to the 300 documents.*found 301"):
        draw_sample(make_pool(300), n=301, seed=1, **HOW)


def test_an_empty_pool_has_no_sample():
    pool = pd.DataFrame({"doc_id": []})

    with pytest.raises(InputError, match="from 1 to the 0 documents"):
        draw_sample(pool, n=1, stratum=None, risk=None, seed=1)


@given(
    st.lists(st.floats(0, 5), min_size=1, max_size=20),
    st.floats(1e-9, 1 - 1e-9),
)
def test_rounding_keeps_the_sum_and_moves_nothing_by_more_than_one(parts, start):
    expected = np.array(parts)
    total = int(np.ceil(expected.sum()))
    expected[-1] += total - expected.sum()

    whole = rounded(expected, start=start)

    assert whole.sum() == total
    assert (np.abs(whole - expected) < 1 + 1e-6).all()


def test_the_smallest_ranks_of_each_stratum_are_taken():
    stratum, rank = np.array([0, 0, 1, 1, 1]), np.array([0.5, 0.1, 0.3, 0.2, 0.9])

    assert smallest_ranks(stratum, rank, np.array([1, 2])).tolist() == [1, 2, 3]


def test_the_smallest_ranks_are_found_however_large_they_are():
    stratum, rank = np.zeros(5, dtype=int), np.array([9e9, 5e9, 7e9, 8e9, 6e9])

    assert smallest_ranks(stratum, rank, np.array([2])).tolist() == [1, 4]


def test_permanent_numbers_belong_to_the_document_and_the_seed():
    first = permanent_numbers(["a", "b"], seed=1)

    assert permanent_numbers(["b", "c", "a"], seed=1)[[2, 0]].tolist() == first.tolist()
    assert permanent_numbers(["a"], seed=2)[0] != first[0]
    many = permanent_numbers(range(4000), seed=1)
    assert ((many > 0) & (many < 1)).all()
    assert many.mean() == pytest.approx(0.5, abs=0.02)


def test_the_shares_that_were_used_go_with_the_sample(make_pool):
    pool = make_pool(300)
    drawn = draw_sample(pool, n=30, stratum=None, risk=None, seed=1)

    assert drawn.attrs["shares"] == pytest.approx(
        {"random": 0.625, "stratified": 0.375, "error_focused": 0.0}
    )
