import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.text import confusion_table, score_texts

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


def test_lists_of_unequal_length_are_refused():
    with pytest.raises(InputError, match=r"1 reference\(s\) and 0 hypothesis"):
        confusion_table(["a"], [])


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=4))
def test_counts_add_up_to_the_edit_distance(pairs):
    references, hypotheses = [r for r, _ in pairs], [h for _, h in pairs]

    table = confusion_table(references, hypotheses)

    assert table["count"].sum() == score_texts(references, hypotheses).edit_distance.sum()
    assert (table["reference"] != table["hypothesis"]).all()
