import math
import subprocess
import sys

import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import BANDS, icc, interpret


@pytest.mark.parametrize(
    ("name", "value", "word"),
    [
        # Landis and Koch (1977), table on page 165.
        ("fleiss_kappa", 0.85, "almost perfect"),
        ("cohen_kappa", 0.81, "almost perfect"),
        ("cohen_kappa", 0.80, "substantial"),
        ("cohen_kappa", 0.41, "moderate"),
        ("cohen_kappa", 0.40, "fair"),
        ("gwet_ac", 0.20, "slight"),
        ("cohen_kappa", 0.0, "slight"),
        ("cohen_kappa", -0.1, "poor"),
        # Krippendorff (2004), page 241.
        ("krippendorff_alpha", 0.8, "reliable"),
        ("krippendorff_alpha", 0.7999, "tentative"),
        ("krippendorff_alpha", 0.667, "tentative"),
        ("krippendorff_alpha", 0.666, "unreliable"),
        # The human agreement specification.
        ("human_agreement", 0.9, "excellent"),
        ("human_agreement", 0.812, "good"),
        ("exact_agreement", 0.75, "good"),
        ("human_agreement", 0.6, "moderate"),
        ("human_agreement", 0.5, "fair"),
        ("human_agreement", 0.49, "poor"),
        # Koo and Li (2016), page 161.
        ("icc", 0.91, "excellent"),
        ("icc", 0.89, "good"),
        ("icc", 0.5, "moderate"),
        ("icc", 0.49, "poor"),
        ("icc", math.nan, "undefined"),
    ],
)
def test_bands_put_words_on_values(name, value, word):
    assert interpret(name, value) == word


@pytest.mark.parametrize(
    ("value", "word"), [(0.2051, "fair"), (0.204, "slight"), (0.806, "almost perfect")]
)
def test_values_between_two_bands_of_two_digits_are_rounded(value, word):
    assert interpret("mean_pairwise_kappa", value) == word


@pytest.mark.parametrize("name", BANDS)
def test_every_value_has_a_word(name):
    lowest = [bound for bound, _ in BANDS[name]]

    assert lowest == sorted(lowest, reverse=True)
    assert lowest[-1] == -math.inf


def test_a_coefficient_without_bands_is_named():
    with pytest.raises(InputError, match="no bands for 'modal_share'"):
        interpret("modal_share", 0.5)


def test_pages_can_read_the_bands_without_loading_anything_heavy():
    code = (
        "import sys, ocrjury.agreement.bands; "
        "print(*[name for name in ('numpy', 'pandas', 'scipy') if name in sys.modules])"
    )

    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert out.stdout.strip() == ""


def test_an_estimate_above_one_is_not_called_excellent():
    opposed = RatingTable.from_matrix([[1, 5], [2, 4], [5, 1], [4, 2]], scale=Scale.likert(1, 5))
    value = icc(opposed, form="ICC(2,k)").value

    assert value == pytest.approx(4)
    assert interpret("icc", value) == "undefined"
    assert interpret("icc", 1 + 1e-12) == "excellent"
