"""What else is known about the ratings; it informs advice, never the decision."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from ocrjury.estimate import Estimate

if TYPE_CHECKING:
    from ocrjury.agreement.disagreement import ProblemPattern


class Finding(Protocol):
    """A tested suspicion of rater bias, as `ocrjury.bias.measure_bias` returns them."""

    @property
    def kind(self) -> str:
        """Return severity, halo, anchoring, order, central_tendency or range_restriction."""
        ...

    @property
    def rater(self) -> str | None:
        """Return the rater, None if it is about all."""
        ...

    @property
    def dimension(self) -> str | None:
        """Return the dimension, None if it is about all."""
        ...

    @property
    def effect(self) -> float:
        """Return the size of the effect."""
        ...

    @property
    def unit(self) -> str:
        """Return what the effect is measured in."""
        ...

    @property
    def flagged(self) -> bool:
        """Return whether the test found it."""
        ...


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Evidence beside the coefficients.

    Attributes
    ----------
    findings
        Bias findings, flagged or not.
    without_rater
        For every dimension what `ocrjury.agreement.gain_without_raters` returned.
    patterns
        For every dimension what `ocrjury.agreement.find_problem_patterns` returned.
    """

    findings: Sequence[Finding] = ()
    without_rater: Mapping[str, Mapping[Hashable, Estimate]] = field(default_factory=dict)
    patterns: Mapping[str, "Sequence[ProblemPattern]"] = field(default_factory=dict)
