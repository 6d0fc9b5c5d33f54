"""A form that is refused says what is wrong in it, and nothing else."""

import re

WHY = {"reason": "It is on the wrong page."}
CASE = {"item": "d1", "ruling": "meaning=3", "case_en": "A torn edge", **WHY}
SHORT_REASON = "Say why, in five characters or more; the report prints it."
LONG_REASON = "A reason has at most 2,000 characters."
LONG_TEXT = "Each text of a boundary case has at most 1,000 characters."
NO_RATING = "Choose the rating that the item deserves."
FORMS = [
    ("remarks", {"assignment": "x", "text": "a" * 2001}, "An answer has at most 2,000 characters."),
    ("remarks", {"assignment": "x", "kind": "dance"}, "Please look at: kind."),
    ("remarks", {"text": "Yes."}, "Please look at: assignment, kind."),
    ("exclusions", {"item": "d1", "reason": "no"}, SHORT_REASON),
    ("exclusions", {"item": "d1"}, SHORT_REASON),
    ("exclusions", {"item": "d1", "reason": "a" * 2001}, LONG_REASON),
    ("exclusions", {"item": "d1", "category": "dull", **WHY}, "Please look at: category."),
    ("rubric/cases", CASE | {"ruling": ""}, NO_RATING),
    ("rubric/cases", CASE | {"ruling": "meaning="}, NO_RATING),
    ("rubric/cases", CASE | {"case_en": " "}, "Say what the boundary case is."),
    ("rubric/cases", CASE | {"case_en": "a" * 10_001}, LONG_TEXT),
    ("rubric/cases", CASE | {"reference": "a" * 10_001}, LONG_TEXT),
    ("rubric/cases", CASE | {"reason": "a" * 2001}, LONG_REASON),
    ("rubric/undo", {"version": "1", **WHY}, "Please look at: version."),
    (
        "decisions",
        {"decision": "drop", "version": "1", "raters": "", **WHY},
        "Please look at: raters.",
    ),
    ("links", {"rater": "R01", "change": "extend", "days": "400"}, "Please look at: days."),
]


def test_a_refused_form_says_what_is_wrong_in_it(rounds, at_desk):
    place = rounds()
    desk = at_desk(place)

    said = []
    for form, fields, _ in FORMS:
        answer = desk.post(f"/desk/{place.evaluation}/{form}", **fields)
        problems = re.findall(r'role="alert">([^<]*)<', answer.text)
        said.append((form, answer.status, problems))

    assert said == [(form, 422, [sentence]) for form, _, sentence in FORMS]
