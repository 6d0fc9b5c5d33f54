import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.text import EditOp, TextOptions, align, score_texts, split_units

TEXTS = st.text(alphabet=[*"가나다 ab\n", "\u0301"], max_size=12)


def test_one_wrong_character_is_one_replacement():
    # Reference text on OCR metrics: the wrong character of "3월" read as "3웛".
    ops = align("3월 15일", "3웛 15일")

    assert ops == [
        EditOp("equal", 0, 1, 0, 1),
        EditOp("replace", 1, 2, 1, 2),
        EditOp("equal", 2, 6, 2, 6),
    ]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "ops"),
    [
        ("", "", []),
        ("가", "", [("delete", 0, 1, 0, 0)]),
        ("", "가", [("insert", 0, 0, 0, 1)]),
        ("가\n나", " 가 나", [("equal", 0, 3, 0, 3)]),
    ],
)
def test_edges(reference, hypothesis, ops):
    assert align(reference, hypothesis) == ops


def test_places_count_graphemes():
    assert align("m\u0303a", "m\u0303b") == [("equal", 0, 1, 0, 1), ("replace", 1, 2, 1, 2)]
    assert split_units("m\u0303a") == ["m\u0303", "a"]
    assert split_units("m\u0303a", options=TextOptions(unit="codepoint")) == ["m", "\u0303", "a"]


def test_words_are_those_of_the_options():
    assert align("가\n나 다", "가\n나 라", units="words") == [
        EditOp("equal", 0, 2, 0, 2),
        EditOp("replace", 2, 3, 2, 3),
    ]
    assert split_units("가\n나 다", units="words", options=TextOptions(words="space")) == [
        "가\n나",
        "다",
    ]


def test_a_misspelt_unit_is_refused():
    with pytest.raises(InputError, match="units must be 'characters' or 'words'; found 'word'"):
        align("a", "b", units="word")


@pytest.mark.parametrize(
    ("units", "column"), [("characters", "edit_distance"), ("words", "word_edits")]
)
@given(TEXTS, TEXTS, st.sampled_from(["default", "jiwer", "dinglehopper", "ocrd", "nlptutti"]))
def test_the_stretches_cover_both_texts_and_count_the_distance(
    units, column, reference, hypothesis, preset
):
    options = TextOptions.preset(preset)
    ops = align(reference, hypothesis, units=units, options=options)
    ref = split_units(reference, units=units, options=options)
    hyp = split_units(hypothesis, units=units, options=options)

    assert [i for op in ops for i in range(op.ref_start, op.ref_end)] == list(range(len(ref)))
    assert [i for op in ops for i in range(op.hyp_start, op.hyp_end)] == list(range(len(hyp)))
    for op in ops:
        same = ref[op.ref_start : op.ref_end] == hyp[op.hyp_start : op.hyp_end]
        assert same == (op.op == "equal")
    edits = sum(
        max(op.ref_end - op.ref_start, op.hyp_end - op.hyp_start) for op in ops if op.op != "equal"
    )
    scores = score_texts([reference], [hypothesis], options=options, metrics=[column])
    assert edits == scores[column][0]
