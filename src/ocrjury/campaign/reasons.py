"""Length of the reason for a lead's decision, for command line, desk and run form alike."""

import re
import unicodedata
from typing import Final

from ocrjury.campaign.limits import LONGEST_REASON, SHORTEST_REASON
from ocrjury.errors import InputError
from ocrjury.normal_forms import normal_form

LEAST: Final = 5
"""Letters and digits that a reason needs at least, about a word in Latin letters."""
_DENSE: Final = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Syllables, kana and ideographs, two of which are a word."""
_LETTERS: Final = 3
"""Letters for which such a character counts."""


def check_reason(reason: str) -> str:
    """Reason without blanks around it.

    Raises
    ------
    InputError
        If it says too little, or is too long.

    Examples
    --------
    >>> [check_reason(reason) for reason in (" public holiday ", "휴가", "R03 请假", "病気")]
    ['public holiday', '휴가', 'R03 请假', '病気']
    >>> check_reason("a" * 2001)
    Traceback (most recent call last):
    ocrjury.errors.InputError: it may have at most 2,000 characters; found 2,001
    """
    reason = reason.strip()
    composed = normal_form("NFC", reason[: LONGEST_REASON + 1])
    letters = sum(unicodedata.category(character)[0] in "LMN" for character in composed)
    if letters + (_LETTERS - 1) * len(_DENSE.findall(composed)) < LEAST:
        raise InputError(
            f"it needs {LEAST} letters or more ({SHORTEST_REASON} in Korean, Chinese or Japanese); "
            f"found {reason!r}"
        )
    if len(reason) > LONGEST_REASON:
        raise InputError(
            f"it may have at most {LONGEST_REASON:,} characters; found {len(reason):,}"
        )
    return reason
