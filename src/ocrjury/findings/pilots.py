"""Scores of the raters of a pilot, and the agreement among them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.raters import Accuracy
from ocrjury.findings.record import Number, Record, Sentence

Outcome = Literal["met", "missed", "unknown"]


@dataclass(frozen=True, slots=True)
class Score(Record):
    """Accuracy of one rater on one dimension, judged by the criterion.

    ``unknown`` are too few ratings, or a measure that is undefined on them.
    """

    rater: str
    dimension: str
    outcome: Outcome
    sentence: Sentence
    accuracy: Accuracy


@dataclass(frozen=True, slots=True)
class PilotCriterion(Record):
    """Criterion of a pilot, with the tolerance and the limit in force on its scale."""

    measure: str
    tolerance: Number
    limit: Number
    min_ratings: int


@dataclass(frozen=True, slots=True)
class PilotFinding(Record):
    """Scores of all raters on all dimensions of a pilot, and the agreement by dimension."""

    criterion: PilotCriterion
    scores: tuple[Score, ...]
    agreement: Mapping[str, AgreementFinding]
