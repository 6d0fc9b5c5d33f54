import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.campaign import Rubric
from ocrjury.errors import InputError
from ocrjury.scales import Scale

RULE = {
    "rule": "amount-differs",
    "kind": "amount",
    "when": "value_differs",
    "at_most": 4,
    "sentence": "Amount: at most 4.",
}
SCALES = [
    ({"kind": "likert", "low": 1, "high": 7}, Scale.likert(1, 7)),
    ({"kind": "binary"}, Scale.binary()),
    ({"kind": "nominal", "categories": ["keep", "drop"]}, Scale.nominal(["keep", "drop"])),
    ({"kind": "interval", "low": 0, "high": 100}, Scale.interval(0, 100)),
]
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
TEXTS = st.text("abc 가나다", min_size=1, max_size=8)


@pytest.mark.parametrize(("written", "scale"), SCALES)
def test_a_scale_becomes_that_of_the_statistics(rubric_from, written, scale):
    found = rubric_from(scale=written).scale

    assert (found.kind, found.categories) == (scale.kind, scale.categories)
    assert str(found) == str(scale)


def test_without_a_scale_it_is_one_to_five(rubric_from):
    assert rubric_from(scale=None).scale == Scale.likert(1, 5)


def test_a_bare_text_stands_for_every_language(rubric_from):
    assert rubric_from().dimension("meaning").title == {"und": "Meaning"}


def test_anchors_are_found_by_level_whether_written_as_number_or_text(rubric_body):
    body = rubric_body()
    body["dimensions"][0]["anchors"] = {5: {"en": "Perfect"}, "1": {"en": "Unusable"}}

    anchors = Rubric.model_validate(body).dimension("meaning").anchors

    assert anchors == {"5": {"en": "Perfect"}, "1": {"en": "Unusable"}}


def test_another_word_is_another_hash_and_the_same_words_the_same(rubric_body):
    rubric = Rubric.model_validate(rubric_body())
    same = Rubric.model_validate(json.loads(json.dumps(rubric.to_json())))
    other = Rubric.model_validate(rubric_body(purpose={"en": "Judge it."}))

    assert same == rubric
    assert same.rubric_hash == rubric.rubric_hash
    assert other.rubric_hash != rubric.rubric_hash


def test_an_unknown_dimension_is_named_with_those_there_are(rubric_body):
    with pytest.raises(
        InputError,
        match=r"The rubric has no dimension 'colour'; it has meaning and layout\.",
    ):
        Rubric.model_validate(rubric_body()).dimension("colour")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"scale": {"kind": "likert", "low": 1}},
            r"scale: a likert scale takes low and high; found low\.",
        ),
        (
            {"scale": {"kind": "likert", "low": 1, "high": 2.5}},
            r"scale: Scale\.likert needs two whole numbers, .* found 1\.0 and 2\.5",
        ),
        (
            {"scale": {"kind": "binary", "low": 0, "high": 1}},
            r"scale: a binary scale takes no further key; found low and high\.",
        ),
        (
            {"scale": {"kind": "nominal"}},
            r"scale: a nominal scale takes categories; found no further key\.",
        ),
        (
            {"scale": {"kind": "lickert", "low": 1, "high": 5}},
            (
                r"scale\.kind is 'lickert'; it must be one of likert, binary, nominal, interval\. "
                r"Did you mean 'likert'\?"
            ),
        ),
        ({"dimensions": []}, r"dimensions is a list; it must be a list of one to eight dimensions"),
        (
            {"purpose": {"English": "Judge."}},
            (
                r"purpose\.English is 'English'; it must be a text, or texts by language such as "
                r"\{en: \.\.\., ko: \.\.\.\}\."
            ),
        ),
        (
            {"purpose": {}},
            r"purpose is a section; it must be a text, or texts by language",
        ),
        (
            {"field_rules": [{**RULE, "at_most": 6}]},
            r"field_rules\[0\]: the scale \(likert 1 to 5\) has no level 6\.",
        ),
        (
            {"field_rules": [{**RULE, "dimension": "meanings"}]},
            (
                r"field_rules\[0\]\.dimension: the rubric has no dimension 'meanings'; it has "
                r"meaning and layout\. Did you mean 'meaning'\?"
            ),
        ),
        (
            {"boundary_cases": [{"case": "0 or O", "level": "4+"}]},
            r"boundary_cases\[0\]\.level: the scale \(likert 1 to 5\) has no level 4\+\.",
        ),
        (
            {"scale": {"kind": "nominal", "categories": ["a", "b"]}, "field_rules": [RULE]},
            r"field_rules: a nominal scale has no highest level; remove the rules",
        ),
    ],
)
def test_what_does_not_fit_is_named(rubric_from, changes, sentence):
    with pytest.raises(InputError, match=r"rubric\.yaml, line \d+: " + sentence):
        rubric_from(**changes)


def test_a_dimension_that_stands_twice_is_refused_on_its_line(rubric_from, rubric_body):
    first, second = rubric_body()["dimensions"]

    with pytest.raises(InputError) as caught:
        rubric_from(dimensions=[first, second, {**first, "anchors": {"6": "Too good"}}])

    text = str(caught.value)
    assert "rubric.yaml has 2 problems:" in text
    assert "dimensions[2].name: there are two dimensions 'meaning'; rename or remove one." in text
    assert "dimensions[2].anchors.6: the scale (likert 1 to 5) has no level 6." in text


def test_a_dimension_that_is_a_column_of_every_sheet_is_refused(rubric_from, rubric_body):
    first, second = rubric_body()["dimensions"]

    with pytest.raises(
        InputError, match=r"dimensions\[1\]\.name: 'position' is a column of the fil"
    ):
        rubric_from(dimensions=[first, {**second, "name": "position"}])


@given(
    names=st.lists(NAMES, min_size=1, max_size=8, unique=True),
    texts=st.dictionaries(st.sampled_from(["en", "ko", "zh-Hant"]), TEXTS, min_size=1),
)
def test_every_rubric_survives_json(rubric_body, names, texts):
    dimensions = [
        {
            "name": name,
            "title": texts,
            "description": texts,
            "weight": weight / 3,
            "criteria": {language: [text] for language, text in texts.items()},
            "anchors": dict.fromkeys(range(1, 6), texts),
        }
        for weight, name in enumerate(names, start=1)
    ]
    rubric = Rubric.model_validate(rubric_body(dimensions=dimensions))

    again = Rubric.model_validate(json.loads(json.dumps(rubric.to_json())))

    assert again == rubric
    assert again.rubric_hash == rubric.rubric_hash


MEANING = {"name": "meaning", "title": "x", "description": "x"}
USABLE = {"name": "usable", "title": "x", "description": "x", "scale": {"kind": "binary"}}


def test_a_dimension_may_have_a_scale_of_its_own(rubric_from):
    rubric = rubric_from(dimensions=[MEANING, USABLE], field_rules=[], boundary_cases=[])
    again = Rubric.model_validate(json.loads(json.dumps(rubric.to_json())))

    assert rubric.scales == {"meaning": Scale.likert(1, 5), "usable": Scale.binary()}
    assert (again, again.rubric_hash) == (rubric, rubric.rubric_hash)
    assert rubric.scale_words == "meaning: likert 1 to 5; usable: binary 0 to 1"


def test_a_rubric_with_one_scale_keeps_its_hash(rubric_body):
    rubric = Rubric.model_validate(rubric_body(dimensions=[MEANING]))

    # as it was while a rubric had one scale
    known = "7234d15fdf3b974ec17a112478eebb733762d14ac864aaeab77e045a96ba3b24"
    assert Rubric.model_validate(rubric_body()).rubric_hash == known
    assert all("scale" not in dimension for dimension in rubric.to_json()["dimensions"])
    assert set(rubric.to_json()["dimensions"][0]) == {
        *("name", "title", "description", "criteria", "weight", "anchors")
    }


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"dimensions": [MEANING, {**USABLE, "anchors": {"5": "fine"}}], "field_rules": []},
            r"dimensions\[1\]\.anchors.* the scale \(binary 0 to 1\) has no level 5",
        ),
        (
            {"dimensions": [MEANING, USABLE], "field_rules": [RULE]},
            r"field_rules.*the scale \(binary 0 to 1\) has no level 4",
        ),
        (
            {"dimensions": [MEANING, {**USABLE, "scale": {"kind": "likert"}}]},
            "a likert scale takes low and high",
        ),
    ],
)
def test_levels_are_those_of_the_dimension_s_own_scale(rubric_from, changes, message):
    with pytest.raises(InputError, match=message):
        rubric_from(boundary_cases=[], **changes)


def test_a_rule_about_one_dimension_need_not_fit_the_others(rubric_from):
    rule = {**RULE, "dimension": "meaning"}
    names = {**USABLE, "scale": {"kind": "nominal", "categories": ["fine", "lost"]}}

    rubric = rubric_from(dimensions=[MEANING, names], field_rules=[rule], boundary_cases=[])

    assert not rubric.scales["usable"].ordered


def test_an_overall_rating_is_one_of_three_dimensions_and_changes_no_older_hash(rubric_body):
    three = [{**MEANING, "name": name} for name in ("meaning", "layout", "quality")]
    plain = Rubric.model_validate(rubric_body(dimensions=three))
    named = Rubric.model_validate(rubric_body(dimensions=three, overall="quality"))

    assert "overall" not in plain.to_json()
    assert Rubric.model_validate(named.to_json()).overall == "quality"
    assert named.rubric_hash != plain.rubric_hash


@pytest.mark.parametrize("names", [["meaning", "quality"], ["meaning", "layout", "ease"]])
def test_an_overall_rating_needs_others_that_explain_it(rubric_from, names):
    dimensions = [{**MEANING, "name": name} for name in names]

    with pytest.raises(InputError, match="'quality' must be one of three or more dimensions"):
        rubric_from(dimensions=dimensions, overall="quality", field_rules=[], boundary_cases=[])
