"""Where other implementations answer what the definition does not, and what the answer is.

Peers that are not installed here are quoted with what they answered: irrCAC 0.4.4 and nltk 3.10.4
(in an environment of their own), R's irr 0.84.1 by the formula in its source, written out below.
"""

import math
import warnings

import krippendorff
import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import (
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    icc,
    krippendorff_alpha,
)

pytestmark = pytest.mark.oracle

FIVE = Scale.likert(1, 5)
N = math.nan

# Krippendorff (2011), section C: 4 raters, 12 units.
FOUR_BY_TWELVE = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
        [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
    ]
).T
# Shrout and Fleiss (1979), table 2: six targets, four judges.
SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
)


def likert(team, top=5):
    return RatingTable.from_matrix(team, scale=Scale.likert(1, top))


# irrCAC


def test_ordinal_weights_of_irrcac_are_not_krippendorffs_ordinal_distance():
    # irrCAC: CAC(frame, weights="ordinal", categories=[1..5]).krippendorff() answers .83364; its
    # weights depend on the number of categories between two, not on how often they are used.
    ours = krippendorff_alpha(likert(FOUR_BY_TWELVE), level="ordinal").value

    assert ours == pytest.approx(0.815, abs=5e-4)  # as printed
    assert abs(ours - 0.83364) > 0.018


def test_irrcac_rounds_to_five_digits_unless_it_is_told():
    # irrCAC: quadratic weights, .84911 with its default digits=5.
    ours = krippendorff_alpha(likert(FOUR_BY_TWELVE), level="interval").value

    assert round(ours, 5) == 0.84911
    assert ours != 0.84911


def test_equal_ratings_break_irrcac_and_please_nltk():
    # Of irrCAC, alpha and Fleiss' kappa raise ZeroDivisionError, and Conger's is nan without a
    # reason; alpha of nltk's AnnotationTask is 1.
    table = likert(np.full((4, 2), 3))

    for coefficient in (krippendorff_alpha, fleiss_kappa, conger_kappa):
        assert math.isnan(coefficient(table).value)
        assert coefficient(table).reason == "no_variation"


def test_irrcac_takes_one_category_for_a_scale():
    # irrCAC: without categories= the scale is what occurs, so that gwet() and bp() of equal
    # ratings are 1 with p_e = 1 and p_e = 0. On a declared scale of one category both are 0/0.
    table = RatingTable.from_matrix([["a", "a"]] * 4, scale=Scale.nominal(["a"]))

    for coefficient in (gwet_ac, brennan_prediger):
        assert coefficient(table).reason == "fewer_than_two_categories"


# R's irr


def test_r_irr_divides_by_one_instead_of_m_less_one_where_nothing_is_missing():
    # kripp.alpha sets mc = 1 unless some value is NA; the values then count m - 1 times, and
    # n - 1 is too large. One unit without a rating, which adds nothing, gives the right answer.
    m = SHROUT_FLEISS.shape[1]
    ours = krippendorff_alpha(likert(SHROUT_FLEISS, 10), level="interval").value

    theirs = r_interval_alpha(SHROUT_FLEISS, mc=1)

    assert r_interval_alpha(SHROUT_FLEISS, mc=m - 1) == pytest.approx(ours)
    assert abs(theirs - ours) == pytest.approx(0.0247, abs=1e-4)


def r_interval_alpha(team, mc):
    """What kripp.alpha(method="interval") computes with a divisor mc."""
    levels = np.unique(team)
    coincidences = np.zeros((len(levels), len(levels)))
    for row in team:
        for a in range(len(row)):
            for b in range(len(row)):
                if a != b:
                    place = np.searchsorted(levels, [row[a], row[b]])
                    coincidences[place[0], place[1]] += 1 / mc
    distance = (levels[:, None] - levels[None, :]) ** 2
    n_c = coincidences.sum(axis=0)
    observed, expected = (coincidences * distance).sum(), n_c @ distance @ n_c
    return 1 - (n_c.sum() - 1) * observed / expected


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_r_irr_and_scikit_learn_weigh_by_place_among_the_values_seen(weights):
    # kappa2 makes factors of the values, so that 1, 2, 5 become 1, 2, 3.
    team = np.array([[1, 1], [1, 2], [5, 5], [5, 2], [2, 2], [1, 5], [2, 1], [5, 5]])
    as_factors = np.searchsorted([1, 2, 5], team) + 1
    ours = cohen_kappa(likert(team), weights=weights).value

    theirs = cohen_kappa(likert(as_factors, 3), weights=weights).value

    assert cohen_kappa_score(*team.T, weights=weights) == pytest.approx(theirs)
    expected = cohen_kappa_score(*team.T, weights=weights, labels=[1, 2, 3, 4, 5])
    assert ours == pytest.approx(expected)
    assert abs(ours - theirs) > 0.02


def test_items_that_nobody_rated_are_no_items():
    # R's irrCAC counts rows without a rating in n, which makes the errors of Conger and of
    # Brennan-Prediger too small; the one for Python leaves them out, as is done here.
    rated = FOUR_BY_TWELVE[:11]
    with_empty = np.vstack([rated, np.full((3, 4), N)])

    for coefficient in (conger_kappa, brennan_prediger):
        few, many = coefficient(likert(rated)), coefficient(likert(with_empty))
        assert (few.value, few.se) == pytest.approx((many.value, many.se))


# Installed peers: nan without a reason, or an exception that names no cause


def test_no_peer_says_why_equal_ratings_have_no_kappa():
    equal = np.full((4, 2), 3)
    counts = np.zeros((4, 5))
    counts[:, 2] = 2

    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peers = [
            float(cohen_kappa_score(*equal.T, labels=[1, 2, 3, 4, 5])),
            float(inter_rater.fleiss_kappa(counts)),
        ]

    assert all(math.isnan(peer) for peer in peers)
    assert cohen_kappa(likert(equal)).reason == fleiss_kappa(likert(equal)).reason == "no_variation"


def test_a_misspelt_option_is_a_riddle_elsewhere():
    with pytest.raises(TypeError, match="not callable"):
        krippendorff.alpha(FOUR_BY_TWELVE.T, level_of_measurement="ordnal")
    with pytest.raises(UnboundLocalError):
        inter_rater.fleiss_kappa(likert(SHROUT_FLEISS, 10).counts(), method="fleis")
    with pytest.raises(InputError, match=r"found 'ordnal'"):
        krippendorff_alpha(likert(FOUR_BY_TWELVE), level="ordnal")


def test_pingouin_rounds_its_intervals_to_two_digits():
    ends = pingouin_intervals(SHROUT_FLEISS).iloc[1]
    ours = icc(likert(SHROUT_FLEISS, 10))

    assert (ours.low, ours.high) == pytest.approx((0.01879, 0.76108), abs=1e-5)
    assert list(ends) == [round(ours.low, 2), round(ours.high, 2)]


def test_an_interval_of_pingouin_may_begin_above_its_end():
    # Spearman and Brown's step up of an end below -1 / (k - 1) changes its sign: the interval of
    # ICC(2,k) then begins at 5.05 and ends at .95. Reliability that low has no lower end.
    team = np.array([[2, 2], [2, 1], [1, 2], [1, 1]])

    low, high = pingouin_intervals(team).iloc[4]
    ours = icc(likert(team), form="ICC(2,k)")

    assert low > 1 > high
    assert ours.low == -math.inf
    assert ours.high == pytest.approx(high, abs=0.005)


def pingouin_intervals(team):
    """The intervals of the six correlations as pingouin gives them."""
    import pingouin

    item, rater = np.indices(team.shape)
    frame = pd.DataFrame({"item": item.ravel(), "rater": rater.ravel(), "rating": team.ravel()})
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return pingouin.intraclass_corr(frame, "item", "rater", "rating")["CI95"]
