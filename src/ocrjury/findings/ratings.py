"""Findings on ratings that somebody already has, without an evaluation around them."""

from dataclasses import dataclass, field
from typing import Annotated

from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.dimensions import Composites, DimensionsFinding
from ocrjury.findings.looks import Looks
from ocrjury.findings.raters import BiasTests
from ocrjury.findings.record import OwnJson, Record, Sentence
from ocrjury.gate.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingsFinding(Record):
    """Agreement, tests for bias, and the verdict of the gate, which is advice here.

    Attributes
    ----------
    dimensions
        In the order of the file.
    policy
        Of the gate.
    looks
        What it saw, and which look it was.
    order_refused
        Why the tests for bias did not use the order of the ratings, None if they did.
    """

    policy: str
    verdict: Annotated[Verdict, OwnJson()]
    looks: Looks = field(default_factory=Looks)
    dimensions: tuple[AgreementFinding, ...]
    together: DimensionsFinding = field(default_factory=DimensionsFinding)
    composites: Composites = field(default_factory=Composites)
    bias: BiasTests = field(default_factory=BiasTests)
    order_refused: Sentence | None = None
