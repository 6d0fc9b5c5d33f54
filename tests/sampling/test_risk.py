import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.sampling import (
    borderline_scores,
    choose_risk,
    combined_scores,
    draw_sample,
    risk_scores,
)
from ocrjury.sampling.reasons import Reason


def test_cer_is_the_risk_where_every_document_has_a_reference():
    risk = risk_scores(pd.DataFrame({"cer": [0.0, 0.3, 5.0], "confidence": [0.1, None, 0.9]}))

    assert risk.tolist() == [0.002, 0.3, 1.0]
    assert risk.attrs["rule"] == "cer"


def test_low_confidence_is_the_risk_without_references():
    risk = risk_scores(pd.DataFrame({"cer": [None] * 4, "confidence": [0.99, 0.5, None, 0.7]}))

    assert risk.rank().tolist() == [1, 3, 4, 2]
    assert risk.attrs["rule"] == "confidence"
    # exponential scores of four ranks: -log(1 - (k - 1/2) / 4)
    assert sorted(risk) == pytest.approx([0.1335, 0.4700, 0.9808, 2.0794], abs=1e-4)


def test_documents_without_a_reference_take_the_risk_of_their_rank():
    pool = pd.DataFrame(
        {"cer": [0.0, 0.1, 0.2, 0.4, None, None], "confidence": [0.9, 0.8, 0.7, 0.6, None, 0.95]}
    )

    risk = risk_scores(pool)

    assert risk.attrs["rule"] == "cer and confidence"
    assert risk[:4].tolist() == [0.002, 0.1, 0.2, 0.4]
    assert risk[4] > 0.3
    assert risk[5] < 0.1


def test_without_cer_and_confidence_there_is_no_risk():
    pool = pd.DataFrame({"doc_id": range(4), "cer": [None] * 4, "confidence": [np.nan] * 4})

    risk = risk_scores(pool)

    assert risk.tolist() == [0.0] * 4
    assert risk.attrs["rule"] == "none"


def test_columns_may_be_absent_and_pools_empty():
    assert risk_scores(pd.DataFrame({"doc_id": [1]})).attrs["rule"] == "none"
    assert risk_scores(pd.DataFrame({"cer": []})).empty


def test_the_risk_keeps_the_index_of_the_pool():
    pool = pd.DataFrame({"cer": [0.5, 0.1]}, index=[7, 3])

    assert risk_scores(pool).index.tolist() == [7, 3]


def test_a_missing_confidence_is_drawn_more_often():
    pool = pd.DataFrame({"doc_id": range(400), "confidence": [None] * 40 + [0.95] * 360})
    pool["risk"] = risk_scores(pool)

    sample = draw_sample(pool, n=100, stratum=None, risk="risk", seed=1)

    assert (sample["doc_id"] < 40).mean() > 40 / 400


def test_scores_close_to_the_threshold_are_worth_asking_about():
    pool = pd.DataFrame({"judge": [0.1, 0.78, 0.95, None]}, index=list("wxyz"))

    risk = borderline_scores(pool, score="judge", threshold=0.8)

    # a missing score ranks as closest: it could be anything
    assert risk.rank().to_dict() == {"w": 1, "y": 2, "x": 3, "z": 4}
    assert risk.attrs["rule"] == "judge close to 0.8"
    assert risk.attrs["reasons"] == (Reason("near", "judge", 0.8),)


def test_without_a_score_nothing_is_borderline():
    risk = borderline_scores(pd.DataFrame({"cer": [None, None]}), score="cer", threshold=0.1)

    assert risk.tolist() == [0.0, 0.0]
    assert risk.attrs["rule"] == "none"


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.floats(0, 1))
def test_the_closer_the_riskier(scores, threshold):
    risk = borderline_scores(pd.DataFrame({"s": scores}), score="s", threshold=threshold)

    distance = np.round(np.abs(np.array(scores) - threshold), 12)
    order = np.argsort(distance)
    assert (np.diff(risk.to_numpy()[order]) <= 1e-12).all()
    assert (risk > 0).all()


def test_a_threshold_must_be_a_number():
    with pytest.raises(InputError, match="threshold must be a finite number; found nan"):
        borderline_scores(pd.DataFrame({"cer": [0.1]}), score="cer", threshold=np.nan)


def test_a_score_that_is_not_there_is_named():
    with pytest.raises(InputError, match="no column 'judge'; found 'cer'"):
        borderline_scores(pd.DataFrame({"cer": [0.1]}), score="judge", threshold=0.5)


POOL = pd.DataFrame({"cer": [0.0, 0.1, None, 0.5], "confidence": [0.9, None, 0.2, 0.7]})


def test_auto_is_whatever_is_known():
    chosen, plain = choose_risk(POOL), risk_scores(POOL)

    assert chosen.tolist() == plain.tolist()
    assert chosen.attrs == plain.attrs


def test_the_error_rate_alone_leaves_confidence_out():
    risk = choose_risk(POOL, rule="cer")

    assert risk.attrs["rule"] == "cer"
    assert risk.tolist() == [0.002, 0.1, 0.1, 0.5]  # a document without CER: the median


def test_confidence_alone_leaves_the_error_rate_out():
    risk = choose_risk(POOL, rule="confidence")

    assert risk.attrs["rule"] == "confidence"
    assert risk.rank().tolist() == [1, 4, 3, 2]


def test_the_borderline_is_close_to_the_threshold():
    risk = choose_risk(POOL, rule="borderline", score="cer", threshold=0.1)

    assert risk.attrs["rule"] == "cer close to 0.1"
    assert risk.idxmax() == 2  # without a score nothing decides
    assert risk[1] > risk[0] > risk[3]


def test_a_judge_is_suspicious_of_low_scores_and_of_what_it_did_not_score():
    pool = POOL.assign(llm=[3.5, 2, None, 5])

    risk = choose_risk(pool, rule="judge", judge="llm")

    assert risk.attrs["rule"] == "judge llm"
    assert risk.attrs["reasons"] == (Reason("judge", "llm"),)
    assert risk.rank().tolist() == [2, 3, 4, 1]


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=12))
def test_the_risk_by_a_judge_depends_on_the_order_of_scores_alone(scores):
    plain = pd.DataFrame({"judge": scores})

    risk = choose_risk(plain, rule="judge", judge="judge")

    assert risk.tolist() == choose_risk(plain * 7 - 3, rule="judge", judge="judge").tolist()
    assert (risk.diff()[plain["judge"].diff() > 0] < 0).all()


def test_a_judge_that_is_not_named_or_not_there_is_an_error():
    with pytest.raises(InputError, match=r"needs the judge's column; name it with judge="):
        choose_risk(POOL, rule="judge")
    with pytest.raises(InputError, match="the pool has no column 'llm'; found 'cer'"):
        choose_risk(POOL, rule="judge", judge="llm")
    with pytest.raises(InputError, match="'judge' needs llm, which no document"):
        choose_risk(POOL.assign(llm=None), rule="judge", judge="llm")


def test_one_reason_of_three_is_enough():
    pool = pd.DataFrame(
        {"cer": [0.01, 0.9, 0.05, 0.01, 0.02], "confidence": [0.9, 0.9, 0.9, 0.1, 0.8]},
        index=["plain", "wrong", "borderline", "unsure", "second"],
    )

    risk = choose_risk(pool, rule="combined", threshold=0.05)

    assert risk.attrs["rule"] == "cer or cer close to 0.05 or confidence"
    near = Reason("near", "cer", 0.05)
    assert risk.attrs["reasons"] == (Reason("cer"), near, Reason("confidence"))
    # the first of five ranks: -log(1 - 4.5 / 5); none of the others has it
    assert risk[["wrong", "borderline", "unsure"]].tolist() == pytest.approx([-np.log(0.1)] * 3)
    assert risk["plain"] < risk["second"] < risk["unsure"]


def test_only_what_is_known_gives_a_reason():
    pool = pd.DataFrame({"cer": [None] * 3, "confidence": [0.9, None, 0.1]})

    risk = choose_risk(pool, rule="combined")

    assert risk.attrs["rule"] == "confidence"
    assert risk.rank().tolist() == [1, 3, 2]


def test_a_document_without_any_number_takes_the_median():
    pool = pd.DataFrame({"cer": [0.0, 0.1, 0.9, None]})

    risk = combined_scores(pool, score="cer", threshold=0.5)

    assert risk[3] == np.median(risk[:3])
    assert combined_scores(pool[3:], score="cer", threshold=0.5).attrs["rule"] == "none"
    assert combined_scores(pool[:0], score="cer", threshold=0.5).empty


@given(
    st.lists(
        st.tuples(st.none() | st.floats(0, 1), st.none() | st.floats(0, 1)), min_size=1, max_size=20
    )
)
def test_the_combined_risk_is_no_lower_than_that_of_each_reason(rows):
    pool = pd.DataFrame(rows, columns=["cer", "confidence"], dtype=float)

    risk = combined_scores(pool, score="cer", threshold=0.05)

    assert ((risk > 0) | (risk.attrs["rule"] == "none")).all()
    if pool["cer"].notna().all():
        assert (risk >= borderline_scores(pool, score="cer", threshold=0.05) - 1e-12).all()
    if pool["confidence"].notna().any():
        assert (risk >= risk_scores(pool[["confidence"]]) - 1e-12).all()


@pytest.mark.parametrize("rule", ["cer", "confidence", "borderline", "combined"])
def test_a_rule_without_its_numbers_says_what_to_take(rule):
    empty = pd.DataFrame({"cer": [None, None], "confidence": [None, None]})

    with pytest.raises(InputError, match=rf"'{rule}' needs [\w ]+, which no document .* Use auto"):
        choose_risk(empty, rule=rule)


def test_an_unknown_rule_or_score_is_named():
    with pytest.raises(InputError, match="found 'wer'"):
        choose_risk(POOL, rule="wer")
    with pytest.raises(InputError, match="no column 'wer'"):
        choose_risk(POOL, rule="borderline", score="wer")
