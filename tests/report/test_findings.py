import pytest

from ocrjury import Estimate
from ocrjury.bias.findings import BiasFinding
from ocrjury.report.findings import finding_words, rater_flags

NAMES = {"meaning": "Meaning"}


@pytest.mark.parametrize(
    ("finding", "words"),
    [
        (
            BiasFinding("severity", "R03", "meaning", 0.5, "points"),
            "rates higher than colleagues on Meaning (0.50 points)",
        ),
        (
            BiasFinding("halo", "R03", None, 0.61, "residual correlation"),
            "lets one dimension colour the others (residual correlation 0.61)",
        ),
        (
            BiasFinding("anchoring", "R03", "meaning", -0.4, "points per point"),
            "moves away from the previous rating on Meaning (0.40 points per point)",
        ),
        (
            BiasFinding("order", "R03", None, -0.3, "points per session"),
            "rates lower as a session goes on (0.30 points per session)",
        ),
        (
            BiasFinding("central_tendency", "R03", "meaning", 0.6, "ratio of slopes"),
            "keeps to the middle of the scale on Meaning (ratio of slopes 0.60)",
        ),
        (
            BiasFinding("range_restriction", "R03", None, 0.7, "ratio of standard deviations"),
            "uses only part of the scale (ratio of standard deviations 0.70)",
        ),
        (
            BiasFinding("range_restriction", "R03", None, 40.0, "identical answers in a row"),
            "gives the same answers to one item after the other (40 identical answers in a row)",
        ),
    ],
)
def test_a_finding_is_said_in_words_with_its_size(finding, words):
    assert finding_words(finding, NAMES) == words


def test_what_the_whole_panel_does_is_no_flag_of_each_but_its_opposite_is():
    def drift(rater, effect):
        unit = "points per session"
        return BiasFinding("order", rater, None, effect, unit, flagged=True)

    flags = rater_flags([drift(None, -0.4), drift("R01", -0.5), drift("R02", 0.6)], {}, names={})

    assert flags == {"R02": ("rates higher as a session goes on (0.60 points per session)",)}


def test_only_what_was_found_about_a_rater_is_a_flag():
    severe = BiasFinding("severity", "R03", "meaning", -0.43, "points", flagged=True)
    mild = BiasFinding("severity", "R01", "meaning", -0.1, "points")
    panel = BiasFinding("halo", None, None, 0.5, "residual correlation", flagged=True)
    gains = {
        "meaning": {
            "R03": Estimate(0.12, 0.05, 0.19),
            "R01": Estimate(0.12, -0.05, 0.29),
            "R02": Estimate(0.01, 0.005, 0.02),
        }
    }

    assert rater_flags([severe, mild, panel], gains, names=NAMES) == {
        "R03": (
            "rates lower than colleagues on Meaning (0.43 points)",
            "without this rater α on Meaning would be higher by 0.12 (0.05 to 0.19)",
        )
    }
