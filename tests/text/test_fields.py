import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.field_kinds import FIELD_KINDS, KIND_NAMES
from ocrjury.text import compare_field

AMOUNTS = st.integers(0, 10**9)
DAYS = st.dates(min_value=dt.date(1970, 1, 1))


def test_every_kind_has_a_name():
    assert tuple(KIND_NAMES) == FIELD_KINDS


@pytest.mark.parametrize(
    ("kind", "reference", "hypothesis", "same_value", "exact"),
    [
        ("amount", "1,277,520원", "1,277,520원", True, True),
        ("amount", "1,277,520원", "1277520 원", True, False),
        ("amount", "1,277,520원", "₩1,277,520", True, False),
        ("amount", "27,310", "27.310", True, False),
        ("amount", "1,277,520원", "1,277,5209", False, False),
        ("amount", "17,230", "17,23", False, False),
        ("amount", "17,230", "l7,230", False, False),
        ("amount", "17,230", "-17,230", False, False),
        ("amount", "5만원", "5원", False, False),
        ("amount", "$100", "₩100", False, False),
        ("amount", "100", "₩100", True, False),
        ("amount", "12.50", "12.5", True, False),
        ("amount", "1,234.50", "123,450", False, False),
        ("amount", "17,230", "", False, False),
        ("code", "K35.8", "K35.8", True, True),
        ("code", "K35.8", "Ｋ35. 8", True, False),
        ("code", "I20.0", "120.0", False, False),
        ("code", "K35.8", "k35.8", False, False),
        ("date", "2024년 8월 3일", "2024-08-03", True, False),
        ("date", "2024-08-23 ~ 2024-09-08", "2024.8.23 - 2024.9.8", True, False),
        ("date", "2022년 12월 12일", "2022년 12월 12임", True, False),
        ("date", "2024-08-03", "2024-08-08", False, False),
        ("date", "2024-08-03", "[ead", False, False),
        ("date", "20240803", "2024/08/03", True, False),
        ("date", "미상", "미상", True, True),
        ("text", "급성 충수염", "급성충수염", True, False),
        ("text", "급성 충수염", "급성\n충수염", True, True),
        ("text", "급성 충수염", "급성 층수염", False, False),
        ("text", "", "", True, True),
    ],
)
def test_what_differs(*, kind, reference, hypothesis, same_value, exact):
    result = compare_field(reference, hypothesis, kind=kind)

    assert (result.same_value, result.exact) == (same_value, exact)
    assert result.correct == same_value


def test_a_reference_that_is_no_date_leaves_the_value_open():
    result = compare_field("미상", "2024-08-03", kind="date")

    assert result.same_value is None
    assert not result.correct


def test_values_are_told_in_one_spelling():
    amount = compare_field("1,277,520원", "1277520", kind="amount")
    date = compare_field("24.8.3 ~ 8.5", "2024년 8월 3일", kind="date")

    assert (amount.reference_value, amount.hypothesis_value) == ("1277520 KRW", "1277520")
    assert (date.reference_value, date.hypothesis_value) == (None, "2024-08-03")


@pytest.mark.parametrize(
    ("reference", "hypothesis", "same_format"),
    [
        ("2024-08-03", "2024-08-08", True),
        ("2024-08-03", "2024.08.03", False),
        ("2024-08-03", "", None),
    ],
)
def test_format_is_the_way_of_writing(reference, hypothesis, same_format):
    assert compare_field(reference, hypothesis, kind="date").same_format is same_format


def test_distance_leaves_white_space_aside():
    result = compare_field("급성 충수염", "급성층수염", kind="text")

    assert (result.distance, result.ned) == (1, 0.2)
    assert compare_field("급성 충수염", "급성충수염", kind="text").ned == 0


def test_only_the_format_differs():
    assert compare_field("2024-08-03", "2024.08.03", kind="date").only_format_differs
    assert not compare_field("2024-08-03", "2024-08-03", kind="date").only_format_differs


def test_an_unknown_kind_is_refused_and_the_known_named():
    with pytest.raises(InputError, match="'amount', 'code', 'date', 'text'; found 'money'"):
        compare_field("1", "1", kind="money")


def test_a_missing_reference_is_refused():
    with pytest.raises(InputError, match="the reference is None"):
        compare_field(None, "1", kind="amount")


@given(AMOUNTS, AMOUNTS)
def test_amounts_are_the_same_if_their_numbers_are(a, b):
    result = compare_field(f"{a:,}원", str(b), kind="amount")

    assert result.correct == (a == b)


@given(DAYS, DAYS)
def test_dates_are_the_same_if_their_days_are(a, b):
    result = compare_field(f"{a.year}년 {a.month}월 {a.day}일", b.isoformat(), kind="date")

    assert result.correct == (a == b)


@given(
    st.text(max_size=20), st.text(max_size=20), st.sampled_from(["amount", "code", "date", "text"])
)
def test_any_two_texts_can_be_compared(a, b, kind):
    result = compare_field(a, b, kind=kind)

    assert 0 <= result.ned <= 1
    assert compare_field(a, a, kind=kind).correct
    assert not result.exact or result.correct
