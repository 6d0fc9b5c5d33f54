"""A form that is refused says what is wrong in it, and nothing else."""

import re

import pytest

from ocrjury.frontends.web.answers import Trouble
from ocrjury.frontends.web.desk.bodies import LinkBody
from ocrjury.frontends.web.desk.form_faults import read_form
from ocrjury.language import speaking

WHY = {"reason": "It is on the wrong page."}
CASE = {"item": "d1", "ruling": "meaning=3", "case_en": "A torn edge", **WHY}
SHORT_REASON = (
    "Say why, in 5 letters or more (2 in Korean, Chinese or Japanese); the report prints it."
)
OLD_PAGE = "This page did not send what the desk needs. Load it again, then send once more."
LONG_REASON = "A reason has at most 2,000 characters."
LONG_TEXT = "Each text of a boundary case has at most 1,000 characters."
NO_RATING = "Choose the rating that the item deserves."
FORMS = [
    ("remarks", {"assignment": "x", "text": "a" * 2001}, "An answer has at most 2,000 characters."),
    ("remarks", {"assignment": "x", "kind": "dance"}, OLD_PAGE),
    ("remarks", {"text": "Yes."}, OLD_PAGE),
    ("exclusions", {"item": "d1", "reason": "no"}, SHORT_REASON),
    ("exclusions", {"item": "d1"}, SHORT_REASON),
    ("exclusions", {"item": "d1", "reason": " 가 "}, SHORT_REASON),
    ("exclusions", {"item": "d1", "reason": "a" * 2001}, LONG_REASON),
    ("exclusions", {"item": "d1", "category": "dull", **WHY}, "Please look at: Why."),
    ("rubric/cases", CASE | {"ruling": ""}, NO_RATING),
    ("rubric/cases", CASE | {"ruling": "meaning="}, NO_RATING),
    ("rubric/cases", CASE | {"case_en": " "}, "Say what the boundary case is."),
    ("rubric/cases", CASE | {"case_en": "a" * 10_001}, LONG_TEXT),
    ("rubric/cases", CASE | {"reference": "a" * 10_001}, LONG_TEXT),
    ("rubric/cases", CASE | {"reason": "a" * 2001}, LONG_REASON),
    ("rubric/undo", {"version": "1", **WHY}, OLD_PAGE),
    (
        "decisions",
        {"decision": "drop", "version": "1", "raters": "", **WHY},
        "Please look at: Raters.",
    ),
    ("links", {"rater": "R01", "change": "extend", "days": "400"}, "Please look at: More days."),
]


def test_fields_are_named_as_on_the_form_in_the_language_of_the_desk():
    late = {"rater": "R01", "change": "extend", "days": 400}

    with speaking("ko"), pytest.raises(Trouble) as caught:
        read_form(LinkBody, late)

    assert caught.value.sentence == "다음 항목을 확인하십시오: 추가할 일수."


def test_a_refused_form_says_what_is_wrong_in_it(rounds, at_desk):
    place = rounds()
    desk = at_desk(place)

    said = []
    for form, fields, _ in FORMS:
        answer = desk.post(f"/desk/{place.evaluation}/{form}", **fields)
        problems = re.findall(r'role="alert">([^<]*)<', answer.text)
        said.append((form, answer.status, problems))

    assert said == [(form, 422, [sentence]) for form, _, sentence in FORMS]
