import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.normal_forms import is_normal, normal_form

# Marks of several classes, some of which are two; a letter and signs between them; letters that
# become marks in NFKC alone.
MARKS = "\u0301\u0323\u0327\u0344\u0345\u0f71\u0f73\u3099\uff9e\uff9f…ae가\u1100"


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
@given(
    text=st.lists(
        st.tuples(st.text(MARKS, min_size=1, max_size=6), st.sampled_from([1, 2, 40])), max_size=6
    ).map(lambda parts: "".join(part * times for part, times in parts))
)
def test_a_normal_form_is_that_of_unicode(form, text):
    assert normal_form(form, text) == unicodedata.normalize(form, text)
    assert not is_normal(form, text) or unicodedata.is_normalized(form, text)


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
@pytest.mark.parametrize("marks", ["\u0301\u0323", "\u0f73\u0301", "\u0344\u0323"])
def test_marks_without_end_come_in_order(form, marks):
    text = "a" + marks * 5_000

    found = normal_form(form, text)

    assert unicodedata.normalize("NFD", found)[:2] == unicodedata.normalize("NFD", text)[:2]
    classes = [unicodedata.combining(mark) for mark in unicodedata.normalize("NFD", found)[1:]]
    assert classes == sorted(classes)
