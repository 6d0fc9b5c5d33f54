"""Names of items and raters that look like one name in two ways, or like no item or rater.

A file that was put together from several may name one item ``A7`` here and ``a7`` there, or 7, 07
and 7.0, where a spreadsheet took an id for a number. Nobody but its owner knows whether these are
one; as they stand, they are two.
"""

import re
from collections.abc import Iterable
from typing import Final

from ocrjury.normal_forms import normal_form

_SUMMARIES: Final = frozenset(
    (
        *("total", "totals", "sum", "average", "avg", "mean", "median", "summe", "mittelwert"),
        *("합계", "총계", "평균", "중앙값", "合计", "总计", "平均", "平均值", "平均分", "中位数"),
    )
)
_UNSEEN = re.compile("[\\s\u00ad\u200b-\u200f\u2060\ufeff]+")
_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)|(?<=\d)\.0+$")


def alike_names(names: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of different names that differ only in capitals, spaces, width or zeros.

    Examples
    --------
    >>> alike_names(["A7", "b1", "a7", "7", "07", "7.0", "doc 1", "doc1", "1.5"])
    [('A7', 'a7'), ('7', '07'), ('7', '7.0'), ('doc 1', 'doc1')]
    """
    first: dict[str, str] = {}
    pairs = []
    for name in dict.fromkeys(names):
        other = first.setdefault(_plainest(name), name)
        if other != name:
            pairs.append((other, name))
    return pairs


def summary_names(names: Iterable[str]) -> list[str]:
    """Names that spreadsheets give to rows and columns of totals and means, not to what was rated.

    Examples
    --------
    >>> summary_names(["doc 1", "Total", "평균", "total amount"])
    ['Total', '평균']
    """
    return [name for name in dict.fromkeys(names) if _plainest(name) in _SUMMARIES]


def _plainest(name: str) -> str:
    """Name without what the eye passes over."""
    plain = name if name.isascii() else normal_form("NFKC", name)
    return _ZEROS.sub("", _UNSEEN.sub("", plain).casefold())
