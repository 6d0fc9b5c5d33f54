import json
import math
import unicodedata
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.text import TextOptions, score_texts
from ocrjury.text.metrics import METRICS, TOTALS

CASES = json.loads((Path(__file__).parents[1] / "data" / "ocr.json").read_text(encoding="utf-8"))
# Korean syllables and loose jamo, letters with marks, a family of emoji, spaces of several kinds.
TEXTS = st.text(
    alphabet=st.sampled_from(
        [*"가나다라마abcABC1,. \n\t", "\u0301", "\u1112", "\u200d", "👨", "é"]
    ),
    max_size=20,
)


def options_of(case):
    """Options of a case, which names them in its own words, as ours."""
    given = case["options"]
    chosen = {
        ours: given[theirs]
        for theirs, ours in {
            "unit": "unit",
            "whitespace": "whitespace",
            "normalize": "normalization",
            "tokenizer": "words",
            "smoothing": "bleu_smoothing",
            "effective_order": "bleu_effective_order",
        }.items()
        if theirs in given
    }
    if "convention" in given:
        chosen["words"] = "space"
    if case["source"].startswith("dinglehopper"):
        chosen["whitespace"] = "keep"
    return TextOptions(**chosen)


def score(reference, hypothesis, **options):
    return score_texts([reference], [hypothesis], options=TextOptions(**options)).iloc[0]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_agrees_with_published_and_peer_computed_cases(case):
    frame = score_texts(
        [case["reference"]],
        [case["hypothesis"]],
        options=options_of(case),
        metrics=[case["metric"]],
    )

    assert frame.iloc[0, 0] == pytest.approx(case["expected"], abs=1e-9)


def test_worked_example_of_the_reference_text():
    # Reference text on OCR metrics, usage example: 25 characters, one of them wrong.
    row = score("보험금 청구서 접수일: 2024년 3월 15일", "보험금 청구서 접수일: 2024년 3웛 15일")

    assert (row.n_ref_chars, row.edit_distance, row.substitutions) == (25, 1, 1)
    assert row.cer == pytest.approx(0.04)
    assert row.wer == pytest.approx(0.1667, abs=5e-5)


def test_columns_are_those_of_the_contract_and_all_numeric():
    frame = score_texts(["가", None, ""], ["나", "x", "y"])

    assert list(frame.columns) == [
        "n_ref_chars", "n_hyp_chars", "edit_distance", "substitutions", "deletions", "insertions",
        "cer", "cer_nospace", "wer", "ned", "nacc", "bleu", "char_precision", "char_recall",
        "char_f1", "exact_match",
    ]  # fmt: skip
    assert all(pd.api.types.is_numeric_dtype(dtype) for dtype in frame.dtypes)


@pytest.mark.parametrize("missing", [None, math.nan, pd.NA])
def test_a_missing_reference_scores_nothing(missing):
    assert score_texts([missing], ["x"]).isna().all(axis=None)


def test_against_an_empty_reference_error_rates_are_undefined():
    row = score("", "abc")

    assert row[["cer", "cer_nospace", "wer"]].isna().all()
    assert (row.ned, row.nacc, row.bleu, row.char_f1, row.exact_match) == (1, 0, 0, 0, 0)
    assert (row.insertions, row.n_hyp_chars) == (3, 3)


def test_two_empty_texts_are_equal():
    row = score(" \n", "")

    assert (row.cer, row.cer_nospace, row.wer, row.ned) == (0, 0, 0, 0)
    assert (row.bleu, row.char_precision, row.char_recall, row.char_f1, row.exact_match) == (1,) * 5


def test_nothing_read_is_an_error_rate_of_one():
    row = score("가 나", "")

    assert (row.cer, row.wer, row.ned, row.deletions) == (1, 1, 1, 3)
    assert (row.bleu, row.char_precision, row.char_f1) == (0, 0, 0)


def test_much_too_much_text_has_an_error_rate_above_one():
    assert score("가", "가나다라").cer == 3


def test_composed_and_decomposed_hangul_are_the_same():
    decomposed = unicodedata.normalize("NFD", "청구금액")

    assert score("청구금액", decomposed).cer == 0
    # As published for texts compared without normalisation.
    assert score("청구금액", decomposed, normalization=None, unit="codepoint").cer == 2.75


def test_full_width_letters_are_folded_by_nfkc_only():
    assert score("K35.8", "Ｋ３５．８").cer > 0
    assert score("K35.8", "Ｋ３５．８", normalization="NFKC").cer == 0


def test_a_cluster_of_several_code_points_is_one_character():
    family = "👨\u200d👩\u200d👧"

    assert score(f"가{family}", "가나").edit_distance == 1
    assert score(f"가{family}", "가나", unit="codepoint").edit_distance == 5


def test_a_private_use_character_is_not_taken_for_a_cluster():
    # The first private code point stands for a cluster unless the text itself has it.
    assert score("\U000f0000", "m\u0303").edit_distance == 1


def test_a_line_break_counts_as_a_space():
    row = score("수술\n후", "수술 후")

    assert (row.cer, row.exact_match) == (0, 1)


def test_spaces_within_words_do_not_count_without_white_space():
    row = score("환자 성명", "환 자성명")

    assert row.cer > 0
    assert row.cer_nospace == 0


def test_bleu_of_a_right_text_of_three_words_is_one():
    assert score("입원 기간: 5일", "입원 기간: 5일").bleu == 1
    assert score("입원 기간: 5일", "입원 기간: 5일", bleu_effective_order=False).bleu == 0


def test_order_of_characters_is_beyond_char_f1():
    row = score("1,500,000원", "0,001,500원")

    assert row.char_f1 == 1
    assert row.cer > 0


def test_pages_of_two_batches_are_scored_as_one(monkeypatch):
    references, hypotheses = ["가나다", "라마", None, "바사아자"], ["가다", "라마", "x", ""]
    whole = score_texts(references, hypotheses)

    monkeypatch.setattr("ocrjury.text.scoring._BATCH_CHARACTERS", 4)
    monkeypatch.setattr("ocrjury.text.char_f1._CELLS", 3)

    pd.testing.assert_frame_equal(score_texts(references, hypotheses), whole)


def test_only_the_named_metrics_come_in_their_order():
    frame = score_texts(["가"], ["가"], metrics=["wer", "cer", "n_ref_words"])

    assert list(frame.columns) == ["wer", "cer", "n_ref_words"]


def test_the_frame_says_how_it_was_made():
    frame = score_texts(["가"], ["가"], metrics=["cer"])

    assert frame.attrs["signature"] == "CER|norm:NFC|ws:collapse|unit:grapheme|v:0.1.0"


def test_no_pairs_give_no_rows():
    assert score_texts([], []).shape == (0, len(METRICS))


def test_columns_of_a_frame_are_accepted():
    frame = pd.DataFrame({"r": ["가", None], "h": ["가", "나"]}, index=[7, 3])

    scores = score_texts(frame["r"], frame["h"])

    assert scores["cer"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a"], ["a", "b"]), r"1 reference\(s\) and 2 hypothesis"),
        ((["a"], [None]), r'hypothesis 0 .* found NoneType None: pass "" where'),
        (([1], ["a"]), r"reference 0 .* found int 1: pass None where"),
        (("ab", "ab"), r"lists of texts; for one pair pass \[text\]"),
    ],
)
def test_what_cannot_be_scored_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        score_texts(*arguments)


@pytest.mark.parametrize("metrics", [["cerr"], [], ["cer", "cer"]])
def test_unknown_metrics_are_refused_and_the_known_named(metrics):
    with pytest.raises(InputError, match=r"metrics must be .* cer, cer_nospace, wer"):
        score_texts(["a"], ["a"], metrics=metrics)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=5))
def test_counts_and_rates_fit_together(pairs):
    frame = score_texts([r for r, _ in pairs], [h for _, h in pairs])

    assert (frame.substitutions + frame.deletions + frame.insertions == frame.edit_distance).all()
    assert (frame.insertions - frame.deletions == frame.n_hyp_chars - frame.n_ref_chars).all()
    assert (frame.cer.fillna(np.inf) >= frame.ned).all()
    shares = frame[["ned", "bleu", "char_f1", "exact_match"]]
    assert ((shares >= 0) & (shares <= 1)).all(axis=None)
    assert ((frame.edit_distance == 0) == (frame.exact_match == 1)).all()
    assert (frame.nacc == 1 - frame.ned).all()


@given(TEXTS, TEXTS)
def test_distance_is_symmetric_and_its_edits_change_sides(a, b):
    there, back = score(a, b), score(b, a)

    assert there.edit_distance == back.edit_distance
    assert there.ned == back.ned
    assert there.char_precision == back.char_recall


@given(TEXTS, st.sampled_from(["default", "jiwer", "dinglehopper", "ocrd", "nlptutti"]))
def test_a_text_matches_itself_under_every_preset(text, preset):
    row = score_texts([text], [text], options=TextOptions.preset(preset)).iloc[0]

    assert row[["cer", "cer_nospace", "wer", "ned"]].tolist() == [0, 0, 0, 0]
    assert row[["bleu", "char_f1", "exact_match"]].tolist() == [1, 1, 1]


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=4))
def test_characters_in_common_are_the_multiset_intersection(pairs):
    options = TextOptions(normalization=None, whitespace="keep", unit="codepoint")
    frame = score_texts([r for r, _ in pairs], [h for _, h in pairs], options=options)

    for (r, h), row in zip(pairs, frame.itertuples(), strict=True):
        expected = (Counter(r) & Counter(h)).total()
        assert row.char_f1 == (2 * expected / (len(r) + len(h)) if r or h else 1)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
def test_a_pair_scores_the_same_alone_and_in_company(pairs):
    names = [*METRICS, *TOTALS]
    together = score_texts([r for r, _ in pairs], [h for _, h in pairs], metrics=names)
    alone = [score_texts([r], [h], metrics=names) for r, h in pairs]

    pd.testing.assert_frame_equal(together, pd.concat(alone, ignore_index=True))


@pytest.mark.oracle
@given(TEXTS.filter(lambda text: text.strip(" \n\t")), TEXTS)
def test_agrees_with_jiwer(reference, hypothesis):
    import jiwer

    row = score_texts([reference], [hypothesis], options=TextOptions.preset("jiwer")).iloc[0]

    assert row.cer == pytest.approx(jiwer.cer(reference, hypothesis))
    assert row.wer == pytest.approx(jiwer.wer(reference, hypothesis))


@pytest.mark.oracle
@given(TEXTS, TEXTS)
def test_agrees_with_rapidfuzz(reference, hypothesis):
    from rapidfuzz.distance import Levenshtein

    row = score(reference, hypothesis, normalization=None, whitespace="keep", unit="codepoint")

    assert row.edit_distance == Levenshtein.distance(reference, hypothesis)
    assert row.ned == pytest.approx(Levenshtein.normalized_distance(reference, hypothesis))
