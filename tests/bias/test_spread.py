from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from ocrjury import Scale
from ocrjury.bias import measure_bias
from ocrjury.bias.comparison import CentredRatings, shuffled_moments
from ocrjury.bias.deviations import fit_ratings
from ocrjury.bias.submissions import read_submissions


def comparison(matrix):
    rows = [
        (i, r, "q", value)
        for i, row in enumerate(matrix)
        for r, value in enumerate(row)
        if value is not None
    ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])
    submissions = read_submissions(frame, scale=Scale.likert(1, 5))
    return CentredRatings.of(fit_ratings(submissions, submissions.value[:, 0]))


def test_moments_of_two_raters_without_severities():
    # means are equal; the rating of item 3 has no colleague and does not count
    moments = comparison([[1, 2], [3, 3], [5, 4], [5, None]]).moments()

    assert moments.n[:, 0].tolist() == [3, 3]
    assert moments.own_variance[:, 0] == pytest.approx([8 / 3, 2 / 3])
    assert moments.colleague_variance[:, 0] == pytest.approx([2 / 3, 8 / 3])
    assert moments.covariance[:, 0] == pytest.approx([4 / 3, 4 / 3])
    assert moments.others_variance[:, 0] == pytest.approx([2 / 3, 8 / 3])


def test_severities_are_no_spread():
    moments = comparison([[1, 2], [3, 4], [4, 5]]).moments()

    assert moments.own_variance[:, 0] == pytest.approx(moments.others_variance[:, 0])


def test_others_count_one_by_one_and_colleagues_as_their_mean():
    # of the others' ratings 2, 4 and 4, 2: variance 1; their means 3 and 3: variance 0
    moments = comparison([[3, 2, 4], [3, 4, 2]]).moments()

    assert moments.others_variance[0, 0] == pytest.approx(1)
    assert moments.colleague_variance[0, 0] == pytest.approx(0)


def test_rearranged_ratings_give_the_moments_of_a_rearranged_table():
    rows = [[1, 2], [3, 3], [5, 4]]
    given = comparison(rows)
    tables = [
        comparison([row[::-1] if swap else row for row, swap in zip(rows, swaps, strict=True)])
        for swaps in product([False, True], repeat=3)
    ]
    expected = {tuple(table.moments().covariance[:, 0].round(9)) for table in tables}

    (drawn,) = shuffled_moments([given], rng=np.random.default_rng(1))

    found = {tuple(pair) for pair in drawn.covariance.T.round(9)}
    assert found == expected


def test_comparisons_of_the_same_ratings_share_their_shuffles():
    given = comparison([[1, 2, 5], [3, 3, 1], [5, 4, 4]])
    doubled = replace(
        given,
        y=2 * given.y,
        total=2 * given.total,
        cells=replace(given.cells, total=2 * given.cells.total),
    )

    once, twice = shuffled_moments([given, doubled], rng=np.random.default_rng(1))

    assert twice.y == pytest.approx(2 * once.y)
    assert twice.yy == pytest.approx(4 * once.yy)
    assert twice.colleague == pytest.approx(2 * once.colleague)
    assert np.ptp(once.yy, axis=1).min() > 0


def test_of_two_raters_no_slope_tells_a_careful_one_from_one_who_compresses(simulate):
    of_two, of_three = (
        [
            finding
            for finding in measure_bias(
                simulate(3, raters=raters, per_item=raters, scatter=1.5), scale=Scale.likert(1, 5)
            )
            if finding.kind == "central_tendency"
        ]
        for raters in (2, 3)
    )

    assert {finding.reason for finding in of_two} == {"fewer_than_three_raters"}
    assert {finding.status for finding in of_three} == {"tested"}


def test_a_rater_whose_items_were_drawn_together_is_not_judged(simulate):
    ratings = simulate(1, raters=4, per_item=4, dimensions=1, severity=-0.8, compressed=0.3)
    together = ratings["item"] < "d060"
    ratings["cluster"] = ratings["item"].where(~together, "p1")
    ratings = ratings[together | (ratings["rater"] != "R01")]

    findings = measure_bias(ratings, scale=Scale.likert(1, 5))

    kinds = {"severity", "central_tendency", "range_restriction"}
    found = [(row.rater, row.reason) for row in findings if row.kind in kinds and row.dimension]
    assert [reason for rater, reason in found if rater == "R01"] == ["fewer_than_two_draws"] * 3
    assert [reason for rater, reason in found if rater == "R02"] == [None] * 3


def test_no_kind_judges_a_rater_whose_items_were_all_drawn_together(simulate):
    ratings = simulate(1, raters=4, per_item=4)
    together = ratings["item"] < "d060"
    ratings["cluster"] = ratings["item"].where(~together, "p1")
    ratings = ratings[together | (ratings["rater"] != "R01")]

    findings = measure_bias(ratings, scale=Scale.likert(1, 5))

    kinds = ("halo", "anchoring", "order")
    alone = {row.kind: row.reason for row in findings if row.rater == "R01" and row.kind in kinds}
    assert alone == {
        "halo": "fewer_than_two_draws",
        "anchoring": "too_few_ratings",  # none follows one of another draw
        "order": "fewer_than_two_draws",
    }
    others = [row for row in findings if row.rater == "R02" and row.kind in kinds]
    assert {row.status for row in others} == {"tested"}
    assert all(row.low < row.effect < row.high for row in others)


def test_items_that_were_all_drawn_together_test_nothing(simulate):
    ratings = simulate(1, items=60, raters=4, per_item=4, severity=-0.8)

    findings = measure_bias(ratings.assign(cluster="p1"), scale=Scale.likert(1, 5))

    assert {finding.reason for finding in findings} == {"fewer_than_two_draws"}
