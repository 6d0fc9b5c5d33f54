"""RFC 6238, appendix B: the test vectors for SHA-1, of eight digits."""

from datetime import UTC, datetime, timedelta

import pytest

from ocrjury.store.database import reading, writing
from ocrjury.store.one_time_codes import DRIFT, STEP, new_key, one_time_code, step_of
from ocrjury.store.second_factors import find_key, remove_key, set_key, use_step

KEY = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # of the RFC: 12345678901234567890
VECTORS = {
    59: "94287082",
    1111111109: "07081804",
    1111111111: "14050471",
    1234567890: "89005924",
    2000000000: "69279037",
    20000000000: "65353130",
}


@pytest.mark.parametrize(("seconds", "code"), VECTORS.items())
def test_codes_are_those_of_the_rfc(seconds, code):
    assert one_time_code(KEY, seconds // STEP, digits=8) == code
    now = datetime.fromtimestamp(seconds, UTC)
    assert step_of(KEY, f"{code[2:5]} {code[5:]}", now=now) == seconds // STEP


def test_a_clock_may_be_wrong_by_a_step_and_no_more():
    now = datetime(2026, 11, 20, 9, tzinfo=UTC)
    code = one_time_code(KEY, int(now.timestamp()) // STEP)

    near = [step_of(KEY, code, now=now + timedelta(seconds=STEP * far)) for far in range(-2, 3)]

    assert [step is not None for step in near] == [abs(far) <= DRIFT for far in range(-2, 3)]


@pytest.mark.parametrize("code", ["", "12345", "1234567", "가나다라마바", "-12345"])
def test_what_is_no_code_is_wrong(code):
    assert step_of(KEY, code, now=datetime(2026, 11, 20, tzinfo=UTC)) is None


def test_a_key_counts_each_code_once_and_is_replaced(engine, now):
    with writing(engine) as connection:
        first = set_key(connection, "J. Kim", now=now)
        used = [use_step(connection, "J. Kim", step) for step in (7, 7, 6, 8)]
        second = set_key(connection, "J. Kim", now=now)
        removed = [remove_key(connection, "J. Kim") for _ in range(2)]
    with reading(engine) as connection:
        assert find_key(connection, "J. Kim") is None

    assert used == [True, False, False, True]
    assert removed == [True, False]
    assert first != second
    assert len(new_key()) == 32
