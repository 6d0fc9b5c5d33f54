"""Amounts of money as OCR and people write them, read as numbers."""

import re
from itertools import takewhile
from typing import NamedTuple

from ocrjury.normal_forms import normal_form

_CURRENCIES = {
    "KRW": re.compile(r"원정?|₩|krw|won"),
    "USD": re.compile(r"us\$|\$|usd|달러|dollars?"),
    "EUR": re.compile(r"€|eur|유로"),
    "JPY": re.compile(r"jpy|엔|円"),
    "CNY": re.compile(r"cny|rmb|위안|元|圆"),
}
_LEADING_WORD = re.compile(r"^일?금")  # "the sum of", as written on Korean bills
# OCR and word processors write any of these dashes for a minus.
_MINUS = frozenset("-−‐‒–—△▲")
_TOKEN = re.compile(r"\d[\d.,']*|[^\W\d_]+")
_SEPARATOR = re.compile(r"[.,']")


class Amount(NamedTuple):
    """Canonical number and letters of an amount, and its currency if one is written."""

    number: str
    currency: str | None

    def __str__(self) -> str:
        """Number and currency, separated by a space."""
        return self.number if self.currency is None else f"{self.number} {self.currency}"


def read_amount(text: str) -> Amount | None:
    """Amount written in a text, None without a digit.

    Letters are kept: a letter in an amount is a misread digit or a unit such as 만.

    >>> str(read_amount("₩1,277,520")), str(read_amount("12.50")), str(read_amount("5만원"))
    ('1277520 KRW', '12.5', '5 만 KRW')
    """
    plain = "".join(normal_form("NFKC", text).casefold().split())
    currency = None
    for code, spelling in _CURRENCIES.items():
        plain, n_removed = spelling.subn("", plain)
        currency = code if n_removed else currency
    plain = _LEADING_WORD.sub("", plain)
    if not any(map(str.isdecimal, plain)):
        return None
    return Amount(_sign(plain) + " ".join(map(_number, _TOKEN.findall(plain))), currency)


def same_amount(reference: Amount, hypothesis: Amount) -> bool:
    """Return whether two amounts are equal; a currency given in only one of them fits the other."""
    return reference.number == hypothesis.number and (
        None in (reference.currency, hypothesis.currency)
        or reference.currency == hypothesis.currency
    )


def _sign(plain: str) -> str:
    """Minus if it stands before the first digit, with no letter between, behind a label or not.

    An amount all in parentheses is below zero too, as accountants write it.
    """
    if plain.startswith("(") and plain.endswith(")"):
        return "-"
    end = next(place for place, character in enumerate(plain) if character.isdecimal())
    before = takewhile(lambda character: not _is_word(character), reversed(plain[:end]))
    return "-" if any(character in _MINUS for character in before) else ""


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _number(token: str) -> str:
    """Number without thousands separators and redundant zeros; other tokens unchanged."""
    if not token[0].isdecimal():
        return token
    separators = _SEPARATOR.findall(token.rstrip(".,'"))
    groups = _SEPARATOR.split(token.rstrip(".,'"))
    decimals = groups.pop().rstrip("0") if _has_decimals(groups, separators) else ""
    whole = "".join(groups).lstrip("0") or "0"
    return f"{whole}.{decimals}" if decimals else whole


def _has_decimals(groups: list[str], separators: list[str]) -> bool:
    """Return whether the last group holds decimals, by a separator other than the thousands'."""
    if not separators or separators[-1] == "'" or separators[-1] in separators[:-1]:
        return False
    return len(groups[-1]) != 3 or (len(separators) > 1) or not groups[0].strip("0")
