import math

import pytest

from ocrjury.bias.findings import BANDS, KINDS, BiasFinding
from ocrjury.bias.phrases import KIND_NAMES
from ocrjury.pages.bias_rows import EFFECTS, bias_rows, p_text

NAN = math.nan


def finding(rater, effect, p, *, kind="severity", dimension="meaning", unit="points", **more):
    return BiasFinding(
        kind, rater, dimension, effect, unit, p_adjusted=p, flagged=p <= 0.05, level="low", **more
    )


def untold(rater, reason, *, kind="severity", dimension="meaning", unit="points"):
    return BiasFinding(kind, rater, dimension, NAN, unit, status="not_identifiable", reason=reason)


def test_every_kind_and_every_unit_has_its_words():
    assert set(KIND_NAMES) == set(KINDS)
    assert set(EFFECTS) == set(BANDS)


def test_the_strongest_of_a_kind_is_the_one_least_likely_to_be_chance():
    (row,) = bias_rows(
        [
            finding("R01", 0.9, 0.2),
            finding("R02", -0.3, 0.01, low=-0.5, high=-0.1),
            finding("R03", 0.2, 0.01),
        ]
    )

    assert (row.name, row.dimension, row.tested, row.flagged) == ("Severity", "meaning", 3, 2)
    assert (row.effect, row.interval, row.p_value) == ("R02 −0.30", "−0.50 to −0.10", "0.010")
    assert row.outcome == "found on 2 of 3 raters: R02 rates lower than colleagues"


def test_kinds_dimensions_units_and_panels_stand_apart():
    rows = bias_rows(
        [
            finding("R01", 0.1, 0.5),
            finding("R01", 0.1, 0.5, dimension="layout"),
            finding(None, 0.3, 0.001, kind="halo", dimension=None, unit="residual correlation"),
            finding("R01", 0.3, 0.3, kind="halo", dimension=None, unit="residual correlation"),
            finding(
                *("R01", 30.0, 0.4), kind="range_restriction", unit="identical answers in a row"
            ),
            finding("R01", 0.8, 0.4, kind="range_restriction", unit="ratio of standard deviations"),
        ]
    )

    assert [(row.name, row.together, row.effect) for row in rows] == [
        ("Severity", False, "R01 +0.10"),
        ("Severity", False, "R01 +0.10"),
        ("Halo", True, "+0.30"),
        ("Halo", False, "R01 +0.30"),
        ("Straight-lining", False, "R01 30"),
        ("Range restriction", False, "R01 0.80"),
    ]
    assert rows[2].outcome == ("found: the average rater lets one dimension colour the others")
    assert rows[3].outcome == "not found (1 rater)"


def test_what_cannot_be_told_says_why():
    (nothing,) = bias_rows([untold(None, "no_order", kind="order", unit="points per session")])
    (part,) = bias_rows(
        [
            finding("R01", 0.1, 0.5),
            untold("R02", "too_few_common_items"),
            untold("R03", "too_few_common_items"),
            untold("R04", "not_connected"),
        ]
    )

    assert nothing.outcome == "cannot be told: the order of the ratings is not known"
    assert (nothing.effect, nothing.interval, nothing.p_value, nothing.level) == ("—",) * 4
    assert part.outcome == (
        "not found (1 rater); cannot be told on 3: too few items in common; raters fall into "
        "groups that have no item in common"
    )


@pytest.mark.parametrize(
    "reason",
    [
        *("no_items", "fewer_than_two_raters", "fewer_than_two_dimensions", "no_pairable_items"),
        "fewer_than_three_raters",
        *("too_few_items", "too_few_common_items", "too_few_ratings", "not_connected"),
        *("no_order", "same_order", "no_variation", "no_disagreement", "no_agreement"),
        "scale_mismatch",
    ],
)
def test_every_reason_is_said_in_words(reason):
    (row,) = bias_rows([untold(None, reason)])

    said = row.outcome.removeprefix("cannot be told: ")
    assert said
    assert "_" not in said
    assert (
        said != reason.replace("_", " ")
        or reason in {"too_few_items", "too_few_ratings"}
        or reason in {"fewer_than_two_raters", "fewer_than_three_raters"}
    )


def test_a_tiny_p_is_no_zero():
    assert [p_text(p) for p in (0.0, 0.0009, 0.001, 0.05, 1.0)] == [
        *("< 0.001", "< 0.001", "0.001", "0.050", "1.000")
    ]
