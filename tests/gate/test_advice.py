import pytest

from ocrjury.bias import BiasFinding
from ocrjury.bias.findings import BANDS
from ocrjury.gate import DimensionVerdict, Verdict, suggest_actions
from ocrjury.gate.advice import _ADVICE

OPEN = Verdict("PASS", "reliable", {"layout": DimensionVerdict("PASS", None, (), None, "x", 1)}, ())


def finding(kind, unit, effect, *, rater="R03", dimension=None, level=None, flagged=True):
    return BiasFinding(kind, rater, dimension, effect, unit, level=level, flagged=flagged)


def texts(*findings):
    return [action.text for action in suggest_actions(findings, OPEN)]


@pytest.mark.parametrize(
    ("kind", "unit", "effect", "does", "helps"),
    [
        ("severity", "points", -0.41, "rates lower than colleagues (0.41 points)", "anchors"),
        ("severity", "points", 0.41, "rates higher than colleagues (0.41 points)", "anchors"),
        (
            "halo",
            "residual correlation",
            0.4,
            "lets one dimension colour the others (residual correlation 0.40)",
            "one dimension at a time",
        ),
        (
            "anchoring",
            "points per point",
            0.3,
            "follows the previous rating (0.30 points per point)",
            "a random order",
        ),
        (
            "anchoring",
            "points per point",
            -0.3,
            "moves away from the previous rating (0.30 points per point)",
            "not by the previous item",
        ),
        (
            "order",
            "points per session",
            -0.5,
            "rates lower as a session goes on (0.50 points per session)",
            "add breaks",
        ),
        (
            "order",
            "points per session",
            0.5,
            "rates higher as a session goes on (0.50 points per session)",
            "do not count",
        ),
        (
            "order",
            "points of distance per session",
            0.2,
            "gets less careful as a session goes on (0.20 points of distance per session)",
            "smaller batches",
        ),
        (
            "order",
            "points of distance per session",
            -0.2,
            "is less careful at the start of a session (0.20 points of distance per session)",
            "training items",
        ),
        (
            "central_tendency",
            "ratio of slopes",
            0.6,
            "keeps to the middle of the scale (ratio of slopes 0.60)",
            "especially of the extremes",
        ),
        (
            "central_tendency",
            "ratio of slopes",
            1.6,
            "goes to the ends of the scale (ratio of slopes 1.60)",
            "the middle levels",
        ),
        (
            "range_restriction",
            "ratio of standard deviations",
            0.6,
            "uses only part of the scale (ratio of standard deviations 0.60)",
            "an example of every level",
        ),
        (
            "range_restriction",
            "identical answers in a row",
            40.0,
            "gives the same answers to one item after the other (40 identical answers in a row)",
            "review these items",
        ),
    ],
)
def test_advice_says_what_the_rater_does_and_what_helps(kind, unit, effect, *, does, helps):
    (text,) = texts(finding(kind, unit, effect))

    assert text.startswith(f"R03 {does}: ")
    assert helps in text.partition(": ")[2]


def test_the_two_directions_of_a_habit_get_different_advice():
    both = [texts(finding("central_tendency", "ratio of slopes", e))[0] for e in (0.6, 1.6)]

    assert len({text.partition(": ")[2] for text in both}) == 2


def test_every_unit_has_advice_in_both_directions():
    assert set(_ADVICE) == set(BANDS)
    assert all(above and below for above, below in _ADVICE.values())


def test_one_habit_on_several_dimensions_is_one_piece_of_advice():
    habits = [
        finding("severity", "points", -0.41, dimension="layout", level="medium"),
        finding("severity", "points", -0.2, dimension="meaning", level="low"),
        finding("severity", "points", -0.6, dimension="readability", level="high"),
        finding("severity", "points", 0.3, dimension="tables"),
    ]

    down, up = texts(*habits)

    assert down.startswith(
        "R03 rates lower than colleagues on layout (0.41 points, a medium effect), on meaning "
        "(0.20 points, a small effect) and on readability (0.60 points, a large effect): "
    )
    assert up.startswith("R03 rates higher than colleagues on tables (0.30 points): ")


def test_advice_names_rater_and_dimension_for_those_who_sort_it():
    action, *_ = suggest_actions(
        [finding("severity", "points", -0.4, rater=7, dimension="layout")], OPEN
    )

    assert (action.kind, action.rater, action.dimension) == ("discuss", "7", "layout")


def test_what_raters_do_on_average_is_one_piece_of_advice():
    shared = [finding("halo", "residual correlation", 0.4, rater=who) for who in (None, "R1", "R2")]
    other = finding("anchoring", "points per point", -0.4, rater="R2")
    of_all = finding("anchoring", "points per point", 0.4, rater=None)

    said = texts(*shared, of_all, other)

    assert [text.split(" ")[0:3] for text in said] == [
        ["The", "average", "rater"],
        ["The", "average", "rater"],
        ["R2", "moves", "away"],  # against the average
    ]


def test_what_was_not_flagged_is_not_said():
    assert texts(finding("severity", "points", -0.4, flagged=False)) == []


def test_an_unknown_unit_is_named_without_guessing():
    assert texts(finding("severity", "stars", -0.4, dimension="layout")) == [
        "R03 shows severity on layout (0.40 stars): compare the ratings of ten common items."
    ]
