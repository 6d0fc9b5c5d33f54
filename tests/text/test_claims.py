"""Claims of the reference text on OCR metrics that are wrong, each with the right value."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.text import TextOptions, score_texts, summarize_scores
from ocrjury.text.metrics import METRICS, TOTALS

FIELDS = Path(__file__).resolve().parents[2] / "examples" / "korean-claims" / "fields.jsonl"
TEXTS = st.text(alphabet="가나다 ab1", max_size=15)


@pytest.fixture(scope="module")
def fields():
    """Real fields with their scores."""
    rows = [json.loads(line) for line in FIELDS.read_text("utf-8").splitlines()]
    references, hypotheses = zip(
        *((row["reference"], row["hypothesis"]) for row in rows), strict=True
    )
    return score_texts(references, hypotheses, metrics=[*METRICS, *TOTALS])


def test_cer_may_be_above_wer():
    # "CER <= WER always": one long word among short ones is enough.
    row = score_texts(["긴단어하나 a b c"], ["xxxxxxxx a b c"]).iloc[0]

    assert row.cer == pytest.approx(8 / 11)
    assert row.wer == 0.25


def test_cer_is_above_wer_in_real_fields_too(fields):
    assert (fields.cer > fields.wer).any()


def test_short_identical_fields_have_a_bleu_of_one(fields):
    # "BLEU of identical text is 1" holds there only from four words on.
    right = fields[fields.exact_match == 1]

    assert len(right) > 900
    assert (right.bleu == 1).all()
    as_there = TextOptions(bleu_smoothing="none", bleu_effective_order=False)
    short = score_texts(["입원 기간: 5일"], ["입원 기간: 5일"], options=as_there)
    assert short.bleu.iloc[0] == 0


def test_one_empty_reference_does_not_turn_the_report_into_inf():
    frame = score_texts(["가나다라", ""], ["가나다마", "xx"], metrics=[*METRICS, *TOTALS])

    cer = summarize_scores(frame).set_index("metric").loc["cer"]

    assert (cer.macro, cer["median"], cer.p95, cer["max"]) == (0.25, 0.25, 0.25, 0.25)
    assert (cer.n, cer.n_undefined) == (1, 1)
    assert cer["std"] == 0
    assert cer.micro == 3 / 4  # what was added to nothing counts
    assert not frame.isin([math.inf]).any(axis=None)


def test_two_empty_texts_have_a_perfect_char_f1():
    row = score_texts([""], [""]).iloc[0]

    assert (row.cer, row.char_f1) == (0, 1)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
def test_cer_is_never_below_ned(pairs):
    # This one of its claims is right.
    frame = score_texts([r for r, _ in pairs], [h for _, h in pairs])

    assert (frame.cer.isna() | (frame.cer >= frame.ned)).all()


def test_worked_batch_of_four():
    # Its usage example: CER .0909, 0, .1176 and 0, the mean .0521; of WER .1667.
    references = [
        "진단명: 급성 충수염",
        "수술일: 2024-03-15",
        "총 진료비: 1,500,000원",
        "입원 기간: 5일",
    ]
    hypotheses = [
        "진단명: 급성 충수엽",
        "수술일: 2024-03-15",
        "총 진료비: 1,500,0OO원",
        "입원 기간: 5일",
    ]

    frame = score_texts(references, hypotheses)

    summary = summarize_scores(frame).set_index("metric")
    assert frame["cer"].round(4).tolist() == [0.0909, 0, 0.1176, 0]
    assert frame["wer"].round(4).tolist() == [0.3333, 0, 0.3333, 0]
    assert round(summary.loc["cer", "macro"], 4) == 0.0521
    assert round(summary.loc["wer", "macro"], 4) == 0.1667
    assert summary.loc["exact_match", "macro"] == 0.5
    # There BLEU is 0 for all four, of which two are right to the letter.
    assert frame["bleu"].tolist()[1::2] == [1, 1]
