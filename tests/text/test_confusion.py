from collections import Counter
from itertools import zip_longest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.text import TextOptions, confusion_table, score_texts

TEXTS = st.text(alphabet="가나다 ,.1", max_size=10)


def test_the_most_frequent_confusion_comes_first():
    table = confusion_table(["17,230", "1,000원", None], ["17.230", "1.000", "x"])

    assert table.iloc[0].to_dict() == {
        "reference": ",", "hypothesis": ".", "op": "replace",
        "count": 2, "n_documents": 2, "share": 2 / 3, "example": 0,
    }  # fmt: skip
    assert table.iloc[1][["reference", "hypothesis", "op", "example"]].tolist() == [
        "원", "", "delete", 1,
    ]  # fmt: skip


def test_right_texts_have_no_confusions():
    table = confusion_table(["가"], ["가"])

    assert table.empty
    assert list(table.columns)[:4] == ["reference", "hypothesis", "op", "count"]


def test_words_are_counted_like_characters():
    table = confusion_table(
        ["보험금 청구", "보험금 접수"], ["보험글 청구", "보험글"], units="words"
    )

    rows = table[["reference", "hypothesis", "op", "count", "n_documents"]].to_numpy().tolist()
    assert rows == [["보험금", "보험글", "replace", 2, 2], ["접수", "", "delete", 1, 1]]


@pytest.mark.parametrize("pair", [("ab\ud800", "abc"), ("abc", "ab\udfff")])
def test_half_a_character_is_refused_with_its_place(pair):
    with pytest.raises(InputError, match=r"pair 2 has a lone surrogate \(half a character\)"):
        confusion_table(["a", None, pair[0]], ["b", "\ud800", pair[1]])


def test_lists_of_unequal_length_are_refused():
    with pytest.raises(InputError, match=r"1 reference\(s\) and 0 hypothesis"):
        confusion_table(["a"], [])


@pytest.mark.parametrize(
    ("units", "column"), [("characters", "edit_distance"), ("words", "word_edits")]
)
@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=4))
def test_counts_add_up_to_the_edit_distance(units, column, pairs):
    references, hypotheses = [r for r, _ in pairs], [h for _, h in pairs]

    table = confusion_table(references, hypotheses, units=units)

    scores = score_texts(references, hypotheses, metrics=[column])
    assert table["count"].sum() == scores[column].sum()
    assert (table["reference"] != table["hypothesis"]).all()


@pytest.mark.oracle
@given(st.text(alphabet="ab ", max_size=15), st.text(alphabet="abc ", max_size=15))
def test_word_confusions_are_those_of_jiwer(reference, hypothesis):
    import jiwer

    chunks = jiwer.process_words(reference, hypothesis)
    theirs = Counter()
    for chunk in chunks.alignments[0]:
        left = chunks.references[0][chunk.ref_start_idx : chunk.ref_end_idx]
        right = chunks.hypotheses[0][chunk.hyp_start_idx : chunk.hyp_end_idx]
        if chunk.type != "equal":
            theirs.update(zip_longest(left, right, fillvalue=""))

    table = confusion_table(
        [reference], [hypothesis], units="words", options=TextOptions.preset("jiwer")
    )

    ours = zip(table["reference"], table["hypothesis"], strict=True)
    assert dict(zip(ours, table["count"], strict=True)) == theirs
