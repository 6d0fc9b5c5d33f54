"""Strange tables: every public function answers with a number, a reason or a sentence."""

import math

import numpy as np
import pandas as pd
import pytest

from ocrjury import Estimate, InputError, RatingTable, Scale, agreement
from ocrjury.agreement import (
    find_disagreements,
    find_problem_patterns,
    fleiss_kappa,
    gain_without_raters,
    human_agreement,
    human_agreement_chance,
    human_agreement_corrected,
    krippendorff_alpha,
    measure_agreement,
    pairwise_agreement,
    pairwise_kappa,
)
from tests.test_common import COEFFICIENTS, RESAMPLED

HUGE = 10**40
NAMES = Scale.nominal(["a", 1, ("t",)])


def likert(matrix, top=5, low=1, **options):
    return RatingTable.from_matrix(matrix, scale=Scale.likert(low, top), **options)


TABLES = {
    "no rows": likert([]),
    "rows without raters": likert([[], []]),
    "nothing rated": likert([[None, None]] * 3),
    "one cell": likert([[3]]),
    "one row": likert([[3, 4, 5]]),
    "one row of equals": likert([[3, 3]]),
    "equal ratings": likert([[3, 3]] * 20),
    "huge ids": likert(
        [[3, 4], [1, 2], [5, 5]],
        items=[HUGE, HUGE + 1, "x" * 9999],
        raters=[(1, 2), frozenset([3])],
    ),
    "below zero": likert([[-2, 1], [1, 2], [0, 0]], top=2, low=-2),
    "one rater constant": likert([[5, 1], [5, 2], [5, 3], [5, 4], [5, 5]]),
    "both constant": likert([[5, 1]] * 8),
    "opposite": likert([[5, 1], [1, 5]] * 4),
    "two islands": likert([[1, 2, None, None]] * 6 + [[None, None, 4, 5]] * 6),
    "a chain": likert([[1, 2, None], [None, 3, 3], [2, None, 1]]),
    "forty raters of three items": likert(np.random.default_rng(0).integers(1, 6, (3, 40))),
    "sixty levels": likert([[3, 60], [1, 2], [59, 60], [4, 4]], top=60),
    "nine hundred levels": likert([[3, 400], [1, 2], [900, 899], [5, 5]], top=900),
    "whole weight on one item": likert([[3, 4], [1, 2], [5, 5]], item_weight=[0, 0, 1]),
    "no weight": likert([[3, 4], [1, 2]], item_weight=[0, 0]),
    "weights far apart": likert([[3, 4], [1, 2], [5, 5]], item_weight=[1e-300, 1e300, 1]),
    "largest weights": likert([[3, 4], [1, 2], [5, 5]], item_weight=[1e308] * 3),
    "smallest weights": likert([[3, 4], [1, 2], [5, 5]], item_weight=[5e-324] * 3),
    "mixed names": RatingTable.from_matrix([["a", 1], [("t",), "a"], [None, 1]], scale=NAMES),
    "one name": RatingTable.from_matrix([["a", "a"]] * 4, scale=Scale.nominal(["a"])),
    "truth values": RatingTable.from_matrix([[True, False], [True, True]], scale=Scale.binary()),
    "a continuous scale": RatingTable.from_matrix(
        np.random.default_rng(0).uniform(0, 100, (12, 3)), scale=Scale.interval(0, 100)
    ),
    "a continuous scale that stands still": RatingTable.from_matrix(
        np.full((12, 3), 33.3), scale=Scale.interval(0, 100)
    ),
    "a continuous scale far from zero": RatingTable.from_matrix(
        1e9 + np.random.default_rng(0).uniform(0, 1, (10, 3)), scale=Scale.interval(0, 2e9)
    ),
}
every_table = pytest.mark.parametrize("name", TABLES)


def answers(table):
    """Yield every estimate that some public function gives; a sentence is an answer too."""
    for name, coefficient in COEFFICIENTS.items():
        for ci in (None, "jackknife", "bootstrap") if name in RESAMPLED else (None,):
            options = {} if name not in RESAMPLED else {"ci": ci, "resamples": 20}
            try:
                yield f"{name} {ci}", coefficient(table, **options)
            except InputError:
                continue


@every_table
def test_a_strange_table_gives_a_number_or_a_reason(name):
    for label, one in answers(TABLES[name]):
        assert isinstance(one, Estimate), label
        assert one.defined or one.reason, label
        assert one.defined or math.isnan(one.low), label
        assert not one.se < 0, label
        if "nominal bootstrap" not in label:  # a percentile interval need not hold its value
            assert not one.low > one.value + 1e-9, label
            assert not one.high < one.value - 1e-9, label


@pytest.mark.parametrize(
    "function",
    [
        measure_agreement,
        pairwise_kappa,
        find_disagreements,
        find_problem_patterns,
        gain_without_raters,
        agreement.mean_distribution,
        agreement.prevalence,
    ],
)
@every_table
def test_a_strange_table_has_lists_or_is_refused_in_a_sentence(name, function):
    try:
        found = function(TABLES[name])
    except InputError as refusal:
        found = str(refusal)

    assert found is not None
    assert not isinstance(found, str) or found.endswith(".")


def test_huge_ids_come_back_as_they_were_given():
    frame = pairwise_kappa(TABLES["huge ids"], min_items=1)

    assert frame[["rater_a", "rater_b"]].iloc[0].tolist() == [(1, 2), frozenset([3])]
    assert find_disagreements(TABLES["huge ids"], threshold=1)["item"].tolist() == [HUGE, HUGE + 1]


def test_absurd_weights_weigh_like_their_shares():
    plain = fleiss_kappa(likert([[3, 4], [1, 2], [5, 5]])).value

    assert fleiss_kappa(TABLES["largest weights"]).value == pytest.approx(plain)
    assert fleiss_kappa(TABLES["smallest weights"]).value == pytest.approx(plain)
    alone = likert([[3, 4], [1, 2], [5, 5]], item_weight=[0, 1, 0])
    assert fleiss_kappa(TABLES["weights far apart"]).value == fleiss_kappa(alone).value


@pytest.mark.parametrize("ends", [(0, 1e300), (0, 1e-300), (-1e200, 0)])
def test_a_scale_beyond_what_can_be_squared_is_refused(ends):
    low, high = ends
    table = RatingTable.from_matrix([[low, high], [high, low]], scale=Scale.interval(low, high))

    with pytest.raises(InputError, match=r"the scale is interval .* Measure in another unit\."):
        krippendorff_alpha(table)


# Likert scales with very many levels are compared by their values


@pytest.mark.parametrize("ci", [None, "jackknife", "bootstrap"])
@pytest.mark.parametrize(
    "function",
    [human_agreement, human_agreement_corrected, pairwise_agreement, krippendorff_alpha],
)
def test_nine_hundred_levels_are_a_continuous_scale(function, ci):
    matrix = np.random.default_rng(1).integers(1, 901, (40, 3))
    levels = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 900))
    continuous = RatingTable.from_matrix(matrix, scale=Scale.interval(1, 900))
    options = {"level": "ordinal"} if function is krippendorff_alpha else {}

    ours, theirs = (
        function(table, ci=ci, resamples=30, **options) for table in (levels, continuous)
    )

    assert ours.value == pytest.approx(theirs.value)
    assert ours.se == pytest.approx(theirs.se, nan_ok=True)
    assert human_agreement_chance(levels).value == pytest.approx(
        human_agreement_chance(continuous).value
    )


def test_kappa_is_refused_where_values_are_measured():
    table = RatingTable.from_matrix([[3, 40_000], [1, 2]], scale=Scale.likert(1, 100_000))

    with pytest.raises(InputError, match=r"at most 1,000; the scale has 100,000\. Declare Scale"):
        fleiss_kappa(table)
    assert human_agreement(table).defined
    assert krippendorff_alpha(table).defined


@pytest.mark.parametrize(
    "values",
    [
        [1, float("inf")],
        [1, "4"],
        [1, 2.5],
        [1, 4 + 1j],
        [1, [2]],
        [1, pd.Timestamp("2026-01-01")],
    ],
)
def test_what_is_no_rating_is_refused(values):
    with pytest.raises(InputError, match="1 rating"):
        likert([values])
