import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.text import TextOptions
from ocrjury.text.bleu import sentence_bleu


def score(reference, hypothesis, *, options):
    return sentence_bleu([reference], [hypothesis], options=options)[0]


WORDS = st.lists(st.sampled_from(list("가나다라")), max_size=12)


def test_reference_text_formula_without_smoothing():
    # Reference text on OCR metrics: brevity penalty 1, p1..p4 = 5/6, 3/5, 2/4, 1/3.
    reference = ["보험금", "청구서", "접수일:", "2024년", "3월", "15일"]
    hypothesis = ["보험금", "청구서", "접수일:", "2024년", "3웛", "15일"]
    options = TextOptions(bleu_smoothing="none", bleu_effective_order=False)

    bleu = score(reference, hypothesis, options=options)

    assert bleu == pytest.approx((5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "bleu"), [([], [], 1), ([], ["가"], 0), (["가"], [], 0)]
)
def test_empty_texts(reference, hypothesis, bleu):
    assert score(reference, hypothesis, options=TextOptions()) == bleu


def test_no_common_word_is_zero_in_spite_of_smoothing():
    assert score(list("가나다라"), list("abcd"), options=TextOptions()) == 0


def test_without_smoothing_a_length_without_match_is_zero():
    options = TextOptions(bleu_smoothing="none")

    assert score(list("가나다라"), list("가a다b"), options=options) == 0


def test_weights_choose_the_lengths_that_count():
    options = TextOptions(bleu_order=2, bleu_weights=(1, 0), bleu_smoothing="none")

    assert score(list("가나다라"), list("가a다b"), options=options) == 0.5


def test_a_short_text_pays_the_brevity_penalty():
    assert score(list("가나다라"), list("가나"), options=TextOptions()) == pytest.approx(
        math.exp(1 - 4 / 2)
    )


@given(WORDS, WORDS, st.integers(1, 5))
def test_lies_between_zero_and_one(reference, hypothesis, order):
    bleu = score(reference, hypothesis, options=TextOptions(bleu_order=order))

    assert 0 <= bleu <= 1 + 1e-12


@pytest.mark.oracle
@pytest.mark.parametrize("effective", [True, False])
@pytest.mark.parametrize("smoothing", ["exp", "none"])
@given(reference=WORDS.filter(bool), hypothesis=WORDS, order=st.integers(1, 5))
def test_agrees_with_sacrebleu(*, effective, smoothing, reference, hypothesis, order):
    from sacrebleu.metrics.bleu import BLEU

    peer = BLEU(
        tokenize="none",
        smooth_method=smoothing,
        effective_order=effective,
        max_ngram_order=order,
    )
    stats = peer._compute_segment_statistics(
        " ".join(hypothesis), peer._extract_reference_info([" ".join(reference)])
    )
    options = TextOptions(
        bleu_order=order, bleu_smoothing=smoothing, bleu_effective_order=effective
    )

    bleu = score(reference, hypothesis, options=options)

    assert bleu == pytest.approx(peer._compute_score_from_stats(stats).score / 100, abs=1e-9)
