"""Our numbers against five other implementations on random teams, and where those are wrong."""

import math
import warnings
from itertools import combinations

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from ocrjury import RatingTable, Scale
from ocrjury.agreement import (
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    icc,
    krippendorff_alpha,
    pairwise_kappa,
)
from tests.strategies import wide_teams

pytestmark = pytest.mark.oracle

FIVE = Scale.likert(1, 5)
LEVELS = [1, 2, 3, 4, 5]
WEIGHTS = ("none", "linear", "quadratic")
OURS = {
    "fleiss": fleiss_kappa,
    "gwet": gwet_ac,
    "conger": conger_kappa,
    "bp": brennan_prediger,
}
some = settings(max_examples=25)


def likert(team, **options):
    return RatingTable.from_matrix(team, scale=FIVE, **options)


def long(team):
    item, rater = np.nonzero(~np.isnan(team))
    frame = pd.DataFrame({"item": item, "rater": rater, "rating": team[item, rater]})
    return RatingTable.from_long(frame, scale=FIVE)


# krippendorff


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@some
@given(team=wide_teams())
def test_alpha_equals_krippendorff_from_matrix_and_frame(level, team):
    ours = [krippendorff_alpha(table, level=level).value for table in (likert(team), long(team))]

    assert ours[1] == pytest.approx(ours[0], nan_ok=True, abs=1e-12)
    if not math.isnan(ours[0]):
        theirs = krippendorff.alpha(team.T, level_of_measurement=level, value_domain=LEVELS)
        assert ours[0] == pytest.approx(theirs, abs=1e-9)


def test_krippendorff_gives_no_reason_and_fails_where_nothing_is_wrong_with_the_data():
    equal = np.full((2, 4), 3.0)

    with pytest.raises(ValueError, match="more than one value in the domain"):
        krippendorff.alpha(equal)
    with np.errstate(all="ignore"):
        assert math.isnan(krippendorff.alpha(equal, value_domain=LEVELS))
    assert krippendorff_alpha(likert(equal.T)).reason == "no_variation"


def test_a_ratio_of_negative_values_is_one_in_krippendorff_and_refused_here():
    team = np.array([[-1.0, 1, 2], [1, -1, 2]])

    with np.errstate(all="ignore"):
        theirs = krippendorff.alpha(team, level_of_measurement="ratio")

    assert theirs == 1  # though the two raters disagree on the first two items
    with pytest.raises(ValueError, match="Use level="):
        krippendorff_alpha(
            RatingTable.from_matrix(team.T, scale=Scale.interval(-2, 2)), level="ratio"
        )


# scikit-learn


@pytest.mark.parametrize("weights", WEIGHTS)
@settings(max_examples=12)
@given(team=wide_teams())
def test_every_pair_equals_scikit_learn(weights, team):
    team = team[:, :12]  # of 50 raters all pairs would be 1,225
    found = pairwise_kappa(likert(team), weights=weights, min_items=1)
    ours = found.set_index(["rater_a", "rater_b"])["value"]

    for a, b in combinations(range(team.shape[1]), 2):
        both = ~np.isnan(team[:, [a, b]]).any(axis=1)
        if both.any() and not math.isnan(ours[a, b]):
            name = None if weights == "none" else weights
            theirs = cohen_kappa_score(team[both, a], team[both, b], labels=LEVELS, weights=name)
            assert ours[a, b] == pytest.approx(theirs, abs=1e-9)


def test_scikit_learn_forgets_levels_that_nobody_used_unless_it_is_told():
    team = np.array([[1, 1], [1, 2], [5, 5], [5, 2], [2, 2], [1, 5]])
    ours = cohen_kappa(likert(team), weights="linear").value

    guessed = cohen_kappa_score(*team.T, weights="linear")

    assert ours == pytest.approx(cohen_kappa_score(*team.T, weights="linear", labels=LEVELS))
    assert abs(ours - guessed) > 0.02  # to it, 2 and 5 are neighbours


# statsmodels


@pytest.mark.parametrize(("ours", "theirs"), [("none", None), ("linear", "linear")])
@some
@given(team=wide_teams(missing=False))
def test_cohen_and_its_error_equal_statsmodels(ours, theirs, team):
    first, second = team[:, :2].astype(int).T - 1
    confusion = np.bincount(5 * first + second, minlength=25).reshape(5, 5)
    kappa = cohen_kappa(likert(team[:, :2]), weights=ours)
    if math.isnan(kappa.se):
        return
    with np.errstate(all="ignore"):  # it divides by its error under chance, which may be 0
        peer = inter_rater.cohens_kappa(confusion.astype(float), wt=theirs)

    assert kappa.value == pytest.approx(peer.kappa, abs=1e-9)
    assert kappa.se**2 == pytest.approx(max(peer.var_kappa, 0), abs=1e-9)


@some
@given(team=wide_teams(missing=False))
def test_fleiss_equals_statsmodels_from_counts(team):
    table = likert(team)
    ours = fleiss_kappa(table).value
    if not math.isnan(ours):
        assert ours == pytest.approx(inter_rater.fleiss_kappa(table.counts()), abs=1e-9)


def test_statsmodels_is_certain_about_a_rater_with_one_answer():
    team = [[5, 1], [5, 2], [5, 5], [5, 4]]
    confusion = np.zeros((5, 5))
    confusion[4, [0, 1, 3, 4]] = 1

    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = inter_rater.cohens_kappa(confusion)

    assert peer.std_kappa == 0
    assert math.isnan(cohen_kappa(likert(team)).se)


def test_statsmodels_does_not_bear_unequal_numbers_of_raters():
    table = likert([[1, 1, 2], [2, 2, None], [5, 4, 5]])

    with pytest.raises(AssertionError):
        inter_rater.fleiss_kappa(table.counts())
    assert fleiss_kappa(table).defined


# pingouin


@settings(max_examples=15)
@given(team=wide_teams() | wide_teams(missing=False))
def test_six_correlations_and_their_intervals_equal_pingouin(team):
    import pingouin

    complete = team[~np.isnan(team).any(axis=1)]
    forms = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")
    ours = [icc(likert(team), form=form) for form in forms]
    if len(complete) < 3 or any(math.isnan(one.value + one.low) for one in ours):
        return
    item, rater = np.indices(complete.shape)
    frame = pd.DataFrame({"item": item.ravel(), "rater": rater.ravel(), "rating": complete.ravel()})
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        theirs = pingouin.intraclass_corr(frame, "item", "rater", "rating")

    for one, form, (value, ends) in zip(
        ours, forms, theirs[["ICC", "CI95"]].itertuples(index=False), strict=True
    ):
        assert one.value == pytest.approx(value, abs=1e-8), form
        # It gives intervals with two decimals, and some that begin above their end.
        if all(math.isfinite(end) and abs(end) < 50 for end in ends) and ends[0] <= ends[1]:
            assert (one.low, one.high) == pytest.approx(tuple(ends), abs=0.0051), form


def irrcac_answers(team, names):
    """Estimate and error by coefficient and weights, from irrCAC itself."""
    from irrCAC import raw

    answers = {}
    for weights in names:
        name = "identity" if weights == "none" else weights
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame = pd.DataFrame(team)
            peer = raw.CAC(frame, weights=name, categories=LEVELS, digits=12)
            for coefficient in OURS:
                found = getattr(peer, coefficient)()["est"]
                answers[coefficient, weights] = found["coefficient_value"], found["se"]
    return answers


@pytest.mark.parametrize(
    ("names", "n_most"),
    [(WEIGHTS, 50), (("ordinal", "radical", "ratio", "circular", "bipolar"), 6)],
)
@settings(max_examples=8)
@given(st.data())
def test_gwets_coefficients_equal_irrcac(names, n_most, data):
    seed, n_raters = data.draw(st.integers(0, 2**32)), data.draw(st.integers(2, n_most))
    n_items, missing = data.draw(st.integers(5, 40)), data.draw(st.floats(0, 0.5))
    rng = np.random.default_rng(seed)
    quality = rng.integers(1, 6, (n_items, 1))
    team = np.clip(quality + rng.integers(-1, 2, (n_items, n_raters)), 1, 5).astype(float)
    team[rng.random(team.shape) < missing] = np.nan
    team[:2, :2] = [[1, 1], [4, 5]]  # so that every coefficient is defined

    answers = irrcac_answers(team, names)

    for (coefficient, weights), (value, se) in answers.items():
        estimate = OURS[coefficient](likert(team), weights=weights)
        assert estimate.value == pytest.approx(value, abs=1e-9), (coefficient, weights)
        assert estimate.se == pytest.approx(se, abs=1e-9), (coefficient, weights)
