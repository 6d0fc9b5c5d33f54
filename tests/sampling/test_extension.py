import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.sampling import draw_sample, extend_sample, inclusion_probabilities

HOW = {"stratum": "doc_type", "risk": "risk"}


@pytest.mark.parametrize("size", [80, 400])
@pytest.mark.parametrize("seed", range(5))
def test_an_extension_holds_all_that_was_drawn_in_its_order(make_pool, size, seed):
    pool = make_pool(size)
    first = draw_sample(pool, n=30, seed=seed, **HOW)

    larger = extend_sample(pool, drawn=first, n=45, seed=seed, **HOW)

    assert len(larger) == 45
    assert larger["doc_id"].is_unique
    assert larger["doc_id"][:30].tolist() == first["doc_id"].tolist()
    assert larger["reason"][:30].tolist() == first["reason"].tolist()
    assert larger["draw_number"].tolist() == list(range(1, 46))


def test_every_row_has_its_probability_at_the_new_size(make_pool):
    pool = make_pool(400)
    promised = pd.Series(inclusion_probabilities(pool, n=60, **HOW), index=pool["doc_id"])
    first = draw_sample(pool, n=30, seed=1, **HOW)

    larger = extend_sample(pool, drawn=first, n=60, seed=1, **HOW)

    pi = larger["inclusion_probability"]
    assert pi.tolist() == promised[larger["doc_id"]].tolist()


@pytest.mark.parametrize(("size", "draws"), [(50, 200), (220, 120)])
def test_extended_samples_hold_documents_as_often_as_promised(make_pool, size, draws):
    pool = make_pool(size)
    pi = inclusion_probabilities(pool, n=20, **HOW)
    count = pd.Series(0.0, index=pool["doc_id"])

    for seed in range(draws):
        first = draw_sample(pool, n=12, seed=seed, **HOW)
        count[extend_sample(pool, drawn=first, n=20, seed=seed, **HOW)["doc_id"]] += 1

    unsure = pi < 1
    z = (count.to_numpy() / draws - pi)[unsure] / np.sqrt(pi * (1 - pi) / draws)[unsure]
    assert np.sqrt((z**2).mean()) < 1.25
    assert np.abs(z).max() < 4.5


def test_a_document_that_is_certain_at_the_new_size_is_always_drawn():
    risk = [0.02, 0.03, 0.01, 0.01, 0.02, 0.05, 0.02, 0.02, 0.1, 0.12, 0.13, 0.9]
    pool = pd.DataFrame({"doc_id": range(12), "doc_type": list("aaaaaaabbbcc"), "risk": risk})
    certain = set(np.flatnonzero(inclusion_probabilities(pool, n=8, **HOW) == 1))
    missing = 0

    for seed in range(150):
        first = draw_sample(pool, n=5, seed=seed, **HOW)
        larger = extend_sample(pool, drawn=first, n=8, seed=seed, **HOW)
        missing += len(certain - set(larger["doc_id"]))

    assert certain
    assert missing == 0


def test_new_documents_have_a_part_of_the_draw_order_that_represents_them(make_pool):
    pool = make_pool(300)
    early, late = [], []

    for seed in range(60):
        first = draw_sample(pool, n=30, seed=seed, **HOW)
        new = extend_sample(pool, drawn=first, n=170, seed=seed, **HOW)[30:]
        early.append(new["inclusion_probability"][:50].mean())
        late.append(new["inclusion_probability"].mean())

    assert np.mean(early) == pytest.approx(np.mean(late), abs=0.02)


def test_a_larger_draw_is_nearly_always_the_extension(make_pool):
    pool = make_pool(600)
    lost = 0

    for seed in range(20):
        small = set(draw_sample(pool, n=60, seed=seed, **HOW)["doc_id"])
        lost += len(small - set(draw_sample(pool, n=90, seed=seed, **HOW)["doc_id"]))

    assert lost <= 3


@given(st.integers(2, 260), st.integers(0, 10**6), st.data())
def test_a_sample_is_always_within_its_extension(size, seed, data):
    rng = np.random.default_rng(seed)
    pool = pd.DataFrame(
        {
            "doc_id": range(size),
            "doc_type": rng.choice(["a", "b", "c"], size),
            "risk": rng.lognormal(-3, 2, size),
        }
    )
    n = data.draw(st.integers(1, size))
    more = data.draw(st.integers(n, size))
    how = {**HOW, "seed": seed, "design": data.draw(st.sampled_from(["mixture", "target"]))}

    first = draw_sample(pool, n=n, **how)
    larger = extend_sample(pool, drawn=first, n=more, **how)

    assert len(larger) == larger["doc_id"].nunique() == more
    assert larger["doc_id"][:n].tolist() == first["doc_id"].tolist()


def test_two_steps_keep_what_one_step_drew(make_pool):
    pool = make_pool(400)
    first = draw_sample(pool, n=30, seed=1, **HOW)

    second = extend_sample(pool, drawn=first, n=45, seed=1, **HOW)
    third = extend_sample(pool, drawn=second, n=60, seed=1, **HOW)

    assert third["doc_id"][:45].tolist() == second["doc_id"].tolist()


def test_rows_of_the_pool_and_of_the_earlier_sample_may_come_in_any_order(make_pool):
    pool = make_pool(400)
    first = draw_sample(pool, n=30, seed=1, **HOW)

    larger = extend_sample(pool, drawn=first, n=45, seed=1, **HOW)
    mixed = extend_sample(
        pool.sample(frac=1, random_state=1),
        drawn=first.sample(frac=1, random_state=2),
        n=45,
        seed=1,
        **HOW,
    )

    pd.testing.assert_frame_equal(larger, mixed)


def test_growing_by_nothing_changes_nothing(make_pool):
    for size in (80, 400):
        pool = make_pool(size)
        first = draw_sample(pool, n=30, seed=1, **HOW)

        same = extend_sample(pool, drawn=first, n=30, seed=1, **HOW)

        pd.testing.assert_frame_equal(first, same)


def test_growing_to_the_whole_pool_takes_the_rest(make_pool):
    pool = make_pool(60)
    first = draw_sample(pool, n=30, seed=1, **HOW)

    whole = extend_sample(pool, drawn=first, n=60, seed=1, **HOW)

    assert sorted(whole["doc_id"]) == pool["doc_id"].tolist()
    assert (whole["inclusion_probability"] == 1).all()


def test_a_list_of_ids_is_enough(make_pool):
    pool = make_pool(400)
    first = draw_sample(pool, n=30, seed=1, **HOW)

    larger = extend_sample(pool, drawn=first[["doc_id"]], n=45, seed=1, **HOW)

    assert larger["doc_id"][:30].tolist() == first["doc_id"].tolist()


def test_a_sample_does_not_shrink(make_pool):
    pool = make_pool()
    first = draw_sample(pool, n=30, seed=1, **HOW)

    with pytest.raises(InputError, match="n is 20, but 30 documents are already drawn"):
        extend_sample(pool, drawn=first, n=20, seed=1, **HOW)


def test_documents_of_another_pool_are_named(make_pool):
    with pytest.raises(InputError, match=r"the first is 'x'.*the pool that the sample was drawn"):
        extend_sample(
            make_pool(), drawn=pd.DataFrame({"doc_id": ["x", "d0001"]}), n=5, seed=1, **HOW
        )
