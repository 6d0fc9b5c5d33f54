import pytest

from ocrjury import Estimate, InputError, RatingTable, Scale
from ocrjury.agreement import measure_agreement, suggest_improvements

FIVE, BINARY = Scale.likert(1, 5), Scale.binary()
NAMES, CONTINUOUS = Scale.nominal(["a", "b"]), Scale.interval(0, 100)


def kinds(scale, **values):
    estimates = {name: Estimate(value) for name, value in values.items()}
    return [improvement.kind for improvement in suggest_improvements(estimates, scale=scale)]


# Thresholds of the human agreement specification's reference implementation: .75, .50 and .30.


@pytest.mark.parametrize(
    ("adjacent", "expected"),
    [
        (0.75, []),
        (0.749, ["anchor_examples", "discuss_disagreements"]),
        (0.50, ["anchor_examples", "discuss_disagreements"]),
        (
            0.499,
            ["revise_rubric", "calibrate", "anchor_examples", "discuss_disagreements"],
        ),
    ],
)
def test_a_likert_scale_is_judged_by_neighbours(adjacent, expected):
    assert kinds(FIVE, adjacent_agreement=adjacent, exact_agreement=0.3) == expected


def test_too_many_levels_are_named_even_where_neighbours_agree():
    # Everybody is one point off: adjacent pairs hide that nobody can tell the levels apart.
    assert kinds(FIVE, adjacent_agreement=0.9, exact_agreement=0.299) == ["simplify_to_binary"]
    assert kinds(FIVE, adjacent_agreement=0.9, exact_agreement=0.3) == []


def test_two_levels_cannot_become_fewer():
    assert kinds(Scale.likert(0, 1), adjacent_agreement=1.0, exact_agreement=0.1) == []


@pytest.mark.parametrize(
    ("exact", "expected"),
    [
        (0.75, []),
        (0.6, ["clarify_pass_fail", "discuss_disagreements"]),
        (0.2, ["revise_rubric", "calibrate", "clarify_pass_fail", "discuss_disagreements"]),
    ],
)
def test_a_binary_scale_wants_to_know_what_passes(exact, expected):
    assert kinds(BINARY, exact_agreement=exact) == expected


def test_names_and_continuous_scales_want_examples():
    expected = ["anchor_examples", "discuss_disagreements"]

    assert kinds(NAMES, exact_agreement=0.6) == expected
    assert kinds(CONTINUOUS, human_agreement=0.6, exact_agreement=0.01) == expected


def test_undefined_agreement_suggests_nothing():
    empty = measure_agreement(RatingTable.from_matrix([], scale=FIVE))

    assert suggest_improvements(empty, scale=FIVE) == []


def test_the_sentences_hold_the_numbers():
    table = RatingTable.from_matrix([[1, 4], [2, 5], [1, 5], [3, 4]], scale=FIVE)

    first, *_, fewer, last = suggest_improvements(measure_agreement(table), scale=FIVE)

    assert first.sentence == (
        "Revise the rubric of this dimension: exact or adjacent agreement of pairs is 25%, less "
        "than half."
    )
    assert fewer.sentence.startswith("Only 0% of the pairs are equal: ask for pass or fail")
    assert last.sentence == "Let the raters discuss the items with the widest disagreement."


def test_a_continuous_scale_is_told_its_agreement_as_a_number():
    (first, *_) = suggest_improvements(
        {"human_agreement": Estimate(0.42), "exact_agreement": Estimate(0.0)}, scale=CONTINUOUS
    )

    assert first.sentence.endswith(": human agreement A^HH is 0.42, less than half.")


def test_an_absent_estimate_is_named():
    with pytest.raises(InputError, match=r"needs adjacent_agreement; found exact_agreement\."):
        suggest_improvements({"exact_agreement": Estimate(0.5)}, scale=FIVE)
