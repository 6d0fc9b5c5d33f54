import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.estimation import route_by_confidence


def pool_of(seed, *, size=4000):
    """A pool whose confident documents are seldom wrong."""
    rng = np.random.default_rng(seed)
    sure = np.round(rng.beta(5, 1.2, size), 3)
    return sure, (rng.random(size) < (1 - sure) ** 1.3).astype(float)


def drawn_from(sure, wrong, *, seed, n=500):
    """Route by a sample that is drawn with a higher probability where confidence is low."""
    rng = np.random.default_rng(seed)
    probabilities = n * (1.4 - sure) / (1.4 - sure).sum()
    chosen = rng.random(len(sure)) < probabilities
    return wrong[chosen], probabilities[chosen], sure[chosen]


def route(sure, wrong, *, seed, risk=0.05, n=500):
    said, probabilities, own = drawn_from(sure, wrong, seed=seed, n=n)
    return route_by_confidence(said, probabilities, confidence=own, pool_confidence=sure, risk=risk)


def test_the_proven_share_is_seldom_worse_than_the_risk_and_holds_the_best_share():
    broken = missed = 0
    for seed in range(200):
        sure, wrong = pool_of(seed)
        found = route(sure, wrong, seed=seed + 1000)
        broken += found.share.low > 0 and wrong[sure >= found.threshold].mean() > 0.05
        cuts = np.quantile(sure, 1 - np.arange(1, 21) / 20, method="higher")
        best = max((sure >= cut).mean() for cut in cuts if wrong[sure >= cut].mean() <= 0.05)
        missed += not found.share.low <= best <= found.share.high

    assert broken <= 10  # 2.5 % of 200, and three standard errors
    assert missed <= 17


def test_a_sample_that_is_the_pool_finds_the_share_itself():
    sure, wrong = pool_of(1)

    found = route_by_confidence(
        wrong, np.ones(len(sure)), confidence=sure, pool_confidence=sure, risk=0.05
    )

    assert found.share.low == found.share.value
    assert found.wrong.value == pytest.approx(wrong[sure >= found.threshold].mean())
    assert found.wrong.value <= 0.05


def test_too_few_documents_prove_nothing():
    sure, wrong = pool_of(2)

    found = route(sure, wrong * 0, seed=3, n=20)

    assert found.share.low == 0
    assert np.isnan(found.threshold)
    assert found.wrong.reason == "no_items"
    assert found.share.high == 1


def test_documents_without_a_confidence_are_always_checked():
    sure = np.r_[np.full(500, 0.9), np.full(500, np.nan)]

    found = route_by_confidence(
        np.zeros(1000), np.ones(1000), confidence=sure, pool_confidence=sure, risk=0.05
    )

    assert found.share.high == 0.5


def test_equal_confidences_go_together():
    sure = np.r_[np.full(700, 1.0), np.full(300, 0.2)]
    wrong = np.r_[np.zeros(700), np.ones(300)]

    found = route_by_confidence(
        wrong, np.ones(1000), confidence=sure, pool_confidence=sure, risk=0.05
    )

    assert (found.share.low, found.threshold) == (0.7, 1.0)


def test_outputs_of_a_page_count_as_one_draw():
    sure, wrong = np.full(90, 0.9), np.zeros(90)
    wrong[:3] = 1
    probabilities = np.full(90, 0.1)
    alone = route_by_confidence(
        wrong, probabilities, confidence=sure, pool_confidence=sure, risk=0.3
    )
    together = route_by_confidence(
        wrong,
        probabilities,
        confidence=sure,
        pool_confidence=sure,
        risk=0.3,
        cluster=np.arange(90) // 3,
    )

    assert together.wrong.high > alone.wrong.high


@given(seed=st.integers(0, 50), low=st.floats(0.02, 0.3), more=st.floats(0, 0.4))
def test_a_higher_risk_never_proves_less(seed, low, more):
    sure, wrong = pool_of(seed, size=800)
    few, many = (route(sure, wrong, seed=seed, risk=risk, n=300) for risk in (low, low + more))

    assert few.share.value <= many.share.value
    assert few.share.high <= many.share.high
    assert few.share.low <= few.share.value <= few.share.high


@pytest.mark.parametrize("risk", [0, 1, -0.1])
def test_a_risk_is_a_share(risk):
    with pytest.raises(InputError, match="risk must lie between 0 and 1"):
        route_by_confidence([0], [1], confidence=[1], pool_confidence=[1], risk=risk)


def test_how_wrong_a_document_is_lies_from_0_to_1():
    with pytest.raises(InputError, match="wrong must lie from 0 to 1; found 0 to 2"):
        route_by_confidence([0, 2], [1, 1], confidence=[1, 1], pool_confidence=[1], risk=0.1)


def test_every_document_has_a_confidence_or_none():
    with pytest.raises(InputError, match="2 documents, 1 confidences and 2 clusters"):
        route_by_confidence([0, 1], [1, 1], confidence=[1], pool_confidence=[1], risk=0.1)
