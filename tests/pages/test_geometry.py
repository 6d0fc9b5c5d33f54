from hypothesis import given
from hypothesis import strategies as st

from ocrjury.pages.geometry import axis

NUMBERS = st.floats(-1e6, 1e6).filter(lambda number: abs(number) > 1e-6)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_every_value_has_a_place_on_the_chart(low, high, value):
    line = axis(low, high, start=10, stop=90)

    assert 10 <= line.at(value) <= 90


@given(NUMBERS, st.floats(1e-3, 1e6))
def test_ticks_are_few_and_inside(low, length):
    line = axis(low, low + length, start=0, stop=100)
    slack = 1e-6 * max(abs(low), length)

    assert 2 <= len(line.ticks) <= 7
    assert all(line.low - slack <= tick <= line.high + slack for tick in line.ticks)


def test_an_axis_without_length_still_has_a_place():
    assert axis(3, 3, start=0, stop=100).at(3) == 50
    assert axis(float("nan"), 1, start=0, stop=100).at(0.5) == 50
