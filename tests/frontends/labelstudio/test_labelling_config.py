import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from ocrjury.campaign.flags import FLAGS
from ocrjury.campaign.guideline import guideline
from ocrjury.campaign.rubric import Rubric
from ocrjury.frontends.labelstudio.labelling_config import flag_of, flag_words, labelling_config
from ocrjury.pages.catalogues import languages, speaker
from ocrjury.pages.environment import render

NAMES = ("about", "reference", "hypothesis", "image")


def rubric_of(scale=None, **changes):
    dimension = {
        "name": "meaning",
        "title": {"en": "Meaning", "ko": "의미"},
        "description": {"en": "Is it right?", "ko": "맞습니까?"},
        "anchors": {"5": {"en": "Perfect", "ko": "완벽"}, "1": {"en": "Lost", "ko": "불량"}},
    }
    return Rubric.model_validate(
        {
            "purpose": "Judge it",
            "scale": scale or {"kind": "likert", "low": 1, "high": 5},
            "dimensions": [{**dimension, **changes}],
        }
    )


def page_of(rubric, language="en"):
    return etree.fromstring(labelling_config(rubric, ["meaning"], language=language))


def control(page, name):
    [found] = page.iterfind(f".//*[@name='{name}']")
    return found


def test_a_dimension_has_every_level_of_the_scale_with_its_anchor_as_a_hint():
    ratings = control(page_of(rubric_of()), "rating_meaning")

    assert [(rating.get("value"), rating.get("hint")) for rating in ratings] == [
        ("1", "Lost"),
        ("2", None),
        ("3", None),
        ("4", None),
        ("5", "Perfect"),
    ]
    assert ratings.get("required") == "true"
    assert ratings.get("requiredMessage") == "Choose a level for: Meaning"


def test_every_level_has_a_key_of_its_own():
    rubric = Rubric.model_validate(
        {
            "purpose": "Judge it",
            "scale": {"kind": "likert", "low": 1, "high": 5},
            "dimensions": [
                {"name": name, "title": name, "description": name} for name in ("a", "b", "c")
            ],
        }
    )

    page = etree.fromstring(labelling_config(rubric, ["a", "b", "c"], language="en"))

    keys = {
        name: "".join(one.get("hotkey") for one in control(page, f"rating_{name}"))
        for name in ("a", "b", "c")
    }
    assert keys == {"a": "12345", "b": "qwert", "c": "asdfg"}


def test_texts_are_in_the_language_of_the_rater():
    page = page_of(rubric_of(), "ko")

    assert control(page, "rating_meaning")[-1].get("hint") == "완벽"
    headings = [one.get("value") for one in page.iterfind(".//Header")]
    assert headings[:3] == ["정답 텍스트", "OCR 결과", "의미"]


def test_a_language_without_words_falls_back_to_what_there_is():
    page = page_of(rubric_of(title={"ko": "의미"}), "zh")

    assert "의미" in [one.get("value") for one in page.iterfind(".//Header")]


def test_only_the_dimensions_of_the_round_are_asked_for():
    rubric = Rubric.model_validate(
        {
            "purpose": "Judge it",
            "dimensions": [
                {"name": name, "title": name, "description": name} for name in ("a", "b", "c")
            ],
        }
    )

    page = etree.fromstring(labelling_config(rubric, ["c", "a"], language="en"))

    found = [one.get("name") for one in page.iterfind(".//Choices")]
    assert found == ["rating_c", "rating_a", "flag", "confidence"]


def test_whoever_gives_a_reason_is_not_asked_for_ratings():
    page = page_of(rubric_of())

    [part] = page.iterfind(".//View[@whenTagName='flag']")
    assert part.get("visibleWhen") == "choice-unselected"
    assert [one.get("name") for one in part.iter("Choices")] == ["rating_meaning"]


def test_categories_are_choices_and_a_continuous_scale_is_a_number():
    nominal = page_of(rubric_of({"kind": "nominal", "categories": ["fine", "<bad>"]}, anchors={}))
    continuous = page_of(rubric_of({"kind": "interval", "low": 0, "high": 100}, anchors={}))

    assert [one.get("value") for one in control(nominal, "rating_meaning")] == ["fine", "<bad>"]
    number = control(continuous, "rating_meaning")
    assert (number.tag, number.get("min"), number.get("max")) == ("Number", "0", "100")


@given(
    text=st.builds(
        str.__add__,
        st.sampled_from(["", "$", "${", "$[", "<View>", "over $5"]),
        st.text(min_size=1).filter(str.strip),
    )
)
def test_no_text_of_a_rubric_is_taken_for_markup_or_for_a_variable(text):
    rubric = rubric_of(title=text, description=text, anchors={"3": {"en": text}})

    page = page_of(rubric)

    assert {one.tag for one in page.iter()} == {
        *("View", "Style", "Image", "Header", "Text", "Choices", "Choice", "TextArea"),
    }
    ours = [one for one in page.iter() if one.tag not in {"Image", "Text"}]
    assert not re.search(r"\$[\w\[{]", " ".join(v for one in ours for v in one.attrib.values()))


def test_texts_and_image_of_the_task_are_the_only_variables():
    found = [one.get("value") for one in page_of(rubric_of()).iter("Text", "Image")]

    assert sorted(found) == sorted(f"${name}" for name in NAMES)


def test_the_guideline_holds_the_whole_rubric_escaped():
    rubric = Rubric.model_validate(
        {
            "purpose": "<script>purpose</script>",
            "dimensions": [
                {
                    "name": "meaning",
                    "title": "Meaning",
                    "description": "Is it right?",
                    "criteria": {"en": ["Look & look again"]},
                    "anchors": {"5": "Perfect"},
                },
                {"name": "layout", "title": "Layout", "description": "Is it there?"},
            ],
            "field_rules": [
                {
                    "rule": "amounts",
                    "kind": "amount",
                    "when": "value_differs",
                    "dimension": "meaning",
                    "at_most": 4,
                    "sentence": "At most 4",
                },
                {
                    "rule": "codes",
                    "kind": "code",
                    "when": "value_differs",
                    "dimension": "layout",
                    "at_most": 3,
                    "sentence": "Not for meaning",
                },
            ],
            "boundary_cases": [{"case": "O for 0", "level": 4, "advice": "if certain"}],
        }
    )

    text = render(
        "labelstudio/instruction.html.j2",
        say=speaker("labelstudio", "en"),
        guide=guideline(rubric, ["meaning"], language="en"),
    )

    assert "&lt;script&gt;purpose&lt;/script&gt;" in text
    assert "<script>" not in text
    for part in ("Look &amp; look again", "<b>5</b> Perfect", "At most 4", "O for 0: <b>4</b>"):
        assert part in text
    assert "Layout" not in text
    assert "Not for meaning" not in text


@pytest.mark.parametrize("language", languages("labelstudio"))
def test_every_reason_has_words_that_stand_for_it_alone(language):
    words = flag_words(language)

    assert sorted(words.values()) == sorted(FLAGS)
    assert {flag_of(text) for text in words} == set(FLAGS)
