import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.sampling import inclusion_probabilities
from ocrjury.sampling.frame import SHARES, sampling_frame
from ocrjury.sampling.probabilities import fill, mixture_probabilities

ONLY_RANDOM = {"random": 1.0}
ONLY_ERRORS = {"error_focused": 1.0}


@st.composite
def pools(draw):
    size = draw(st.integers(1, 40))
    types = draw(st.lists(st.sampled_from("abcd"), min_size=size, max_size=size))
    risk = draw(st.lists(st.floats(0, 10), min_size=size, max_size=size))
    frame = pd.DataFrame({"doc_id": range(size), "doc_type": types, "risk": risk})
    return frame, draw(st.integers(1, size)), draw(st.integers(0, 5))


def test_the_mixture_is_the_sum_of_its_three_parts():
    pool = pd.DataFrame({"doc_id": range(5), "doc_type": list("aaaab"), "risk": [0, 0, 1, 1, 2]})

    pi = inclusion_probabilities(pool, n=1, stratum="doc_type", risk="risk", floor=0)

    # by hand: .5 / 5, + .3 x (2/3 over four, 1/3 over one), + .2 x risk / 4
    assert pi == pytest.approx([0.15, 0.15, 0.2, 0.2, 0.3])


def test_a_document_too_large_is_taken_for_certain_and_the_rest_shared_again():
    pool = pd.DataFrame({"doc_id": range(4), "size": [1, 1, 2, 16]})

    pi = inclusion_probabilities(pool, n=2, shares=ONLY_ERRORS, stratum=None, risk="size")

    # Sarndal, Swensson and Wretman (1992), section 3.6.2: 16 > 20 / 2 is certain
    assert pi == pytest.approx([0.25, 0.25, 0.5, 1.0])


def test_taking_all_makes_everything_certain(make_pool):
    pool = make_pool(30)

    pi = inclusion_probabilities(pool, n=30, stratum="doc_type", risk="risk")

    assert (pi == 1).all()


@given(pools())
def test_probabilities_sum_to_n_and_none_is_zero(case):
    pool, n, floor = case

    pi = inclusion_probabilities(pool, n=n, stratum="doc_type", risk="risk", floor=floor)

    assert pi.sum() == pytest.approx(n)
    assert ((pi > 0) & (pi <= 1)).all()


@given(pools())
def test_every_stratum_gets_its_floor_where_n_can_pay_for_it(case):
    pool, n, floor = case
    wanted = pool.groupby("doc_type").size().clip(upper=floor)

    pi = inclusion_probabilities(pool, n=n, stratum="doc_type", risk="risk", floor=floor)

    expected = pd.Series(pi).groupby(pool["doc_type"]).sum()
    scale = min(1.0, n / max(wanted.sum(), 1))
    assert (expected >= wanted * scale - 1e-6).all()


@given(pools(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(case, random):
    pool, n, floor = case
    order = list(range(len(pool)))
    random.shuffle(order)
    how = {"n": n, "stratum": "doc_type", "risk": "risk", "floor": floor}

    shuffled = inclusion_probabilities(pool.iloc[order], **how)

    assert shuffled.tolist() == inclusion_probabilities(pool, **how)[order].tolist()


@given(pools())
def test_the_random_part_is_the_same_for_every_document(case):
    pool, n, floor = case
    frame = sampling_frame(pool, shares=SHARES, stratum="doc_type", risk="risk")

    probabilities = mixture_probabilities(frame, n=n, floor=floor)

    parts = probabilities.parts(np.arange(len(pool)))
    assert parts.sum(axis=1) == pytest.approx(np.ones(len(pool)))
    assert (parts >= -1e-12).all()
    if n < len(pool):
        random = probabilities.pi * parts[:, 0]
        assert random == pytest.approx(np.full(len(pool), random[0]))


@given(
    st.lists(st.floats(0.01, 100), min_size=1, max_size=30).flatmap(
        lambda sizes: st.tuples(st.just(sizes), st.floats(0.1, len(sizes)))
    )
)
def test_filling_caps_at_one_and_keeps_proportions_below(case):
    size, total = np.array(case[0]), case[1]

    pi, scale = fill(size, total)

    assert pi.sum() == pytest.approx(total)
    assert (pi <= 1 + 1e-9).all()
    assert pi[pi < 1] == pytest.approx(scale * size[pi < 1])


def test_without_risk_the_error_focused_share_goes_to_the_others():
    pool = pd.DataFrame({"doc_id": range(6), "doc_type": list("aaaaab")})
    frame = sampling_frame(pool, shares=SHARES, stratum="doc_type", risk=None)

    assert frame.shares == pytest.approx((0.625, 0.375, 0.0))
    assert "random 0.625, stratified 0.375" in frame.note


def test_documents_without_a_type_are_a_stratum_of_their_own():
    pool = pd.DataFrame({"doc_id": range(100), "doc_type": ["a"] * 98 + [None, None]})

    pi = inclusion_probabilities(pool, n=10, stratum="doc_type", risk=None, floor=2)

    assert pi[98:].tolist() == [1.0, 1.0]


def test_a_floor_that_n_cannot_pay_is_lowered_and_said():
    pool = pd.DataFrame({"doc_id": range(20), "doc_type": list("abcdefghij") * 2})
    frame = sampling_frame(pool, shares=ONLY_RANDOM, stratum="doc_type", risk=None)

    probabilities = mixture_probabilities(frame, n=5, floor=2)

    assert probabilities.pi == pytest.approx(np.full(20, 0.25))
    assert probabilities.note == (
        "5 draws are too few for 2 from each of 10 strata; each gets 0.5 to 0.5 on average."
    )


@pytest.mark.parametrize("n", [0, 7, 2.5, True, np.nan, np.inf, "3", None])
def test_a_size_that_cannot_be_drawn_is_refused(n):
    pool = pd.DataFrame({"doc_id": range(6)})

    with pytest.raises(InputError, match="whole number from 1 to the 6 documents"):
        inclusion_probabilities(pool, n=n, stratum=None, risk=None)


def test_a_document_that_could_never_be_drawn_is_named():
    pool = pd.DataFrame({"doc_id": ["a", "b"], "risk": [0.0, 1.0]})

    with pytest.raises(InputError, match=r"the first is 'a'.*Give random or stratified a share"):
        inclusion_probabilities(pool, n=1, shares=ONLY_ERRORS, stratum=None, risk="risk")


@pytest.mark.parametrize(
    "shares", [{"random": 0.5}, {"random": 1.2, "stratified": -0.2}, {"random": 0.5, "luck": 0.5}]
)
def test_shares_must_be_the_three_and_sum_to_one(shares):
    pool = pd.DataFrame({"doc_id": range(6)})

    with pytest.raises(InputError, match="random, stratified, error_focused between 0 and 1"):
        inclusion_probabilities(pool, n=2, shares=shares, stratum=None, risk=None)


def test_duplicate_ids_are_named_with_their_rows():
    pool = pd.DataFrame({"doc_id": ["a", "b", "a"]})

    with pytest.raises(InputError, match=r"the first is 'a' in rows \[1, 3\]"):
        inclusion_probabilities(pool, n=1, stratum=None, risk=None)


def test_a_missing_id_is_named_with_its_row():
    pool = pd.DataFrame({"doc_id": ["a", None]})

    with pytest.raises(InputError, match="no doc_id; the first is row 2"):
        inclusion_probabilities(pool, n=1, stratum=None, risk=None)


def test_a_missing_column_is_named():
    with pytest.raises(InputError, match="no column 'type'; found 'doc_id'"):
        inclusion_probabilities(pd.DataFrame({"doc_id": [1]}), n=1, stratum="type", risk=None)


@pytest.mark.parametrize("risk", [-1.0, np.nan, "high"])
def test_a_risk_that_is_no_size_is_refused(risk):
    pool = pd.DataFrame({"doc_id": [1, 2], "risk": [0.5, risk]})

    with pytest.raises(InputError, match="the first is row 2"):
        inclusion_probabilities(pool, n=1, stratum=None, risk="risk")


def test_a_negative_floor_is_refused():
    with pytest.raises(InputError, match="floor must be a whole number"):
        inclusion_probabilities(
            pd.DataFrame({"doc_id": [1, 2]}), n=1, stratum=None, risk=None, floor=-1
        )


def test_plain_stratified_gives_every_document_the_same_chance(make_pool):
    pool = make_pool(400)

    pi = inclusion_probabilities(
        pool, n=80, stratum="doc_type", risk="risk", floor=0, design="stratified"
    )

    assert pi == pytest.approx(np.full(400, 0.2))


def test_a_target_is_drawn_by_the_spread_expected_of_it():
    pool = pd.DataFrame({"doc_id": range(4), "spread": [0.1, 0.1, 0.3, 0.5]})

    pi = inclusion_probabilities(pool, n=1, stratum=None, risk="spread", floor=0, design="target")

    # a tenth at random, the rest in proportion
    assert pi == pytest.approx([0.025 + 0.9 * part for part in (0.1, 0.1, 0.3, 0.5)])


def test_a_spread_that_is_the_same_within_strata_gives_neymans_allocation():
    pool = pd.DataFrame({"doc_id": range(1000), "doc_type": ["a"] * 800 + ["b"] * 200})
    pool["spread"] = np.where(pool["doc_type"] == "a", 0.25, 1.0)

    pi = inclusion_probabilities(
        pool, n=100, stratum="doc_type", risk="spread", floor=0, design="target"
    )

    # Neyman (1934): n_h ~ N_h S_h, here 800 x .25 = 200 x 1; a tenth of all is at random
    assert pi[:800].sum() == pytest.approx(0.9 * 50 + 0.1 * 80)
    assert pi[800:].sum() == pytest.approx(0.9 * 50 + 0.1 * 20)


def test_shares_of_another_design_are_refused(make_pool):
    with pytest.raises(InputError, match=r"the design 'target' has its own\. Omit shares"):
        inclusion_probabilities(
            make_pool(), n=5, shares=ONLY_RANDOM, stratum=None, risk="risk", design="target"
        )


def test_ids_that_look_alike_are_the_same_document():
    pool = pd.DataFrame({"doc_id": [1, "1", 2]}, dtype=object)

    with pytest.raises(InputError, match="are repeated, the first is '1' in rows"):
        inclusion_probabilities(pool, n=1, stratum=None, risk=None)


def test_huge_risks_do_not_overflow():
    pool = pd.DataFrame({"doc_id": range(4), "risk": [1e308, 1e308, 1e300, 0.0]})

    pi = inclusion_probabilities(pool, n=2, stratum=None, risk="risk")

    assert pi.sum() == pytest.approx(2)
