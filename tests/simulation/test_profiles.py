import pytest

from ocrjury import InputError
from ocrjury.simulation import RaterProfile


def test_an_ordinary_rater_is_a_little_noisy():
    assert RaterProfile() == RaterProfile(severity=0.0, noise=0.35, halo=0.2, careless=0.0)


@pytest.mark.parametrize(
    "bad", [{"noise": -0.1}, {"halo": -1}, {"careless": 1.2}, {"severity": float("nan")}]
)
def test_what_no_rater_can_be_is_refused(bad):
    with pytest.raises(InputError, match="noise and halo of at least 0 and careless between 0"):
        RaterProfile(**bad)
