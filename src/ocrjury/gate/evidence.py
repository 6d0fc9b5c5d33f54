"""Further evidence about the ratings; it informs advice, never the decision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ocrjury.estimate import Estimate

if TYPE_CHECKING:
    from ocrjury.bias.findings import BiasFinding


class Pattern(Protocol):
    """A usual sign of trouble with its kind."""

    @property
    def kind(self) -> str:
        """Key of the advice."""
        ...

    @property
    def sentence(self) -> str:
        """The sign in words."""
        ...


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Evidence in addition to the coefficients.

    Attributes
    ----------
    findings
        Findings of `ocrjury.bias.measure_bias`, flagged or not.
    without_rater
        Result of `ocrjury.agreement.gain_without_raters` for every dimension.
    patterns
        Result of `ocrjury.agreement.find_problem_patterns` for every dimension.
    """

    findings: Sequence["BiasFinding"] = ()
    without_rater: Mapping[str, Mapping[Any, Estimate]] = field(default_factory=dict)
    patterns: Mapping[str, Sequence[Pattern]] = field(default_factory=dict)
