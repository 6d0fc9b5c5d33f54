import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.text import TextOptions, score_texts, summarize_scores
from ocrjury.text.averages import MetricColumn
from ocrjury.text.metrics import COLUMNS, METRICS, TOTALS

ALL = [*METRICS, *TOTALS]
TEXTS = st.text(alphabet="가나다 ab", max_size=12)


def summary(references, hypotheses, **options):
    frame = score_texts(references, hypotheses, metrics=ALL)
    return summarize_scores(frame, **options).set_index("metric")


def test_worked_batch_of_the_reference_text():
    # Reference text on OCR metrics: CER 0, 1/11, 2/17 and 0, so .0521 on average.
    frame = pd.DataFrame({"cer": [0, 0.0909, 0.1176, 0]})

    row = summarize_scores(frame).set_index("metric").loc["cer"]

    assert row["macro"] == pytest.approx(0.0521, abs=5e-5)
    assert row["median"] == pytest.approx(0.0909 / 2)
    assert row["std"] == pytest.approx(np.std([0, 0.0909, 0.1176, 0]))
    assert row["max"] == 0.1176


def test_a_long_page_counts_for_more_in_the_micro_average():
    row = summary(["가나", "가" * 98], ["xy", "가" * 98]).loc["cer"]

    assert (row["micro"], row["macro"]) == (0.02, 0.5)


def test_columns_and_rows_are_those_of_the_contract():
    frame = summarize_scores(score_texts(["가"], ["가"]))

    assert list(frame.columns) == [
        "metric", "n", "n_undefined", "n_missing", "micro", "macro", "median", "p95", "std",
        "max", "low", "high",
    ]  # fmt: skip
    assert list(frame["metric"]) == list(METRICS)


@pytest.mark.parametrize(
    ("references", "hypotheses", "micro"),
    [
        (["a b", "", None], ["", "", "c"], {"wip": 0, "wil": 1, "char_precision": 0, "ned": 1}),
        (["", ""], ["x", ""], {"wip": 0, "wil": 1, "char_recall": 0, "mer": 1}),
        (["", ""], ["", ""], {"wip": 1, "wil": 0, "char_f1": 1, "ned": 0, "nacc": 1, "mer": 0}),
        ([None], ["x"], {"wip": np.nan, "wil": np.nan, "char_f1": np.nan, "ned": np.nan}),
    ],
)
def test_pooled_texts_without_characters_have_the_scores_of_such_a_text(
    references, hypotheses, micro
):
    scores = score_texts(references, hypotheses, metrics=list(COLUMNS))

    found = summarize_scores(scores).set_index("metric")["micro"]

    assert found[list(micro)].tolist() == pytest.approx(list(micro.values()), nan_ok=True)


def test_undefined_and_missing_are_told_apart_and_spoil_nothing():
    row = summary(["가나", "", None], ["가다", "xxx", "y"]).loc["cer"]

    assert (row["n"], row["n_undefined"], row["n_missing"]) == (1, 1, 1)
    assert row["macro"] == 0.5
    assert row["micro"] == 2  # the three characters added to nothing count


def test_micro_averages_of_every_kind():
    rows = summary(["가 나 다", "라"], ["가 나", "라 마"])

    assert rows.loc["wer", "micro"] == pytest.approx(2 / 4)
    assert rows.loc["cer_nospace", "micro"] == pytest.approx(2 / 4)
    assert rows.loc["ned", "micro"] == pytest.approx(4 / 8)
    assert rows.loc["nacc", "micro"] == pytest.approx(4 / 8)
    assert rows.loc["char_precision", "micro"] == pytest.approx(4 / 6)
    assert rows.loc["char_recall", "micro"] == pytest.approx(4 / 6)
    assert rows.loc["char_f1", "micro"] == pytest.approx(8 / 12)
    assert rows.loc["n_ref_chars", "micro"] == 3
    assert rows.loc["exact_match", "micro"] == 0
    assert math.isnan(rows.loc["bleu", "micro"])


def test_without_totals_of_words_wer_has_no_micro_average():
    row = summarize_scores(score_texts(["가"], ["나"])).set_index("metric").loc["wer"]

    assert math.isnan(row["micro"])
    assert row["macro"] == 1


def test_groups_come_one_after_the_other():
    frame = score_texts(["가", "나", "다"], ["가", "x", "x"], metrics=["cer"])
    frame["kind"] = ["a", "b", "b"]

    rows = summarize_scores(frame, by="kind")

    assert rows[["kind", "metric", "n", "macro"]].to_numpy().tolist() == [
        ["a", "cer", 1, 0.0],
        ["b", "cer", 2, 1.0],
    ]


def test_documents_without_a_group_are_a_group():
    frame = score_texts(["가", "나"], ["가", "x"], metrics=["cer"])
    frame["kind"] = ["a", None]

    assert len(summarize_scores(frame, by=["kind"])) == 2


def test_fields_of_one_page_widen_the_interval():
    references = ["가나다라마"] * 40
    hypotheses = ["가나다라마"] * 20 + ["가나xxx"] * 20
    frame = score_texts(references, hypotheses)
    frame["page"] = np.repeat(np.arange(8), 5)

    apart = summarize_scores(frame).set_index("metric").loc["cer"]
    together = summarize_scores(frame, cluster="page").set_index("metric").loc["cer"]

    assert together["high"] - together["low"] > apart["high"] - apart["low"]
    assert apart["low"] < apart["micro"] < apart["high"]


def test_one_page_has_no_interval():
    frame = score_texts(["가", "나"], ["가", "x"]).assign(page=1)

    rows = summarize_scores(frame, cluster="page")

    assert rows[["low", "high"]].isna().all(axis=None)


def test_a_rate_of_nothing_or_of_all_has_an_interval_nevertheless():
    wrong = summary(["가나"] * 72, ["가x"] * 72).loc["exact_match"]
    right = summary(["가나"] * 72, ["가나"] * 72).loc["exact_match"]

    assert (wrong["micro"], wrong["low"], round(wrong["high"], 4)) == (0, 0, 0.0507)
    assert (right["micro"], round(right["low"], 4), right["high"]) == (1, 0.9493, 1)


def test_there_pages_count_and_documents_without_a_reference_do_not():
    frame = score_texts(["가", "나", "다", "라", None], ["x"] * 5).assign(page=[1, 1, 2, 2, 3])

    rows = summarize_scores(frame, cluster="page").set_index("metric")
    by_page = summarize_scores(frame, by="page").set_index(["page", "metric"])

    assert rows.loc["exact_match", "high"] == pytest.approx(1.959964**2 / (2 + 1.959964**2))
    assert by_page.loc[(1, "exact_match"), "high"] == rows.loc["exact_match", "high"]
    assert math.isnan(by_page.loc[(3, "exact_match"), "high"])


def test_the_same_seed_gives_the_same_interval():
    frame = score_texts(["가나", "다라", "마"], ["가x", "다라", "y"])

    pd.testing.assert_frame_equal(summarize_scores(frame, seed=3), summarize_scores(frame, seed=3))


def test_no_documents_have_no_statistics():
    rows = summarize_scores(score_texts([], []))

    assert (rows["n"] == 0).all()
    assert rows[["micro", "macro", "median", "low"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "kind"}, "no column 'kind'"),
        ({"cluster": "page"}, "no column 'page'"),
        ({"confidence": 95}, "between 0 and 1; found 95"),
    ],
)
def test_what_the_frame_does_not_have_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        summarize_scores(score_texts(["a"], ["a"]), **options)


def test_a_frame_without_scores_is_refused():
    with pytest.raises(InputError, match="columns that score_texts returns; found 'x'"):
        summarize_scores(pd.DataFrame({"x": [1]}))


@pytest.mark.oracle
@given(st.lists(st.tuples(TEXTS.filter(str.strip), TEXTS), min_size=1, max_size=5))
def test_micro_averages_agree_with_jiwer(pairs):
    import jiwer

    references, hypotheses = [r for r, _ in pairs], [h for _, h in pairs]
    frame = score_texts(references, hypotheses, options=TextOptions.preset("jiwer"), metrics=ALL)

    micro = {name: MetricColumn.of(frame, name).micro for name in ("cer", "wer")}

    assert micro["cer"] == pytest.approx(jiwer.cer(references, hypotheses))
    assert micro["wer"] == pytest.approx(jiwer.wer(references, hypotheses))


def test_the_summary_says_how_the_scores_were_made():
    scores = score_texts(["가"], ["가"], metrics=["cer"])

    assert summarize_scores(scores).attrs == scores.attrs


def test_over_ten_thousand_clusters_the_interval_is_that_of_theory():
    rng = np.random.default_rng(3)
    length = rng.integers(20, 60, 30_000).astype(float)
    edits = rng.binomial(length.astype(int), rng.beta(1, 6, 30_000)).astype(float)
    frame = pd.DataFrame({"n_ref_chars": length, "edit_distance": edits, "cer": edits / length})

    row = summarize_scores(frame).set_index("metric").loc["cer"]

    residual = edits - row.micro * length
    half = 1.96 * np.sqrt((residual**2).sum()) / length.sum()
    assert row.high - row.low == pytest.approx(2 * half, rel=0.06)
    assert (row.high + row.low) / 2 == pytest.approx(row.micro, abs=0.2 * half)


def test_perfect_match_rate_and_both_kinds_of_f1():
    rows = summary(["가나다라마바", "x"], ["가나다라마바", "y"])

    assert rows.loc["exact_match", "macro"] == 0.5
    assert (rows.loc["char_f1", "micro"], rows.loc["char_f1", "macro"]) == (6 / 7, 0.5)
