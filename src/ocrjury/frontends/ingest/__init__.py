"""The one way in for ratings: what places send, the validator, and its sentences."""

from ocrjury.frontends.ingest.port import OpenRound, RawRating, check_capabilities
from ocrjury.frontends.ingest.receiving import (
    FLAGS,
    Problem,
    Received,
    on_scale,
    problem_with,
    receive,
    receive_on,
    refuse,
    value_problems,
)
from ocrjury.frontends.ingest.rule_breaks import BrokenRule, broken_rules

__all__ = [
    "FLAGS",
    "BrokenRule",
    "OpenRound",
    "Problem",
    "RawRating",
    "Received",
    "broken_rules",
    "check_capabilities",
    "on_scale",
    "problem_with",
    "receive",
    "receive_on",
    "refuse",
    "value_problems",
]
