import pytest

from ocrjury.bias.findings import BANDS
from ocrjury.bias.phrases import behaviour, measure


@pytest.mark.parametrize(
    ("unit", "above", "below"),
    [
        ("points", "rates higher than colleagues", "rates lower than colleagues"),
        ("points per point", "follows the previous rating", "moves away from the previous rating"),
        (
            "points per session",
            "rates higher as a session goes on",
            "rates lower as a session goes on",
        ),
        (
            "points of distance per session",
            "gets less careful as a session goes on",
            "is less careful at the start of a session",
        ),
    ],
)
def test_a_sign_has_its_words(unit, above, below):
    assert behaviour(unit, 0.4) == above
    assert behaviour(unit, -0.4) == below


@pytest.mark.parametrize(
    ("unit", "above", "below"),
    [
        ("ratio of slopes", "goes to the ends of the scale", "keeps to the middle of the scale"),
        ("ratio of standard deviations", "uses more of the scale", "uses only part of the scale"),
    ],
)
def test_a_ratio_is_held_against_one(unit, above, below):
    assert behaviour(unit, 1.4) == above
    assert behaviour(unit, 0.6) == below


@pytest.mark.parametrize("unit", BANDS)
def test_every_unit_has_words_and_a_size(unit):
    assert behaviour(unit, 2.0)
    assert unit in measure(unit, 2.0)


def test_a_negative_correlation_has_the_minus_of_all_printed_numbers():
    assert measure("residual correlation", -0.305) == "residual correlation −0.31"
