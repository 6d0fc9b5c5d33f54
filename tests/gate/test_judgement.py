import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ocrjury import Estimate, InputError, RatingTable, Scale
from ocrjury.agreement import krippendorff_alpha, measure_agreement
from ocrjury.estimate import UNDEFINED, Reason
from ocrjury.gate import Condition, GatePolicy, Verdict, judge
from ocrjury.gate.conditions import _bounds

DEFAULT, STRICT, KAPPA, GDPVAL = map(GatePolicy.preset, ("default", "strict", "kappa", "gdpval"))
Z = 1.6448536
NOTHING = Estimate(math.nan, n_items=3, n_raters=2, reason="no_variation")


def alpha(value, se=0.02, n_items=100, **others):
    estimate = Estimate(value, se=se, n_items=n_items, n_raters=3, n_ratings=3 * n_items)
    return {"krippendorff_alpha": estimate} | others


def of(value, **options):
    return Estimate(value, **({"se": 0.02, "n_items": 100, "n_raters": 3} | options))


def lower_bound(value, se):
    """Where value is z errors away, and the error grows with the root of the disagreement."""
    low, high = -5.0, value
    for _ in range(60):
        middle = (low + high) / 2
        error = se * math.sqrt((1 - middle) / (1 - value))
        low, high = (middle, high) if value - middle > Z * error else (low, middle)
    return low


def decide(estimates, policy=DEFAULT):
    return judge({"meaning": estimates}, policy)


@pytest.mark.parametrize(
    ("value", "se", "outcome"),
    [
        (0.85, 0.02, ("PASS", "reliable")),
        (0.75, 0.02, ("PASS", "tentative")),
        (0.80, 0.062, ("PASS", "reliable")),  # bound .6689
        (0.80, 0.064, ("INCONCLUSIVE", None)),  # bound .6639
        (0.68, 0.02, ("INCONCLUSIVE", None)),
        (0.65, 0.05, ("FAIL", None)),  # by point
        (0.30, 0.05, ("FAIL", None)),  # by the upper bound
    ],
)
def test_the_default_policy_decides_by_the_lower_bound_of_alpha(value, se, outcome):
    verdict = decide(alpha(value, se))

    assert (verdict.decision, verdict.grade) == outcome


def test_the_strict_policy_asks_for_more():
    assert decide(alpha(0.82, 0.02), STRICT).decision == "INCONCLUSIVE"
    assert decide(alpha(0.84, 0.02), STRICT).decision == "PASS"
    assert decide(alpha(0.79, 0.02), STRICT).decision == "FAIL"


def test_a_negative_coefficient_has_the_minus_of_all_printed_numbers():
    [reason, *_] = decide(alpha(-0.2)).reasons

    assert "is −0.200 and" in reason
    assert "-" not in reason.replace("one-sided", "")


@pytest.mark.parametrize(
    ("value", "se", "decision"),
    [
        (0.95, 0.01, "INCONCLUSIVE"),  # no PASS
        (0.60, 0.08, "INCONCLUSIVE"),  # no FAIL by point
        (0.30, 0.05, "FAIL"),  # but by the upper bound
    ],
)
def test_under_fifty_items_only_a_clear_fail_is_decided(value, se, decision):
    verdict = decide(alpha(value, se, n_items=49))

    assert verdict.decision == decision
    assert verdict.needed_items == (1 if decision == "INCONCLUSIVE" else None)


def test_fifty_items_are_enough():
    assert decide(alpha(0.95, 0.01, n_items=50)).decision == "PASS"


def share_that_passes(value, se, n, *, more, runs=4000):
    """How often raters whose agreement is the value pass on more items.

    The standard error found is as uncertain as the root of a count of disagreements.
    """
    rng = np.random.default_rng(3)
    total = n + more
    true_se = se * np.exp(se / (1 - value) / 2 * rng.normal(size=runs))
    luck = true_se * math.sqrt(n * more) / total * rng.normal(size=runs)
    values = np.minimum(value + luck, 0.9999)
    errors = true_se * np.sqrt(n / total * (1 - values) / (1 - value))
    return np.mean([lower_bound(*pair) >= 0.667 for pair in zip(values, errors, strict=True)])


@pytest.mark.parametrize(
    ("value", "se", "n"), [(0.75, 0.06, 80), (0.8, 0.09, 50), (0.72, 0.03, 200)]
)
def test_on_the_needed_items_raters_pass_with_the_chance(value, se, n):
    verdict = decide(alpha(value, se, n_items=n))

    assert verdict.decision == "INCONCLUSIVE"
    assert share_that_passes(value, se, n, more=verdict.needed_items) == pytest.approx(
        0.8, abs=0.02
    )
    assert verdict.reasons[0].endswith(
        f" With about {verdict.needed_items} more items with two ratings, raters who agree as "
        "found pass in about 80% of cases, fewer if few items divide them."
    )


@pytest.mark.parametrize(
    ("value", "se", "n"),
    [(0.75, 0.06, 80), (0.8, 0.09, 50), (0.72, 0.03, 200), (0.85, 0.105, 50), (0.7, 0.021, 300)],
)
def test_half_of_the_needed_items_bring_about_an_even_chance(value, se, n):
    needed = decide(alpha(value, se, n_items=n)).needed_items

    assert share_that_passes(value, se, n, more=math.ceil(needed / 2)) > 0.48


def test_a_higher_chance_needs_more_items():
    needs = [
        decide(alpha(0.75, 0.06), replace(DEFAULT, chance=chance)).needed_items
        for chance in (0.5, 0.8, 0.9)
    ]

    assert needs == sorted(set(needs))
    assert lower_bound(0.75, 0.06 * math.sqrt(100 / (100 + needs[0]))) == pytest.approx(
        0.667, abs=5e-4
    )  # at one half it is the number that brings the value's own bound to the floor


@pytest.mark.parametrize("chance", [0.49, 1.0])
def test_a_chance_below_one_half_or_certain_is_refused(chance):
    with pytest.raises(InputError, match="the chance of a PASS to aim at must lie in"):
        GatePolicy(chance=chance)


@pytest.mark.parametrize(
    ("modal", "n_items", "decision"),
    [
        (0.35, 50, "PASS"),
        (0.90, 50, "PASS"),  # chance would give 18 %
        (0.95, 50, "INCONCLUSIVE"),  # 9.5 %
        (0.95, 200, "PASS"),
        (None, 50, "PASS"),
    ],
)
def test_perfect_agreement_on_a_few_rare_ratings_proves_little(modal, n_items, decision):
    # 50 items without a disagreement leave a share of 5.8 % possible.
    share = {} if modal is None else {"modal_share": Estimate(modal)}

    verdict = decide(alpha(1.0, 0.0, n_items=n_items, **share))

    assert verdict.decision == decision
    if decision == "INCONCLUSIVE":
        total = n_items + verdict.needed_items
        assert decide(alpha(1.0, 0.0, n_items=total, **share)).decision == "PASS"


def test_perfect_agreement_on_pages_counts_pages_and_not_their_outputs():
    share = {"modal_share": Estimate(0.95)}

    def clustered(pages):
        estimates = alpha(1.0, 0.0, n_items=2 * pages, **share)
        one = replace(estimates["krippendorff_alpha"], n_clusters=pages)
        return decide({**estimates, "krippendorff_alpha": one})

    of_pages, of_items = clustered(60), decide(alpha(1.0, 0.0, n_items=60, **share))

    assert decide(alpha(1.0, 0.0, n_items=120, **share)).decision == "PASS"
    assert of_pages.decision == of_items.decision == "INCONCLUSIVE"
    assert of_pages.needed_items == pytest.approx(2 * of_items.needed_items, abs=1)
    assert clustered(60 + math.ceil(of_pages.needed_items / 2)).decision == "PASS"


def on_pages(pages, *, value=0.80, se=0.05, n_items=60):
    """Verdict on items that were drawn page by page."""
    (estimate,) = alpha(value, se, n_items=n_items).values()
    return decide({"krippendorff_alpha": replace(estimate, n_clusters=pages)})


def test_few_pages_leave_the_error_in_doubt_and_widen_the_bound():
    few, many = on_pages(3), on_pages(1000)

    assert (few.decision, many.decision) == ("INCONCLUSIVE", "PASS")
    assert few.by_dimension["meaning"].lower < 0.6
    assert many.by_dimension["meaning"].lower == pytest.approx(lower_bound(0.80, 0.05), abs=1e-3)


def test_items_that_are_needed_bring_pages_with_them():
    # The error falls with the root of the items, as the pages grow with them.
    needed = on_pages(4, se=0.07).needed_items
    grown = 1 + needed / 60

    of_pages = on_pages(round(4 * grown), se=0.07 / math.sqrt(grown), n_items=60 + needed)

    assert needed > 1.3 * decide(alpha(0.80, 0.07, n_items=60)).needed_items
    assert of_pages.decision == "PASS"


def test_raters_at_the_floor_seldom_pass_on_a_few_pages():
    rng, page, passed = np.random.default_rng(5), np.repeat(np.arange(2), 25), 0
    for _ in range(200):
        truth = rng.normal(size=(50, 1))
        ratings = truth + math.sqrt(1 / 0.667 - 1) * rng.normal(size=(50, 2))
        table = RatingTable.from_matrix(ratings, scale=Scale.interval(-9, 9))
        estimate = krippendorff_alpha(replace(table, cluster=page))
        passed += decide({"krippendorff_alpha": estimate}).decision == "PASS"

    assert passed <= 16  # 5 % of 200, and two standard errors


def test_the_bounds_of_a_small_disagreement_are_wide_downwards():
    (reason, *_) = decide(alpha(0.99, 0.01)).reasons

    assert "lower bound 0.955;" in reason  # .035 away, where the plain bound is .016 away
    assert lower_bound(0.99, 0.01) == pytest.approx(0.955, abs=0.0005)


def test_an_absurd_error_leaves_a_bound_that_can_be_printed():
    assert "lower bound only −1.000" in decide(alpha(0.9999, 0.5)).reasons[0]


@given(st.floats(-0.5, 0.999), st.floats(0.001, 0.3))
def test_bounds_lie_around_the_value_and_the_upper_one_below_perfection(value, se):
    lower, upper = _bounds(Estimate(value, se=se), 0.95)

    assert lower < value < upper <= 1
    assert value - lower > upper - value  # a team that agrees less has the larger error
    assert lower == pytest.approx(max(lower_bound(value, se), -1), abs=1e-6)


@example(0.668, 0.03, 100)
@given(st.floats(-1, 1), st.floats(0, 0.5), st.integers(2, 500))
def test_more_items_are_asked_for_only_where_they_can_help(value, se, n_items):
    verdict = decide(alpha(value, se, n_items=n_items))

    if verdict.decision != "INCONCLUSIVE":
        assert verdict.needed_items is None
    elif verdict.needed_items is not None:
        assert 1 <= verdict.needed_items <= 10 * max(n_items, 50)
    else:
        assert value == 0.667 or "so close to the floor" in verdict.reasons[-1]


def test_just_above_the_floor_words_stand_for_an_absurd_number():
    verdict = decide(alpha(0.668, 0.03))

    assert verdict.decision == "INCONCLUSIVE"
    assert verdict.needed_items is None
    assert verdict.reasons[-1] == (
        "On meaning, the value is so close to the floor that more items cannot settle it: more "
        "than 1,000 would be needed."
    )
    assert "With about" not in verdict.reasons[0]
    assert [action.kind for action in verdict.actions] == ["third_rater"]


@pytest.mark.parametrize(
    ("population", "words"),
    [
        (110, "On meaning, 138 more items would be needed, and the pool has only 10 more."),
        (100, "On meaning, 138 more items would be needed, and the pool has no more."),
    ],
)
def test_no_more_items_are_asked_for_than_the_pool_has(population, words):
    estimates = {"meaning": alpha(0.75, 0.05)}

    assert judge(estimates, DEFAULT, population=238).needed_items == 138
    verdict = judge(estimates, DEFAULT, population=population)

    assert verdict.decision == "INCONCLUSIVE"
    assert verdict.needed_items is None
    assert verdict.reasons[-1] == words


@pytest.mark.parametrize(("fresh", "words"), [(40, "has only 40 more"), (0, "has no more")])
def test_items_that_were_drawn_already_are_no_more_items(fresh, words):
    verdict = judge({"meaning": alpha(0.75, 0.05)}, DEFAULT, population=300, fresh=fresh)

    assert verdict.needed_items is None
    assert words in verdict.reasons[-1]


@pytest.mark.parametrize("estimate", [Estimate(0.9, se=0.01, n_items=3, n_raters=2), NOTHING])
def test_a_pool_too_small_for_the_gate_is_said_to_be(estimate):
    estimates = {"meaning": {"krippendorff_alpha": estimate}}

    verdict = judge(estimates, DEFAULT, population=3)

    assert verdict.needed_items is None
    assert "47 more items would be needed, and the pool has no more." in verdict.reasons[-1]
    assert [action.kind for action in verdict.actions] == ["release"]
    assert Verdict.from_json(verdict.to_json()) == verdict


def test_a_continuous_scale_fails_by_equal_ratings_with_the_reason():
    rng = np.random.default_rng(1)
    ratings = np.clip(rng.uniform(0, 100, (80, 1)) + rng.normal(0, 3, (80, 2)), 0, 100)
    measured = measure_agreement(RatingTable.from_matrix(ratings, scale=Scale.interval(0, 100)))

    verdict = judge({"meaning": measured}, GDPVAL)

    assert verdict.decision == "FAIL"
    assert "rarely choose the same value on a continuous scale" in verdict.reasons[0]
    assert judge({"meaning": measured}, DEFAULT).decision == "PASS"


@pytest.mark.parametrize(
    ("reason", "words", "needed"),
    [
        ("no_variation", "all ratings are equal", 20),
        ("no_items", "no items were rated", 20),
        ("no_pairable_items", "no item has two ratings", 20),
        ("fewer_than_two_raters", "fewer than two raters", None),
        ("scale_mismatch", "not defined on this scale", None),
    ],
)
def test_an_undefined_estimate_is_inconclusive_in_words(reason, words, needed):
    verdict = decide({"krippendorff_alpha": Estimate(math.nan, n_items=30, reason=reason)})

    assert verdict.decision == "INCONCLUSIVE"
    assert words in verdict.reasons[0]
    assert verdict.needed_items == needed
    assert math.isnan(verdict.by_dimension["meaning"].value)


def test_every_reason_for_an_undefined_estimate_has_words():
    assert set(UNDEFINED) >= set(Reason.__args__)


def test_a_value_without_an_error_never_passes():
    verdict = decide(alpha(0.9, math.nan))

    assert verdict.decision == "INCONCLUSIVE"
    assert "cannot show how precise that is" in verdict.reasons[0]
    assert decide(alpha(0.5, math.nan)).decision == "FAIL"


@pytest.mark.parametrize(
    ("value", "se"), [(0.68, math.nan), (0.667, 0.05)], ids=["no error known", "on the floor"]
)
def test_no_chance_of_a_pass_is_promised_that_nobody_computed(value, se):
    verdict = decide(alpha(value, se=se, n_items=10))

    assert verdict.needed_items == 40
    assert "raters who agree as found" not in verdict.reasons[0]


def test_overall_is_the_worst_dimension():
    verdict = judge(
        {"meaning": alpha(0.9), "layout": alpha(0.7, 0.03), "readability": alpha(0.2)}, DEFAULT
    )

    decisions = {name: one.decision for name, one in verdict.by_dimension.items()}
    assert decisions == {"meaning": "PASS", "layout": "INCONCLUSIVE", "readability": "FAIL"}
    assert verdict.decision == "FAIL"
    assert verdict.grade is None
    assert verdict.needed_items is None
    assert verdict.reasons[0].startswith("On readability, ")
    assert verdict.by_dimension["layout"].needed_items > 0


def test_an_inconclusive_evaluation_needs_what_its_neediest_dimension_needs():
    near, far = alpha(0.70, 0.025), alpha(0.69, 0.03)

    verdict = judge({"near": near, "far": far}, DEFAULT)

    needs = [one.needed_items for one in verdict.by_dimension.values()]
    assert verdict.needed_items == max(needs) > min(needs)


def test_a_dimension_that_items_cannot_mend_leaves_no_number():
    hopeless = {"krippendorff_alpha": Estimate(math.nan, reason="fewer_than_two_raters")}

    verdict = judge({"near": alpha(0.70, 0.025), "one rater": hopeless}, DEFAULT)

    assert verdict.decision == "INCONCLUSIVE"
    assert verdict.needed_items is None


def test_the_overall_verdict_names_the_worst_dimension_beside_the_mean():
    verdict = judge(
        {"meaning": alpha(0.9), "layout": alpha(0.7, 0.03), "readability": alpha(0.2)}, DEFAULT
    )

    assert verdict.mean == pytest.approx(0.6)
    assert verdict.to_json()["mean"] == pytest.approx(0.6)
    assert verdict.reasons[-1] == (
        "The verdict is that of readability, the worst of 3 dimensions; the mean of "
        "Krippendorff's alpha over all, 0.600, is for information only."
    )


def test_a_mean_of_shares_is_a_percentage_like_each_of_them():
    verdict = judge({"meaning": shares(adjacent=0.95), "layout": shares(adjacent=0.9)}, GDPVAL)

    assert "exact or adjacent agreement of pairs over all, 93%, is for" in verdict.reasons[-1]


def test_of_dimensions_with_one_decision_the_lowest_value_is_the_worst():
    verdict = judge({"meaning": alpha(0.75), "layout": alpha(0.74), "tables": alpha(0.9)}, DEFAULT)

    assert verdict.decision == "PASS"
    assert verdict.reasons[-1].startswith("The verdict is that of layout, the worst of 3")


def test_a_dimension_without_a_value_is_left_out_of_the_mean():
    nothing = {"krippendorff_alpha": Estimate(math.nan, reason="no_variation")}

    some = judge({"meaning": alpha(0.9), "seals": nothing, "layout": alpha(0.8)}, DEFAULT)
    none = judge({"seals": nothing, "stamps": nothing}, DEFAULT)

    assert some.mean == pytest.approx(0.85)
    assert "alpha over the 2 that have one, 0.850, is for" in some.reasons[-1]
    assert math.isnan(none.mean)
    assert none.to_json()["mean"] is None
    assert none.reasons[-1] == "The verdict is that of seals, the worst of 2 dimensions."


def test_one_dimension_needs_no_overall_sentence():
    assert not any("the worst of" in reason for reason in decide(alpha(0.9)).reasons)


@pytest.mark.parametrize(("modal", "said"), [(0.95, True), (0.79, False), (1.0, False)])
def test_a_common_category_explains_why_items_tell_little(modal, said):
    verdict = decide(alpha(0.8, 0.09, modal_share=of(modal)))

    assert verdict.decision == "INCONCLUSIVE"
    sentence = (
        "On meaning, 95% of the ratings are in one category: alpha rests on the few others, so "
        "100 items carry less information than usual."
    )
    assert (sentence in verdict.reasons) == said


def test_one_item_is_written_as_one():
    reasons = decide(alpha(0.9, n_items=1)).reasons

    assert reasons[0].endswith(
        "but on only 1 item. With about 49 more items with two ratings, raters who agree as "
        "found pass in about 80% of cases, fewer if few items divide them."
    )
    assert reasons[1] == "On meaning, 1 item has two or more ratings; the gate needs at least 50."


@pytest.mark.parametrize(
    ("scale", "level"),
    [
        (Scale.likert(0, 4), "ordinal"),
        (Scale.binary(), "nominal"),
        (Scale.nominal([0, 1]), "nominal"),
        (Scale.interval(0, 5), "interval"),
    ],
)
def test_the_declared_scale_decides_on_which_alpha_the_gate_looks(scale, level):
    ratings = np.random.default_rng(1).integers(0, 2, (60, 2))
    estimates = measure_agreement(RatingTable.from_matrix(ratings, scale=scale))

    verdict = decide(estimates)

    assert verdict.by_dimension["meaning"].primary == "krippendorff_alpha"
    assert f"alpha, {level}," in estimates["krippendorff_alpha"].method


def test_the_lower_grade_is_the_grade_of_a_pass():
    assert judge({"a": alpha(0.9), "b": alpha(0.75)}, DEFAULT).grade == "tentative"
    assert judge({"a": alpha(0.9), "b": alpha(0.85)}, DEFAULT).grade == "reliable"


@pytest.mark.parametrize(
    ("value", "word", "lowest"),
    [(0.85, "reliable", "good"), (0.67, "tentative", "tentative"), (0.654, None, None)],
)
def test_a_pass_has_the_grade_of_alpha_and_none_where_alpha_is_poor(value, word, lowest):
    verdict = decide(alpha(value, **shares()), GDPVAL)

    assert verdict.decision == "PASS"
    assert verdict.grade == verdict.by_dimension["meaning"].grade == word
    both = judge({"meaning": alpha(value, **shares()), "layout": shares()}, GDPVAL)
    assert both.grade == lowest


def test_one_common_category_turns_a_fail_into_a_question():
    rare = {
        "percent_agreement": of(0.93),
        "gwet_ac": of(0.92),
        "modal_share": of(0.96),
    }
    low = alpha(0.3, 0.1, **rare)

    verdict = decide(low)

    assert decide(alpha(0.3, 0.1)).decision == "FAIL"
    assert verdict.decision == "INCONCLUSIVE"
    assert verdict.by_dimension["meaning"].paradox
    assert verdict.needed_items is None
    assert "same rating 93% of the time" in verdict.reasons[-1]
    assert "(96% of the ratings)" in verdict.reasons[-1]


@pytest.mark.parametrize(("agreement", "gwet"), [(0.84, 0.92), (0.93, 0.49)])
def test_the_prevalence_guard_needs_both_signs(agreement, gwet):
    others = {"percent_agreement": of(agreement), "gwet_ac": of(gwet)}

    assert decide(alpha(0.3, 0.1, **others)).decision == "FAIL"


def test_the_guard_works_on_real_ratings():
    # Two careful raters, 95 % right, where 97 % of the items are correct.
    rng = np.random.default_rng(4)
    truth = rng.random((400, 1)) < 0.97
    ratings = np.where(rng.random((400, 2)) < 0.97, truth, ~truth).astype(int)
    table = RatingTable.from_matrix(ratings, scale=Scale.binary())

    verdict = decide(measure_agreement(table))

    assert verdict.decision == "INCONCLUSIVE"
    assert verdict.by_dimension["meaning"].paradox


@pytest.mark.parametrize(
    ("value", "n_items", "decision"),
    [
        (0.70, 100, "PASS"),
        (0.69, 100, "FAIL"),
        (0.90, 49, "INCONCLUSIVE"),
        (0.69, 49, "INCONCLUSIVE"),
        (0.30, 49, "FAIL"),  # by the upper bound
    ],
)
def test_the_kappa_policy_decides_by_point(value, n_items, decision):
    kappa = {"mean_pairwise_kappa": of(value, n_items=n_items)}

    verdict = decide(kappa, KAPPA)

    assert verdict.decision == decision
    assert verdict.by_dimension["meaning"].primary == "mean_pairwise_kappa"
    if decision == "PASS":
        assert verdict.grade == "substantial"


def shares(*, adjacent=0.8, exact=0.5, a_hh=0.8, corrected=0.2):
    return {
        "adjacent_agreement": of(adjacent),
        "exact_agreement": of(exact),
        "human_agreement": of(a_hh),
        "human_agreement_corrected": of(corrected),
    }


@pytest.mark.parametrize(
    ("estimates", "decision"),
    [
        (shares(), "PASS"),
        (shares(adjacent=0.74), "FAIL"),
        (shares(a_hh=0.74), "FAIL"),
        (shares(corrected=0.03), "INCONCLUSIVE"),
        (shares(corrected=-0.01), "FAIL"),
    ],
)
def test_the_gdpval_policy_asks_for_three_things(estimates, decision):
    assert decide(estimates, GDPVAL).decision == decision


def test_without_neighbours_the_gdpval_policy_counts_exact_agreement():
    no_neighbours = Estimate(math.nan, reason="scale_mismatch")
    binary = shares(exact=0.8) | {"adjacent_agreement": no_neighbours}

    verdict = decide(binary, GDPVAL)

    assert verdict.decision == "PASS"
    assert verdict.by_dimension["meaning"].primary == "exact_agreement"
    assert verdict.reasons[0] == (
        "On meaning, exact agreement of pairs is 80% on 100 items; 75% is required."
    )


def test_a_policy_of_ones_own_is_obeyed():
    policy = GatePolicy("ours", (Condition(("icc",), 0.6),), min_items=20)

    assert decide({"icc": of(0.7, n_items=20)}, policy).decision == "PASS"


@pytest.mark.parametrize(("value", "decision"), [(0.9, "PASS"), (0.3, "FAIL")])
def test_a_decision_on_few_items_carries_a_caution(value, decision):
    workshop = replace(DEFAULT, min_items=10)

    early = decide(alpha(value, 0.02, n_items=12), workshop)
    enough = decide(alpha(value, 0.02, n_items=50), workshop)

    assert (early.decision, enough.decision) == (decision, decision)
    assert early.reasons[-1] == (
        "On meaning, 12 items decided, fewer than the usual minimum of 50: read the decision with "
        "caution."
    )
    assert not any("caution" in reason for reason in enough.reasons)


def test_the_minimum_of_a_policy_is_what_it_asks_for():
    few = alpha(0.9, 0.02, n_items=12)

    assert decide(few).needed_items == 38
    assert decide(few, replace(DEFAULT, min_items=20)).needed_items == 8


def test_a_missing_estimate_is_named():
    with pytest.raises(InputError, match="needs mean_pairwise_kappa of dimension 'meaning'"):
        decide(alpha(0.8), KAPPA)


def test_no_dimension_cannot_be_judged():
    with pytest.raises(InputError, match="at least one dimension; found none"):
        judge({}, DEFAULT)


def test_a_number_beside_the_floor_is_written_so_that_it_differs():
    (reason, *_) = decide(alpha(0.66699, 0.02)).reasons

    assert (
        reason
        == "On meaning, Krippendorff's alpha is 0.66699 on 100 items, below the required 0.667."
    )


def test_a_pass_says_what_it_rests_on():
    assert decide(alpha(0.85)).reasons == (
        (
            "On meaning, Krippendorff's alpha is 0.850 and its one-sided 95% lower bound 0.813; "
            "0.667 is required."
        ),
        "On meaning, this rests on 100 items with two or more of 3 raters.",
    )


def test_items_that_are_all_alike_do_not_fail_a_few_of_them():
    assert decide(alpha(0.5, se=0.0, n_items=4)).decision == "INCONCLUSIVE"
    assert decide(alpha(0.5, se=0.0, n_items=40)).decision == "FAIL"


def test_an_endless_error_is_none():
    verdict = decide(alpha(0.9, se=math.inf))

    assert verdict.decision == "INCONCLUSIVE"
    assert verdict.needed_items is None


def test_a_bound_on_a_floor_that_it_must_exceed_does_not_speak_of_few_items():
    policy = GatePolicy(conditions=(Condition(("krippendorff_alpha",), 0.0, above=True),))

    (sentence,) = decide(alpha(0.0, se=0.0), policy).reasons
    assert "only 100 items" not in sentence
