import math

import pytest

from ocrjury.agreement.bands import BANDS
from ocrjury.pages.bands import band


@pytest.mark.parametrize("statistic", BANDS)
def test_levels_never_rise_as_the_value_falls(statistic):
    levels = [band(statistic, value / 100).level for value in range(100, -101, -1)]

    assert levels == sorted(levels, reverse=True)
    assert levels[0] >= 3
    assert levels[-1] == 0


def test_undefined_values_and_unknown_statistics_have_no_band():
    assert band("krippendorff_alpha", math.nan) is None
    assert band("modal_share", 0.5) is None
