import json
import math

import pytest

from ocrjury.bias import BiasFinding
from ocrjury.bias.findings import BANDS, level_of, not_identifiable


def test_a_finding_survives_json():
    finding = BiasFinding("halo", "R01", None, 0.4, "residual correlation", p_value=0.01)

    text = json.dumps(finding.to_json(), allow_nan=False)

    assert BiasFinding.from_json(json.loads(text)).to_json() == finding.to_json()
    assert math.isnan(BiasFinding.from_json(json.loads(text)).low)


def test_what_was_not_tested_says_why():
    finding = not_identifiable("order", "no_order", unit="points per session", rater="R01")

    assert (finding.status, finding.reason) == ("not_identifiable", "no_order")
    assert math.isnan(finding.effect)
    assert finding.level is None
    assert not finding.flagged


@pytest.mark.parametrize("unit", BANDS)
def test_bands_are_open_at_the_top(unit):
    medium, high = BANDS[unit]

    assert level_of(unit, medium * 0.99) == "low"
    assert level_of(unit, -medium) == "medium"
    assert level_of(unit, high) == "high"


def test_an_effect_that_is_undefined_has_no_level():
    assert level_of("points", math.nan) is None
