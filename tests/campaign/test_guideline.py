from ocrjury.campaign.guideline import guideline
from ocrjury.campaign.rubric import Rubric

RUBRIC = Rubric.model_validate(
    {
        "purpose": {"en": "Judge", "ko": "평가"},
        "dimensions": [
            {
                "name": "meaning",
                "title": {"en": "Meaning", "ko": "의미"},
                "description": "Is it the same?",
                "criteria": {"en": ["Amounts", "Names"]},
                "anchors": {5: {"en": "perfect", "ko": "완벽"}},
            },
            {"name": "layout", "title": "Layout", "description": "Where it stands"},
        ],
        "boundary_cases": [
            {"case": "O for 0", "level": 4, "dimension": "layout"},
            {"case": "A stamp", "level": 3.0, "example": {"reference": "a", "hypothesis": "b"}},
        ],
    }
)


def test_a_guideline_is_in_one_language_as_far_as_the_rubric_is():
    guide = guideline(RUBRIC, ["meaning"], language="ko")

    [dimension] = guide.dimensions
    assert (guide.purpose, dimension.title, dimension.description) == (
        "평가",
        "의미",
        "Is it the same?",
    )
    assert list(dimension.criteria) == ["Amounts", "Names"]
    assert dimension.anchors == {"5": "완벽"}


def test_cases_of_other_dimensions_are_left_out():
    [case] = guideline(RUBRIC, ["meaning"], language="en").cases

    assert (case.case, case.level, case.advice) == ("A stamp", "3", "")
    assert case.example.reference == "a"
    both = guideline(RUBRIC, ["meaning", "layout"], language="en").cases
    assert [case.level for case in both] == ["4", "3"]
