import pytest
from pydantic import ValidationError

from ocrjury.frontends.web.bodies import ConsensusBody
from ocrjury.frontends.web.desk.bodies import DecisionBody, LinkBody

AGREED = {"event_id": "event-123", "rubric_hash": "x", "values": {}, "attendance": ["a"]}


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (ConsensusBody, {**AGREED, "discussion": "a\ud800"}),
        (ConsensusBody, {**AGREED, "discussion": "a", "attendance": ["\udfff"]}),
        (LinkBody, {"rater": "R\ud800", "change": "new"}),
        (DecisionBody, {"decision": "proceed", "version": 1, "reason": "public \ud800 holiday"}),
    ],
)
def test_no_body_holds_half_a_character(kind, body):
    with pytest.raises(ValidationError, match="a lone surrogate"):
        kind.model_validate(body)
