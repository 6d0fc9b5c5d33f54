import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.campaign import FieldFacts, Rubric, max_level
from ocrjury.errors import InputError


def rule(name, **keys):
    return {"rule": name, "dimension": "meaning", "sentence": {"en": f"By {name}."}, **keys}


# The field rules of the reference text on human evaluation of OCR.
REFERENCE_RULES = [
    rule("amount", kind="amount", when="value_differs", at_most=4),
    rule("code", kind="code", when="text_differs", at_most=3),
    rule("date", kind="date", when="value_differs", at_most=2),
    rule("date-format", kind="date", when="only_format_differs", at_most=5),
    rule(
        "text",
        kind="text",
        when="ned",
        bands=[
            {"up_to": 0, "at_most": 5},
            {"up_to": 0.05, "at_most": 4},
            {"up_to": 0.20, "at_most": 3},
            {"up_to": 0.50, "at_most": 2},
            {"up_to": 1, "at_most": 1},
        ],
    ),
]


def facts(kind, *, same_value=True, exact=True, same_format=True, ned=0.0):
    return FieldFacts(kind, same_value, exact, same_format, ned)


@pytest.fixture(scope="session")
def rubric(rubric_body):
    return Rubric.model_validate(rubric_body(field_rules=REFERENCE_RULES))


@pytest.mark.parametrize(
    ("found", "binding"),
    [
        (facts("amount", same_value=False, exact=False), ("amount", 4)),
        (facts("code", same_value=False, exact=False), ("code", 3)),
        (facts("date", same_value=False, exact=False), ("date", 2)),
        (facts("date", exact=False, same_format=False), ("date-format", 5)),
    ],
)
def test_the_rules_of_the_reference_text_hold(rubric, found, binding):
    result = max_level(rubric, "meaning", found)

    assert (result.rule, result.max_level) == binding
    assert result.sentence == f"By {result.rule}."


@pytest.mark.parametrize(
    ("ned", "level"),
    [(0, 5), (0.001, 4), (0.05, 4), (0.051, 3), (0.2, 3), (0.21, 2), (0.5, 2), (0.51, 1), (1, 1)],
)
def test_text_is_bound_by_its_edit_distance(rubric, ned, level):
    assert max_level(rubric, "meaning", facts("text", ned=ned)).max_level == level


@pytest.mark.parametrize("kind", ["amount", "code", "date"])
def test_an_equal_field_is_bound_by_no_rule(rubric, kind):
    assert max_level(rubric, "meaning", facts(kind)) is None


def test_the_same_amount_in_another_format_is_bound_by_no_rule(rubric):
    found = facts("amount", exact=False, same_format=False, ned=0.2)

    assert max_level(rubric, "meaning", found) is None


def test_a_value_that_cannot_be_read_counts_as_another_one(rubric):
    found = facts("date", same_value=None, exact=False, same_format=None, ned=1.0)

    assert max_level(rubric, "meaning", found).rule == "date"


def test_a_distance_that_is_no_number_binds_nothing(rubric):
    assert max_level(rubric, "meaning", facts("text", ned=float("nan"))) is None


def test_a_rule_binds_its_own_dimension_only(rubric):
    assert max_level(rubric, "layout", facts("amount", same_value=False)) is None


def test_a_rule_without_a_dimension_binds_all_of_them(rubric_body):
    everywhere = [
        rule("amount", kind="amount", when="value_differs", at_most=4) | {"dimension": None}
    ]
    rubric = Rubric.model_validate(rubric_body(field_rules=everywhere))

    assert max_level(rubric, "layout", facts("amount", same_value=False)).max_level == 4


def test_the_rule_that_allows_least_wins_and_of_equals_the_first(rubric_body):
    rules = [
        rule(name, kind="code", when="text_differs", at_most=level)
        for name, level in (("mild", 4), ("harsh", 2), ("second-harsh", 2))
    ]
    rubric = Rubric.model_validate(rubric_body(field_rules=rules))

    assert max_level(rubric, "meaning", facts("code", exact=False)).rule == "harsh"


def test_the_sentence_comes_in_the_language_asked_for(rubric_body):
    texts = {"sentence": {"en": "At most 4.", "ko": "4점 이하."}}
    rules = [rule("amount", kind="amount", when="value_differs", at_most=4) | texts]
    rubric = Rubric.model_validate(rubric_body(field_rules=rules))
    found = facts("amount", same_value=False)

    assert max_level(rubric, "meaning", found, language="ko").sentence == "4점 이하."
    assert max_level(rubric, "meaning", found, language="zh").sentence == "At most 4."


def test_an_unknown_dimension_is_refused(rubric):
    with pytest.raises(InputError, match="The rubric has no dimension 'colour'"):
        max_level(rubric, "colour", facts("code"))


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (
            {"when": "ned", "at_most": 4},
            r"field_rules\[0\]: a rule on ned needs `bands`, their up_to ascending and the last",
        ),
        (
            {"when": "ned", "bands": [{"up_to": 1, "at_most": 1}, {"up_to": 0.5, "at_most": 2}]},
            r"field_rules\[0\]: a rule on ned needs `bands`, their up_to ascending and the last",
        ),
        (
            {"when": "ned", "bands": [{"up_to": 1, "at_most": 1}], "at_most": 4},
            r"field_rules\[0\]: a rule on ned has `bands` and no `at_most`\.",
        ),
        (
            {"when": "text_differs"},
            r"field_rules\[0\]: a rule on text_differs has `at_most` and no `bands`\.",
        ),
        (
            {"when": "wrong", "at_most": 4},
            (
                r"field_rules\[0\]\.when is 'wrong'; it must be one of value_differs, "
                r"text_differs, only_format_differs, ned\."
            ),
        ),
    ],
)
def test_a_rule_that_contradicts_itself_is_refused(rubric_from, keys, sentence):
    with pytest.raises(InputError, match=sentence):
        rubric_from(field_rules=[rule("one", kind="text", **keys)])


@given(low=st.floats(0, 1), high=st.floats(0, 1))
def test_more_errors_never_allow_more(rubric, low, high):
    low, high = sorted((low, high))

    levels = [max_level(rubric, "meaning", facts("text", ned=ned)).max_level for ned in (low, high)]

    assert levels[0] >= levels[1]


def test_what_the_text_comparison_finds_fits_a_rule(rubric):
    from ocrjury.text import compare_field

    wrong = compare_field("47,980", "47,986", kind="amount")
    same_day = compare_field("2024-03-05", "2024년 3월 5일", kind="date")

    assert max_level(rubric, "meaning", wrong).max_level == 4
    assert max_level(rubric, "meaning", same_day).rule == "date-format"
