import numpy as np
import pandas as pd
import pytest

from ocrjury import InputError
from ocrjury.sampling import (
    draw_sample,
    inclusion_probabilities,
    outputs_of,
    page_frame,
    pages_for,
)

OPTIONS = {"stratum": "kind", "risk": "risk", "floor": 1}


def outputs(pages, *, seed=1):
    """A pool in which two systems read every page, and a third some of them."""
    rng = np.random.default_rng(seed)
    rows = [
        {"doc_id": f"p{page}-{system}", "page": f"p{page}", "kind": "ab"[page % 3 == 0]}
        for page in range(pages)
        for system in ("xyz" if page % 4 == 0 else "xy")
    ]
    return pd.DataFrame(rows).assign(risk=rng.random(len(rows)) ** 3)


def draw(pool, n, seed, frame=None):
    frame = page_frame(pool, page="page", stratum="kind") if frame is None else frame
    return outputs_of(draw_sample(frame, n=n, seed=seed, **OPTIONS), pool, page="page")


@pytest.mark.parametrize(("pages", "n"), [(40, 12), (240, 60)])
def test_every_output_is_drawn_as_often_as_its_probability_says(pages, n):
    pool = outputs(pages)
    frame = page_frame(pool, page="page", stratum="kind")
    wanted = pd.Series(inclusion_probabilities(frame, n=n, **OPTIONS), index=frame["doc_id"])
    draws, looked_at = 350, 25
    drawn = pd.Series(0, index=frame["doc_id"])
    for seed in range(draws):
        sample = draw_sample(frame, n=n, seed=seed, **OPTIONS)
        assert len(sample) == n
        drawn[sample["doc_id"]] += 1
        if seed < looked_at:  # outputs come with their page, which is what is counted
            with_outputs = outputs_of(sample, pool, page="page")
            assert with_outputs["draw_number"].nunique() == n
            whole = pool["doc_id"][pool["page"].isin(sample["doc_id"])]
            assert set(with_outputs["doc_id"]) == set(whole)

    expected = wanted.loc[drawn.index].to_numpy()
    error = np.sqrt(expected * (1 - expected) / draws)
    off = np.abs(drawn.to_numpy() / draws - expected)
    assert (off <= 5 * error + 0.01).all()
    assert off.mean() < 1.2 * (error * np.sqrt(2 / np.pi)).mean() + 0.002


def test_an_output_never_comes_without_the_others_and_has_their_probabilities():
    pool = outputs(60)
    sample = draw(pool, 20, 3)

    page = sample["doc_id"].str.partition("-")[0]
    for name, own in sample.groupby(page):
        assert len(own) == (pool["page"] == name).sum()
        assert (
            own[["inclusion_probability", "stratum", "reason", "draw_number"]].nunique().max() == 1
        )
    assert sample["draw_number"].is_monotonic_increasing
    assert sample["weight"].to_numpy() == pytest.approx(1 / sample["inclusion_probability"])


def test_weights_stand_for_the_whole_pool():
    pool = outputs(60)
    frame = page_frame(pool, page="page", stratum="kind")
    totals = [draw(pool, 20, seed, frame)["weight"].sum() for seed in range(150)]

    assert np.mean(totals) == pytest.approx(len(pool), rel=0.02)


def test_the_order_of_rows_does_not_matter():
    pool = outputs(60)
    mixed = pool.sample(frac=1, random_state=4).reset_index(drop=True)

    pd.testing.assert_frame_equal(draw(pool, 20, 3), draw(mixed, 20, 3))


def test_the_stratum_is_that_of_the_first_output():
    pool = pd.DataFrame({"doc_id": ["b", "a"], "page": 1, "kind": ["late", "early"], "risk": 0.1})

    assert page_frame(pool, page="page", stratum="kind")["kind"].tolist() == ["early"]


def test_a_document_without_a_page_is_refused():
    pool = pd.DataFrame({"doc_id": ["a", "b"], "page": ["p", None]})

    with pytest.raises(InputError, match=r"1 document\(s\) have no 'page'"):
        page_frame(pool, page="page")


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(InputError, match="no column 'page'"):
        page_frame(pd.DataFrame({"doc_id": ["a"]}), page="page")


@pytest.mark.parametrize(
    ("n", "pages"), [(1, 1), (2, 1), (3, 2), (80, 40), (81, 41), (200, 100), (500, 100)]
)
def test_documents_are_told_in_pages(n, pages):
    assert pages_for(n, documents=200, pages=100) == pages
