import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.text.amounts import read_amount, same_amount


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,277,520원", "1277520 KRW"),
        ("금 1,000,000원정", "1000000 KRW"),
        ("１，０００", "1000"),
        ("1.277.520", "1277520"),
        ("1'000.50", "1000.5"),
        ("1,234.5", "1234.5"),
        ("0.125", "0.125"),
        ("12.00", "12"),
        ("17,230.", "17230"),
        ("|17,230|", "17230"),
        ("△3,000", "-3000"),
        ("- 3,000", "-3000"),
        ("–3,000", "-3000"),
        ("— 3,000", "-3000"),
        ("(3,000)", "-3000"),
        ("（₩3,000）", "-3000 KRW"),
        ("잔액 (3,000)", "잔액 3000"),
        ("(3,000", "3000"),
        ("잔액 -3,000원", "-잔액 3000 KRW"),
        ("3억 2,000만원", "3 억 2000 만 KRW"),
        ("US$ 12", "12 USD"),
        ("100円", "100 JPY"),
        ("0", "0"),
    ],
)
def test_amounts_have_one_spelling(text, value):
    assert str(read_amount(text)) == value


@pytest.mark.parametrize("text", ["", "없음", "원", "?"])
def test_without_a_digit_there_is_no_amount(text):
    assert read_amount(text) is None


def test_a_currency_that_is_not_written_fits_any():
    won, dollars, bare = (read_amount(text) for text in ("100원", "$100", "100"))

    assert same_amount(won, bare)
    assert same_amount(bare, dollars)
    assert not same_amount(won, dollars)


@given(st.text("-−–—△▲|. _a1", max_size=12))
def test_a_minus_is_any_such_sign_before_the_first_digit(text):
    plain = "".join(text.split())

    amount = read_amount(text)

    # The definition, as an expression that takes quadratic time.
    minus = re.search(r"^\D*[-−–—△▲]\W*(?=\d)", plain)
    assert (amount is not None and amount.number.startswith("-")) == bool(minus)
