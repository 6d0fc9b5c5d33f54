import numpy as np
import pandas as pd
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.simulation import RaterProfile, simulate_ratings, true_scores

LIKERT = Scale.likert(1, 5)
EXACT = RaterProfile(noise=0, halo=0)


@pytest.fixture(scope="module")
def truth():
    rng = np.random.default_rng(1)
    pool = pd.DataFrame({"doc_id": [f"d{i}" for i in range(400)], "ned": rng.uniform(0, 0.6, 400)})
    return true_scores(pool, dimensions=["meaning", "layout"], scale=LIKERT, seed=1)


def everyone(truth, raters=("R01", "R02")):
    return pd.DataFrame(
        [(i, r) for i in truth["doc_id"] for r in raters], columns=["item", "rater"]
    )


def rate(truth, assignments, *, seed=1, scale=LIKERT, **profiles):
    return simulate_ratings(truth, assignments, profiles=profiles, scale=scale, seed=seed)


def test_every_assignment_gets_every_dimension_together(truth):
    ratings = rate(truth, everyone(truth)[:3], default=RaterProfile())

    assert ratings.columns.tolist() == ["item", "rater", "dimension", "rating"]
    assert ratings["dimension"].tolist() == ["meaning", "layout"] * 3
    assert ratings["item"].tolist() == ["d0"] * 4 + ["d1"] * 2


def test_ratings_lie_on_the_scale(truth):
    ratings = rate(truth, everyone(truth), default=RaterProfile(noise=2, careless=0.3))

    for _, one in ratings.groupby("dimension"):
        assert RatingTable.from_long(one, scale=LIKERT).n_ratings == 800


def test_an_exact_rater_tells_the_truth(truth):
    ratings = rate(truth, everyone(truth, ["R01"]), default=EXACT)

    found = ratings[ratings["dimension"] == "layout"]["rating"]
    assert found.tolist() == truth["layout"].tolist()


def test_a_rating_does_not_depend_on_what_else_was_asked(truth):
    assignments = everyone(truth)
    profiles = {"default": RaterProfile(careless=0.2)}
    whole = rate(truth, assignments, **profiles).set_index(["item", "rater", "dimension"])

    part = rate(truth[::-1], assignments.sample(frac=0.3, random_state=1), **profiles)

    again = whole.loc[list(part[["item", "rater", "dimension"]].itertuples(index=False))]
    assert part["rating"].tolist() == again["rating"].tolist()


def test_another_seed_gives_other_moods(truth):
    first, second = (rate(truth, everyone(truth), seed=s, default=RaterProfile()) for s in (1, 2))

    assert not first["rating"].equals(second["rating"])


def test_a_strict_rater_rates_lower_by_the_severity(truth):
    continuous = Scale.interval(1, 5)
    middle = truth.assign(latent_meaning=3.0)

    ratings = rate(
        middle,
        everyone(truth),
        scale=continuous,
        R01=RaterProfile(severity=-0.4),
        R02=RaterProfile(),
    )

    of = ratings[ratings["dimension"] == "meaning"].groupby("rater")["rating"]
    assert of.mean()["R02"] - of.mean()["R01"] == pytest.approx(0.4, abs=0.1)
    assert of.std()["R02"] == pytest.approx(np.hypot(0.35, 0.2), abs=0.05)


def test_halo_is_an_error_on_all_dimensions_alike(truth):
    middle = truth.assign(latent_meaning=3.0, latent_layout=3.0)

    ratings = rate(
        middle,
        everyone(truth, ["R01"]),
        scale=Scale.interval(1, 5),
        default=RaterProfile(noise=0.1, halo=0.4),
    )

    wide = ratings.pivot_table(index="item", columns="dimension", values="rating")
    assert wide.corr().loc["meaning", "layout"] == pytest.approx(0.16 / 0.17, abs=0.03)


def test_a_careless_rater_answers_anything(truth):
    ratings = rate(truth, everyone(truth, ["R01"]), default=RaterProfile(careless=1.0))

    share = ratings["rating"].value_counts(normalize=True)
    assert share.sort_index().tolist() == pytest.approx([0.2] * 5, abs=0.05)


def test_points_are_a_quarter_of_any_scale():
    truth = pd.DataFrame({"doc_id": ["a"], "x": [50.0]})
    assignments = pd.DataFrame({"item": ["a"], "rater": ["R01"]})

    ratings = rate(
        truth,
        assignments,
        scale=Scale.interval(0, 100),
        default=RaterProfile(severity=-1, noise=0, halo=0),
    )

    assert ratings["rating"].tolist() == [25.0]


def test_binary_scales_are_answered_with_zero_and_one():
    truth = pd.DataFrame({"doc_id": range(50), "x": [0, 1] * 25})
    assignments = pd.DataFrame({"item": range(50), "rater": "R01"})

    exact = rate(truth, assignments, scale=Scale.binary(), default=EXACT)
    careless = rate(truth, assignments, scale=Scale.binary(), default=RaterProfile(careless=1))

    assert exact["rating"].tolist() == [0, 1] * 25
    assert set(careless["rating"]) == {0, 1}


def test_a_repeated_rating_is_another_answer(truth):
    once = everyone(truth, ["R01"])
    twice = pd.concat([once.assign(repeat=0), once.assign(repeat=1)])

    single = rate(truth, once, default=RaterProfile())
    double = rate(truth, twice, default=RaterProfile())

    first, again = (double[double["repeat"] == k]["rating"].tolist() for k in (0, 1))
    assert first == single["rating"].tolist()
    assert first != again


def test_no_assignments_give_no_ratings(truth):
    assert rate(truth, everyone(truth)[:0], default=EXACT).empty


def test_an_item_without_truth_is_named(truth):
    with pytest.raises(InputError, match="items without a simulated truth; the first is 'zz'"):
        rate(truth, pd.DataFrame({"item": ["zz"], "rater": ["R01"]}), default=EXACT)


def test_a_rater_without_a_profile_names_the_remedy(truth):
    with pytest.raises(InputError, match=r"the first is 'R02'.*a profile named"):
        rate(truth, everyone(truth), R01=EXACT)


def test_missing_columns_are_named(truth):
    with pytest.raises(InputError, match="assignments has no column 'rater'"):
        rate(truth, pd.DataFrame({"item": ["d0"]}), default=EXACT)
    with pytest.raises(InputError, match="truth has no column 'doc_id'"):
        rate(truth.drop(columns="doc_id"), everyone(truth), default=EXACT)
    with pytest.raises(InputError, match="truth holds no dimension"):
        rate(truth[["doc_id"]], everyone(truth), default=EXACT)
