"""What the summary of an export says of numbers that are not there."""

from types import SimpleNamespace

import pytest

from ocrjury import Scale
from ocrjury.export.summary import _gate, headline_reason
from ocrjury.report.data import DimensionDecision, GateVerdict


@pytest.mark.parametrize(
    ("state", "kind", "reason"),
    [
        ("collecting", "interim", "The evaluation is not estimated yet."),
        ("aborted", "interim", "The evaluation was aborted before it was estimated."),
        ("closed", "final", "Nothing was estimated on this dimension."),
    ],
)
def test_an_evaluation_without_an_estimate_says_why(state, kind, reason):
    rubric = SimpleNamespace(scales={"meaning": Scale.likert(1, 5)})
    stored = SimpleNamespace(
        target_dimension="meaning",
        row=SimpleNamespace(state=state),
        campaign=SimpleNamespace(rubric=rubric),
    )
    verdict = SimpleNamespace(shows=lambda _: True)

    assert headline_reason(stored, verdict, kind=kind) == reason


@pytest.mark.parametrize(("word", "grade"), [("tentative", "moderate"), (None, None)])
def test_a_verdict_has_the_common_word_of_its_grade(word, grade):
    rows = (DimensionDecision(dimension="meaning", decision="PASS", grade=word),)

    body = _gate(GateVerdict(decision="PASS", grade=word, dimensions=rows))

    assert body["grade"] == body["dimensions"][0]["grade"] == grade
