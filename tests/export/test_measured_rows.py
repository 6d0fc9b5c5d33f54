import pytest

from ocrjury.bias.findings import BANDS
from ocrjury.bias.phrases import measure
from ocrjury.export.measured_rows import STRETCHED


@pytest.mark.parametrize("unit", BANDS)
def test_an_export_and_a_report_measure_the_same_biases_in_shares_of_a_stretched_scale(unit):
    in_shares = "% of the scale" in measure(unit, 0.5, stretched=True)

    assert (unit in STRETCHED) is in_shares
    assert ("hundredths of the scale" in STRETCHED.get(unit, "")) is in_shares
