from unicodedata import normalize

import pytest

from ocrjury.campaign.limits import LONGEST_REASON
from ocrjury.campaign.reasons import check_reason
from ocrjury.errors import InputError


@pytest.mark.parametrize(
    "reason",
    [
        "error",
        "휴가",
        normalize("NFD", "휴가"),
        "오류임",
        "请假",
        "病気",
        "R3 휴",
        "a" * LONGEST_REASON,
    ],
)
def test_a_word_of_any_script_is_a_reason(reason):
    assert check_reason(f" {reason}\n") == reason


@pytest.mark.parametrize(
    "reason", ["", " \n ", "ok", "so", ".....", "- ok -", "네", normalize("NFD", "네"), "好"]
)
def test_less_than_a_word_is_none(reason):
    with pytest.raises(InputError, match="it needs 5 letters or more") as caught:
        check_reason(reason)

    assert str(caught.value).endswith(f"found {reason.strip()!r}")


def test_a_reason_has_an_end():
    with pytest.raises(InputError, match=r"it may have at most 2,000 characters; found 2,001"):
        check_reason("a" * (LONGEST_REASON + 1))
