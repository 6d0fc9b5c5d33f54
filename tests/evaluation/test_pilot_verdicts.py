import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.campaign.accuracy import Rated
from ocrjury.campaign.rating_sections import Criterion
from ocrjury.evaluation.pilot_verdicts import judge_raters, verdict_of
from ocrjury.scales import Scale

LIKERT = Scale.likert(1, 5)
ITEMS = [f"d{n}" for n in range(12)]
GOLD = {"meaning": dict.fromkeys(ITEMS, 4.0)}


def rated(**levels):
    return [Rated(item, rater, level) for rater, level in levels.items() for item in ITEMS]


def judged(ratings, *, gold=GOLD, raters=("R1", "R2"), criterion=None, **options):
    return judge_raters(
        {"meaning": ratings},
        gold,
        raters=raters,
        criterion=criterion or Criterion(**options),
        scale=LIKERT,
    )


def test_who_is_near_gold_meets_the_criterion():
    one, two = judged(rated(R1=5, R2=2))

    assert (one.rater, one.outcome) == ("R1", "met")
    assert one.sentence == (
        "R1 met the criterion on meaning: 100% of 12 ratings within 1 of gold, 80% needed."
    )
    assert (two.rater, two.outcome) == ("R2", "missed")
    assert two.accuracy.mean_deviation.value == -2


def test_who_just_misses_the_criterion_does_not_seem_to_reach_it():
    items = [f"d{n}" for n in range(44)]
    near = [Rated(item, "R1", 4.0 if n < 35 else 1.0) for n, item in enumerate(items)]

    (one,) = judged(near, gold={"meaning": dict.fromkeys(items, 4.0)}, raters=["R1"])

    assert one.sentence == (
        "R1 missed the criterion on meaning: 79.5% of 44 ratings within 1 of gold, 80% needed."
    )


def test_too_few_ratings_say_nothing():
    few = rated(R1=4)[:9]

    (one,) = judged(few, raters=["R1"])

    assert one.outcome == "unknown"
    assert one.sentence == (
        "R1 gave 9 ratings on meaning that can be compared; the pilot needs 10."
    )


def test_who_was_asked_and_rated_nothing_has_not_met_it():
    scores = judged(rated(R1=4), raters=["R1", "R2"])

    assert [score.outcome for score in scores] == ["met", "unknown"]


def test_an_undefined_measure_is_said():
    (one,) = judged(rated(R1=4), raters=["R1"], measure="weighted_kappa")

    assert one.outcome == "unknown"
    assert (
        one.sentence == "For R1 on meaning the weighted kappa with the "
        "expected ratings is undefined (all ratings are equal)."
    )


def test_gold_and_the_other_raters_may_both_be_compared_with():
    half = {"meaning": dict.fromkeys(ITEMS[:6], 4.0)}

    one, _ = judged(rated(R1=4, R2=4), gold=half)

    assert (one.accuracy.n, one.accuracy.n_gold) == (12, 6)
    assert "within 1 of gold or, without it, the other raters" in one.sentence


@given(st.floats(0, 4), st.integers(1, 5))
def test_an_error_at_its_limit_meets_it(limit, level):
    one, _ = judged(rated(R1=level, R2=4), measure="mean_absolute_error", limit=limit)

    assert (one.outcome == "met") == (abs(level - 4) <= limit + 1e-9)


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        (["met", "met"], "PASS"),
        (["met", "missed", "unknown"], "FAIL"),
        (["met", "unknown"], "INCONCLUSIVE"),
        ([], "INCONCLUSIVE"),
    ],
)
def test_a_pilot_passes_if_everybody_met_the_criterion(outcomes, verdict):
    levels = {"met": 4, "missed": 1}
    scores = []
    for place, outcome in enumerate(outcomes):
        ratings = rated(**{f"R{place}": levels[outcome]}) if outcome in levels else []
        scores += judged(ratings, raters=[f"R{place}"])

    assert verdict_of(scores) == verdict


def test_scores_are_plain_values():
    body = judged(rated(R1=4))[0].to_json()

    assert (body["rater"], body["dimension"], body["outcome"], body["accuracy"]["n"]) == (
        "R1",
        "meaning",
        "met",
        12,
    )
    assert body["accuracy"]["share_within"]["value"] == 1.0
