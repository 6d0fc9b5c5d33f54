"""The one way in for ratings: what places send, the validator, and its sentences."""

from ocrjury.frontends.ingest.port import OpenRound, RawRating, check_capabilities
from ocrjury.frontends.ingest.receiving import (
    ANYTHING,
    Problem,
    Received,
    on_scale,
    problem_with,
    receive,
    receive_on,
    refuse,
    value_problems,
)
from ocrjury.frontends.ingest.rule_breaks import (
    BrokenRule,
    Facts,
    broken_rules,
    facts_about,
    find_facts,
    rule_limits,
)
from ocrjury.frontends.ingest.told_limits import Limit, bound_dimensions, limits_told

__all__ = [
    "ANYTHING",
    "BrokenRule",
    "Facts",
    "Limit",
    "OpenRound",
    "Problem",
    "RawRating",
    "Received",
    "bound_dimensions",
    "broken_rules",
    "check_capabilities",
    "facts_about",
    "find_facts",
    "limits_told",
    "on_scale",
    "problem_with",
    "receive",
    "receive_on",
    "refuse",
    "rule_limits",
    "value_problems",
]
