from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.text import TextOptions, score_texts, summarize_scores
from ocrjury.text.metrics import COLUMNS, METRICS, OPTIONAL

TEXTS = st.text(alphabet="가나다 ab.", max_size=15)


def score(reference, hypothesis, **options):
    names = [*METRICS, *OPTIONAL]
    chosen = TextOptions(**options)
    return score_texts([reference], [hypothesis], options=chosen, metrics=names).iloc[0]


def test_normalised_cer_of_a_text_with_much_added_stays_below_one():
    # OCR-D: edits over edits and matches; 3 added to 1 that is right.
    row = score("가", "가나다라")

    assert row.cer == 3
    assert row.cer_normalized == 0.75


def test_bag_of_words_forgives_another_reading_order():
    row = score("first column second column", "second column first column")

    assert row.wer > 0
    assert row.wer_bag == 0


def test_bag_of_words_counts_what_is_left():
    # Larger number of words less those in common: 4 - 2 of 3.
    assert score("a b c", "c x a y").wer_bag == pytest.approx(2 / 3)


def test_words_of_annex_29_beside_other_words():
    row = score("K35.8, 급성", "K35.8 급성")

    assert row.wer == 0.5
    assert row.wer_uax29 == 0


@pytest.mark.parametrize("hypothesis", ["", "x"])
def test_an_empty_reference(hypothesis):
    row = score("", hypothesis)

    assert (row.cer_normalized, np.isnan(row.wer_bag)) == (bool(hypothesis), bool(hypothesis))


def test_micro_averages_of_the_optional_metrics():
    frame = score_texts(["a b", "c"], ["b a x", "c"], metrics=list(COLUMNS))

    micro = summarize_scores(frame).set_index("metric")["micro"]

    assert micro["wer_bag"] == pytest.approx(1 / 3)
    assert micro["wer_uax29"] == pytest.approx(micro["wer"])
    edits, added = frame["edit_distance"].sum(), frame["insertions"].sum()
    assert micro["cer_normalized"] == pytest.approx(edits / (4 + added))


def test_without_their_totals_micro_averages_are_missing():
    frame = score_texts(["a b"], ["b"], metrics=["wer_bag", "wer_uax29", "cer_normalized"])

    assert summarize_scores(frame)["micro"].isna().all()


def test_every_column_has_a_signature():
    assert all(not TextOptions().signature([name]).startswith("|") for name in COLUMNS)


@given(TEXTS, TEXTS)
def test_they_keep_their_bounds(reference, hypothesis):
    row = score(reference, hypothesis)

    assert 0 <= row.cer_normalized <= 1
    assert np.isnan(row.wer) == np.isnan(row.wer_bag)
    assert np.isnan(row.wer) or row.wer_bag <= row.wer + 1e-12
    assert np.isnan(row.cer) or row.cer_normalized <= row.cer


@given(TEXTS, TEXTS)
def test_bag_of_words_is_the_distance_of_multisets(reference, hypothesis):
    row = score(reference, hypothesis)
    r, h = Counter(reference.split()), Counter(hypothesis.split())

    # Vidal and others (2023): half of what the counts and the numbers of words differ by.
    edits = (abs(r.total() - h.total()) + sum(abs(r[w] - h[w]) for w in r | h)) / 2
    assert r.total() == 0 or row.wer_bag == pytest.approx(edits / r.total())


@pytest.mark.oracle
@given(
    st.text(alphabet="가나다라ab", min_size=1, max_size=12),
    st.text(alphabet="가나다ab", min_size=1, max_size=12),
)
def test_normalised_cer_is_that_of_nlptutti_where_its_edits_are_ours(reference, hypothesis):
    import nlptutti

    theirs = nlptutti.get_cer(reference, hypothesis)
    row = score(reference, hypothesis, whitespace="remove", unit="codepoint")

    # Several shortest alignments may exist, and match more or fewer characters.
    if theirs["insertions"] == row.insertions:
        assert row.cer_normalized == pytest.approx(theirs["cer"])


def test_word_rates_of_the_example_that_jiwer_publishes():
    # jiwer 4.0, docstring of visualize_alignment: both sentences together.
    references = ["short one here", "quite a bit of longer sentence"]
    hypotheses = ["shoe order one", "quite bit of an even longest sentence here"]

    frame = score_texts(references, hypotheses, metrics=list(COLUMNS))
    counts, micro = frame.sum(), summarize_scores(frame).set_index("metric")["micro"]

    edits = ["word_substitutions", "word_deletions", "word_insertions", "word_matches"]
    assert counts[edits].tolist() == [2, 2, 4, 5]
    rates = [micro[name] for name in ("wer", "mer", "wil", "wip")]
    assert rates == pytest.approx([0.8889, 0.6154, 0.7475, 0.2525], abs=5e-5)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "rates"),
    [
        ("a b", "a b", (0, 0, 1)),
        ("a b", "c d", (1, 1, 0)),
        ("a b", "a b c d", (0.5, 0.5, 0.5)),
        ("", "", (0, 0, 1)),
        ("", "a", (1, 1, 0)),
        ("a", "", (1, 1, 0)),
    ],
)
def test_word_rates_that_never_exceed_one(reference, hypothesis, rates):
    row = score(reference, hypothesis)

    assert (row.mer, row.wil, row.wip) == rates


def test_micro_average_of_the_match_error_rate_is_that_of_all_words():
    frame = score_texts(["a b", ""], ["a x y", "z"], metrics=list(COLUMNS))

    micro = summarize_scores(frame).set_index("metric")["micro"]

    assert micro["mer"] == pytest.approx(3 / 4)


@given(TEXTS, TEXTS)
def test_word_counts_and_rates_fit_together(reference, hypothesis):
    row = score_texts([reference], [hypothesis], metrics=list(COLUMNS)).iloc[0]

    edits = row.word_substitutions + row.word_deletions + row.word_insertions
    assert edits == row.word_edits
    assert row.word_matches + row.word_substitutions + row.word_deletions == row.n_ref_words
    assert row.word_matches + row.word_substitutions + row.word_insertions == row.n_hyp_words
    # Morris, Maier and Green (2004): WIL is never below MER.
    assert 0 <= row.mer <= row.wil + 1e-12
    assert row.wil <= 1
    assert np.isnan(row.wer) or row.mer <= row.wer + 1e-12


@pytest.mark.oracle
@given(TEXTS, TEXTS)
def test_word_counts_and_rates_are_those_of_jiwer(reference, hypothesis):
    import jiwer

    theirs = jiwer.process_words(reference, hypothesis)
    options = TextOptions.preset("jiwer")
    row = score_texts([reference], [hypothesis], options=options, metrics=list(COLUMNS)).iloc[0]

    counts = [row.word_matches, row.word_substitutions, row.word_deletions, row.word_insertions]
    assert counts == [theirs.hits, theirs.substitutions, theirs.deletions, theirs.insertions]
    assert [row.mer, row.wil, row.wip] == pytest.approx([theirs.mer, theirs.wil, theirs.wip])


@pytest.mark.oracle
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5))
def test_micro_averages_are_those_of_jiwer_over_all_texts(pairs):
    import jiwer

    references, hypotheses = [r for r, _ in pairs], [h for _, h in pairs]
    theirs = jiwer.process_words(references, hypotheses)
    options = TextOptions.preset("jiwer")
    frame = score_texts(references, hypotheses, options=options, metrics=list(COLUMNS))

    micro = summarize_scores(frame).set_index("metric")["micro"]

    assert np.isnan(micro["wer"]) == (frame["n_ref_words"].sum() == 0)
    if frame["n_ref_words"].sum() and frame["n_hyp_words"].sum():
        rates = [micro[name] for name in ("wer", "mer", "wil", "wip")]
        assert rates == pytest.approx([theirs.wer, theirs.mer, theirs.wil, theirs.wip])


def test_the_interval_of_preserved_words_is_of_its_micro_average_and_mirrors_that_of_lost_ones():
    rng = np.random.default_rng(2)
    references = [" ".join(rng.choice(list("abcdef"), 12)) for _ in range(60)]
    hypotheses = [text.replace("a", rng.choice(["a", "x", "x y"])) for text in references]
    frame = score_texts(references, hypotheses, metrics=list(COLUMNS))

    summary = summarize_scores(frame).set_index("metric")

    low, micro, high = (float(summary.loc["wip", name]) for name in ("low", "micro", "high"))
    lost = [float(summary.loc["wil", name]) for name in ("high", "micro", "low")]
    assert low < micro < high
    assert lost == pytest.approx([1 - low, 1 - micro, 1 - high])
    drawn = rng.integers(60, size=(1000, 60))
    sums = [
        frame[name].to_numpy()[drawn].sum(axis=1)
        for name in ("word_matches", "n_ref_words", "n_hyp_words")
    ]
    spread = np.quantile(sums[0] ** 2 / (sums[1] * sums[2]), [0.025, 0.975])
    assert (low, high) == pytest.approx(tuple(spread), abs=0.01)
