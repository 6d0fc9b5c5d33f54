"""Each preset gives its tool's scores, on published and recorded cases and on random texts."""

import json
import unicodedata
from pathlib import Path

import pytest
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from ocrjury.text import TextOptions, score_texts

CASES = json.loads((Path(__file__).parents[1] / "data" / "ocr.json").read_text(encoding="utf-8"))
TOOLS = {"jiwer": "jiwer", "dinglehopper": "dinglehopper", "nlptutti": "nlptutti"}

KOREAN = st.text(alphabet="보험금청구서진료비영수증환자성명 \n", max_size=30)
ENGLISH = st.text(alphabet="abcdefghij KLM.,;:'-0123456789 ", max_size=30)
COMBINING = st.text(
    alphabet=["e", "n", "\u0301", "\u0303", "ᄒ", "ᅡ", "ᆫ", "한", "👨", "\u200d", "👩", " ", "é"],
    max_size=15,
)
MIXED = st.lists(st.one_of(KOREAN, ENGLISH, COMBINING), max_size=3).map("".join)
SOME = st.one_of(KOREAN, ENGLISH, COMBINING, MIXED)


@st.composite
def pairs(draw):
    """Draw a reference and a hypothesis: similar, or with nothing in common."""
    reference = draw(SOME)
    if draw(st.booleans()):
        return reference, draw(SOME)
    hypothesis = list(reference)
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(hypothesis)))
        cut = draw(st.integers(0, 2))
        hypothesis[place : place + cut] = draw(st.sampled_from(["", "|", "x", "가", " ", "\u0301"]))
    return reference, "".join(hypothesis)


def score(reference, hypothesis, preset, **more):
    options = TextOptions.preset(preset)
    return score_texts([reference], [hypothesis], options=options, **more).iloc[0]


@pytest.mark.parametrize(
    "case",
    [c for c in CASES if c["source"].split()[0] in TOOLS],
    ids=lambda case: case["id"],
)
def test_a_preset_gives_what_its_tool_gave_on_real_ocr(case):
    preset = TOOLS[case["source"].split()[0]]

    row = score(case["reference"], case["hypothesis"], preset)

    assert row[case["metric"]] == pytest.approx(case["expected"], abs=1e-9)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "edits", "length"),
    [
        ("a", "b", 1, 1), ("Foo", "Bar", 3, 3), ("Foo", "", 3, 3), ("Fnord", "Food", 2, 5),
        ("Müll", "Mull", 1, 4), ("Abstand", "Sand", 4, 7), ("Schlyñ", "Schlym\u0303", 1, 6),
        (unicodedata.normalize("NFC", "Schlyñ lorem ipsum."),
         unicodedata.normalize("NFD", "Schlyñ lorem ipsum!"), 1, 19),
    ],
)  # fmt: skip
def test_characters_of_dinglehopper(reference, hypothesis, edits, length):
    # From dinglehopper's own tests of its character error rate.
    row = score(reference, hypothesis, "dinglehopper")

    assert (row.edit_distance, row.n_ref_chars) == (edits, length)
    assert row.cer == edits / length


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("Dies. ist ein Beispielsatz!", "Dies ist ein Beispielsatz.", 0),
        ("Dies ist ein Beispielsatz!", "Dies ist ein Beispielsarz:", 1 / 4),
        ("Dies ist ein Beispielsatz!", "Dies ein ist Beispielsatz!", 2 / 4),
        ("Dies ist ein Beispielsatz!", "", 1),
        ("", "", 0),
        ("Schlyñ lorem ipsum dolor sit amet,", "Schlym\u0303 lorem ipsum dolor sit amet.", 1 / 6),
        # A private character belongs to the word it stands in.
        ("\ue42bber die", "ber die", 1 / 2),
    ],
)
def test_words_of_dinglehopper(reference, hypothesis, expected):
    # From dinglehopper's own tests of its word error rate.
    assert score(reference, hypothesis, "dinglehopper").wer == pytest.approx(expected)


def dinglehopper_distance(reference, hypothesis):
    """Distance by dinglehopper's published rules: NFC, then unaltered grapheme clusters."""
    sides = [regex.findall(r"\X", unicodedata.normalize("NFC", t)) for t in (reference, hypothesis)]
    return Levenshtein.distance(*sides), *map(len, sides)


@pytest.mark.oracle
@given(pairs())
def test_dinglehopper_on_random_texts(pair):
    row = score(*pair, "dinglehopper")

    expected = dinglehopper_distance(*pair)
    assert (row.edit_distance, row.n_ref_chars, row.n_hyp_chars) == expected


@pytest.mark.oracle
@given(pairs())
def test_jiwer_on_random_texts(pair):
    import jiwer

    assume(pair[0].strip())

    row = score(
        *pair, "jiwer", metrics=["cer", "wer", "edit_distance", "word_edits", "n_ref_words"]
    )

    characters = jiwer.process_characters(*pair)
    words = jiwer.process_words(*pair)
    assert row.cer == pytest.approx(characters.cer)
    assert row.wer == pytest.approx(words.wer)
    for theirs, ours in ((characters, row.edit_distance), (words, row.word_edits)):
        assert theirs.substitutions + theirs.deletions + theirs.insertions == ours


@pytest.mark.oracle
@given(pairs())
def test_nlptutti_on_random_texts(pair):
    import nlptutti

    reference, hypothesis = pair
    assume(reference.strip())
    # It strips a text's ends of zero-width signs, too, and refuses what is left empty.
    assume("\u200d" not in reference + hypothesis and hypothesis.strip())

    theirs = nlptutti.get_cer(reference, hypothesis, rm_punctuation=False, rate_mode="standard")

    row = score(reference, hypothesis, "nlptutti")
    assert row.cer == pytest.approx(theirs["cer"])


@pytest.mark.oracle
@given(pairs())
def test_rapidfuzz_on_random_texts(pair):
    options = TextOptions(normalization=None, whitespace="keep", unit="codepoint")
    row = score_texts(*([text] for text in pair), options=options).iloc[0]

    assert row.edit_distance == Levenshtein.distance(*pair)
    assert row.substitutions == sum(o.tag == "replace" for o in Levenshtein.editops(*pair))


@pytest.mark.oracle
@settings(max_examples=60)
@given(pairs(), st.integers(1, 4))
def test_sacrebleu_on_random_texts(pair, order):
    from sacrebleu.metrics.bleu import BLEU

    reference, hypothesis = (unicodedata.normalize("NFC", text) for text in pair)
    assume(reference.split())
    theirs = BLEU(tokenize="none", effective_order=True, max_ngram_order=order)
    expected = theirs.sentence_score(" ".join(hypothesis.split()), [" ".join(reference.split())])

    options = TextOptions(bleu_order=order)
    row = score_texts([reference], [hypothesis], options=options, metrics=["bleu"]).iloc[0]

    assert row.bleu == pytest.approx(expected.score / 100, abs=1e-9)


@given(pairs())
def test_normal_form_does_not_matter(pair):
    reference, hypothesis = pair
    nfd = unicodedata.normalize("NFD", reference), unicodedata.normalize("NFD", hypothesis)

    frame = score_texts(
        [reference, nfd[0], reference, nfd[0]], [hypothesis, nfd[1], nfd[1], hypothesis]
    )

    assert frame.iloc[1:].eq(frame.iloc[0]).mask(frame.iloc[1:].isna(), other=True).all(axis=None)


@given(st.lists(pairs(), min_size=2, max_size=5), st.randoms())
def test_order_of_rows_does_not_matter(many, rng):
    order = list(range(len(many)))
    rng.shuffle(order)

    frame = score_texts([r for r, _ in many], [h for _, h in many])
    shuffled = score_texts([many[n][0] for n in order], [many[n][1] for n in order])

    assert shuffled.equals(frame.iloc[order].reset_index(drop=True))
