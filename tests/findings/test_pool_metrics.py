"""What the report draws of a scored pool, against formulas written out and scipy."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ocrjury.errors import InputError
from ocrjury.findings.measurement.character_confusions import ConfusionCounter, TextPair
from ocrjury.findings.measurement.confidence_checks import (
    confidence_checks,
    risk_by_coverage,
    stated_confidences,
)
from ocrjury.findings.measurement.metric_charts import (
    bad_tail,
    metric_distribution,
    metric_pair,
    metric_ranks,
)
from ocrjury.findings.measurement.pool_groups import columns_that_group, grouping, pool_groups
from ocrjury.findings.measurement.pool_metrics import (
    is_empty,
    measure_pool_metrics,
    text_facts,
)
from ocrjury.findings.measurement.pool_scores import wilson_share
from ocrjury.findings.pool_metrics import PoolMetrics
from ocrjury.text import TextOptions, score_texts

RATES = st.lists(st.floats(0, 3), min_size=1, max_size=60)
OPTIONS = TextOptions()


def scored(references, outputs, **columns):
    frame = score_texts(references, outputs)
    pages = [f"p{n}" for n in range(len(references))]
    return frame.assign(
        **{"reference": references, "hypothesis": outputs, "page_id": pages, **columns}
    )


def measured(frame, *, examples="shown", groups=None, **options):
    facts = text_facts([frame], options=OPTIONS, examples=examples, **options)
    return measure_pool_metrics(frame, facts, groups=groups or {})


# Distributions


@given(RATES)
def test_every_value_is_in_some_bin(values):
    shown = metric_distribution("cer", np.array(values))

    assert shown.n == len(values)
    assert shown.beyond <= len(values) * 0.05 + 1
    assert len(shown.edges) == len(shown.counts) + 1
    assert shown.edges[-1] >= 0.1


def test_missing_values_are_left_out_and_none_makes_no_histogram():
    assert metric_distribution("cer", np.array([math.nan, math.inf])) is None
    assert metric_distribution("cer", np.array([math.nan, 0.2])).n == 1


@pytest.mark.parametrize(
    ("metric", "at"), [("cer", 95), ("wer", 95), ("bleu", 5), ("char_f1", 5), ("exact_match", 5)]
)
def test_the_tail_is_that_of_the_bad_values(metric, at):
    values = np.random.default_rng(1).random(200)

    assert bad_tail(metric, values) == pytest.approx(np.percentile(values, at))


@given(st.lists(st.tuples(st.floats(0, 2), st.floats(0, 2)), min_size=1, max_size=50))
def test_a_grid_counts_every_document_once(pairs):
    cer, wer = np.array(pairs).T
    grid = metric_pair(pd.DataFrame({"cer": cer, "wer": wer}), "cer", "wer")

    assert grid.n == len(pairs)
    assert grid.above + grid.equal + int((wer < cer).sum()) == len(pairs)
    assert grid.x_end == grid.y_end
    assert all(0 <= cell.column < grid.bins and 0 <= cell.row < grid.bins for cell in grid.cells)


def test_a_grid_has_a_cell_for_a_million_documents_alike():
    grid = metric_pair(pd.DataFrame({"cer": np.zeros(10**6), "bleu": 1.0}), "cer", "bleu")

    assert [(cell.column, cell.row, cell.n) for cell in grid.cells] == [(0, 19, 10**6)]
    assert grid.shade(10**6) == max(grid.shades)


def test_rank_correlations_are_those_of_scipy():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"cer": rng.random(50).round(1), "wer": rng.random(50).round(1)})

    ranks = metric_ranks(frame)

    known = stats.spearmanr(frame["cer"], frame["wer"]).statistic
    assert ranks.rows[0][1] == pytest.approx(known)
    assert metric_ranks(frame.head(2)) is None


# Confusions


def confusions(pairs, examples="shown"):
    counter = ConfusionCounter(OPTIONS)
    counter.add(pairs)
    return counter.confusions(examples)


def test_confusions_add_up_to_the_edit_distance():
    references, outputs = ["17,230원", "가 나", "다", None], ["17.230", "가나", "다라", "x"]

    found = confusions(map(TextPair, references, outputs, range(4)))

    assert found.n == score_texts(references, outputs)["edit_distance"].sum() == 4
    assert found.edits == {"replace": 1, "insert": 1, "delete": 2}
    assert {(pair.reference, pair.hypothesis) for pair in found.pairs} == {
        (",", "."), ("원", ""), (" ", ""), ("", "라"),
    }  # fmt: skip


def test_masked_texts_print_no_character_that_few_pages_have():
    common = [TextPair("0", "O", f"p{n}") for n in range(5)]
    one_page = [TextPair("璿", "x", "p0") for _ in range(50)]

    found = confusions(common + one_page, "masked")

    assert [(pair.reference, pair.n) for pair in found.pairs] == [("0", 5)]
    assert (found.n, found.distinct, found.least_pages) == (55, 2, 5)


def test_where_no_text_is_shown_no_character_is_stored():
    found = confusions([TextPair("0", "O", f"p{n}") for n in range(9)], "off")

    assert (found.n, found.pairs) == (9, ())


def test_confusions_do_not_depend_on_the_batches():
    rng = np.random.default_rng(3)
    texts = [["".join(rng.choice(list("가나다"), 6)) for _ in range(40)] for _ in range(2)]
    frame = scored(*texts)

    whole = text_facts([frame], options=OPTIONS, examples="shown")
    parts = text_facts([frame[:7], frame[7:]], options=OPTIONS, examples="shown")

    assert whole.confusions == parts.confusions


# Confidence


def with_confidence(right, stated, **columns):
    outputs = ["가" if value else "나" for value in right]
    return scored(["가"] * len(right), outputs, confidence=stated, **columns)


def test_the_numbers_are_those_of_the_formulas():
    rng = np.random.default_rng(4)
    stated = rng.random(300).round(2)
    right = rng.random(300) < stated**2

    (check,) = confidence_checks(with_confidence(right, stated))

    test = stats.mannwhitneyu(stated[right], stated[~right])
    assert check.auroc.value == pytest.approx(test.statistic / right.sum() / (~right).sum())
    assert check.brier.value == pytest.approx(((stated - right) ** 2).mean())
    bins = np.minimum((10 * stated + 1e-9).astype(int), 9)
    error = sum(
        abs(stated[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean()
        for b in np.unique(bins)
    )
    assert check.calibration_error.value == pytest.approx(error)
    assert sum(row.n for row in check.bins) == check.n == 300
    assert check.coverage[-1].wrong == pytest.approx((~right).mean())
    assert math.isnan(check.brier.low)  # all references are known: no sampling error
    assert all(math.isnan(point.low) for point in check.coverage)


def test_ranges_are_there_where_a_reference_is_missing():
    rng = np.random.default_rng(5)
    frame = with_confidence(rng.random(80) < 0.7, rng.random(80))
    outputs = frame["hypothesis"].tolist()
    partly = scored(["가"] * 60 + [None] * 20, outputs, confidence=frame["confidence"])

    (check,) = confidence_checks(partly)

    assert (check.n, check.pool, check.n_missing) == (60, 80, 0)
    for estimate in (check.auroc, check.brier, check.calibration_error, check.bins[0].right):
        assert estimate.low <= estimate.value <= estimate.high
    assert len(check.coverage) == 20
    assert all(point.low < point.wrong < point.high for point in check.coverage[-10:])
    whole = wilson_share(round(60 * check.coverage[-1].wrong), 60)
    assert check.coverage[-1].high == pytest.approx(whole.high, abs=0.01)


def test_the_range_of_the_calibration_error_holds_that_of_confidence_that_is_right():
    held = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        stated = 1 / (1 + np.exp(-rng.normal(1.5, 1.3, 151)))
        right = np.r_[(rng.random(150) < stated[:150]).astype(float), np.nan]
        (check,) = confidence_checks(pd.DataFrame({"exact_match": right, "confidence": stated}))
        held += check.calibration_error.low < 0.005

    assert held >= 36


def test_unusable_confidences_are_counted_and_left_out():
    stated = stated_confidences(np.array([0.5, math.nan, 1.2, -0.1]))

    assert (stated.n_missing, stated.n_outside, stated.percentages) == (1, 2, False)
    assert np.isfinite(stated.shares).tolist() == [True, False, False, False]


def test_confidences_of_0_to_100_are_read_as_percentages():
    right = [True, False, True]

    (check,) = confidence_checks(with_confidence(right, [97.0, 40.0, 80.0]))
    (known,) = confidence_checks(with_confidence(right, [0.97, 0.4, 0.8]))

    assert check.percentages
    assert check.brier.value == pytest.approx(known.brier.value)


def test_a_constant_confidence_separates_nothing():
    (check,) = confidence_checks(with_confidence([True, False], [0.9, 0.9]))

    assert check.constant
    assert check.auroc.value == 0.5


def test_without_confidences_or_references_there_is_nothing_to_check():
    (check,) = confidence_checks(with_confidence([True, False], [math.nan, math.nan]))

    assert (check.n, check.n_missing, check.bins, check.coverage) == (0, 2, (), ())
    assert confidence_checks(scored([None], ["x"], confidence=[0.5])) == ()


@given(
    st.lists(st.tuples(st.sampled_from([0.1, 0.5, 0.9]), st.booleans()), min_size=2, max_size=30),
    st.randoms(use_true_random=False),
)
def test_the_curve_does_not_depend_on_the_order(rows, random):
    mixed = random.sample(rows, len(rows))
    curves = [risk_by_coverage(*np.array(one, dtype=float).T) for one in (rows, mixed)]

    assert [point.wrong for point in curves[0]] == pytest.approx([p.wrong for p in curves[1]])
    assert curves[0][-1].wrong == pytest.approx(1 - np.mean([right for _, right in rows]))


def test_critical_errors_are_checked_over_the_kinds_that_a_rule_is_about():
    frame = with_confidence([True, False, False], [0.9, 0.8, 0.2], kind=["amount", "amount", "x"])

    metrics = measured(frame, kinds=frozenset({"amount"}), is_critical=lambda r, h, _: r != h)

    text, critical = metrics.confidences
    assert (text.n, critical.n, critical.pool, critical.right) == (3, 2, 2, "critical")
    assert critical.correct == 0.5


def test_systems_are_never_compared_by_their_confidences():
    frame = with_confidence([True, False], [0.9, 0.2], system=["a", "b"])

    assert [(check.system, check.n) for check in confidence_checks(frame)] == [("a", 1), ("b", 1)]


# Groups


def found(frame, **options):
    options = {"named": None, **options}
    return columns_that_group(map(str, frame), lambda name: frame[name], **options)


def test_a_column_that_readers_add_is_no_group_unless_a_campaign_names_it():
    frame = pd.DataFrame({"scan": ["a", "b"] * 20, "min_word_confidence": [0.25, 0.5] * 20})

    assert list(found(frame)) == ["scan"]
    assert list(found(frame, named=["min_word_confidence"])) == ["min_word_confidence"]


def test_columns_are_found_by_what_they_hold():
    n = 40
    frame = pd.DataFrame(
        {
            "doc_id": [f"d{i}" for i in range(n)],
            "place_id": ["a", "b"] * 20,
            "number": range(n),
            "note": [f"text {i}" for i in range(n)],
            "one": "same",
            "boxes": [[0, 1]] * n,
            "scan": ["good", "bad"] * 20,
            "dpi": np.linspace(70, 300, n),
            "handwritten": [True, False] * 20,
            "llm": [1.0, 2.0] * 20,
            "doc_type": ["bill", "form"] * 20,
        }
    )

    assert list(found(frame, others=["llm"])) == ["doc_type", "scan", "dpi", "handwritten"]


def test_a_number_is_cut_in_quarters_of_about_equal_size():
    quarters = grouping(pd.Series([*np.linspace(0, 1, 40), math.nan]))

    assert quarters.quarters
    assert np.bincount(quarters.code + 1).tolist() == [1, 10, 10, 10, 10]


@pytest.mark.parametrize(
    ("name", "words"), [("scna", "which the pool lacks"), ("note", "which makes no groups")]
)
def test_a_named_column_that_cannot_be_used_is_refused(name, words):
    frame = pd.DataFrame({"scan": ["good", "bad"], "note": ["same", "same"]})

    with pytest.raises(InputError, match=words):
        found(frame, named=[name])
    assert list(found(frame, named=["scan"])) == ["scan"]
    assert found(frame, named=[]) == {}


def test_groups_add_up_to_the_pool():
    frame = scored(["가나", "다라", "마바", None], ["가나", "", "마x", " "])
    frame["scan"] = ["good", "bad", "bad", None]

    (groups,) = pool_groups(frame, found(frame), empty=is_empty(frame["hypothesis"]))

    rows = {row.name: row for row in groups.rows}
    assert list(rows) == ["good", "bad", None]
    assert (rows["bad"].n, rows["bad"].empty, rows["bad"].cer) == (2, 1, 0.75)
    assert sum(row.n for row in groups.rows) == 4
    assert sum(row.empty for row in groups.rows) == 2
    assert rows["good"].exact == 1
    assert math.isnan(rows[None].exact)


def test_the_record_has_the_size_of_its_charts():
    rng = np.random.default_rng(6)
    outputs = ["".join(rng.choice(list("가나다라마"), 5)) for _ in range(3000)]
    frame = scored(["가나다라마"] * 3000, outputs, confidence=rng.random(3000))

    metrics = measured(frame)

    assert PoolMetrics.from_json(metrics.to_json()).tails == metrics.tails
    assert len(str(metrics.to_json())) < 40_000
    assert metrics.known
    assert metrics.n == 3000
