"""What else is known about the ratings; it informs advice, never the decision."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ocrjury.estimate import Estimate

if TYPE_CHECKING:
    from ocrjury.agreement.disagreement import ProblemPattern
    from ocrjury.bias.findings import BiasFinding


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Evidence beside the coefficients.

    Attributes
    ----------
    findings
        What `ocrjury.bias.measure_bias` returned, flagged or not.
    without_rater
        For every dimension what `ocrjury.agreement.gain_without_raters` returned.
    patterns
        For every dimension what `ocrjury.agreement.find_problem_patterns` returned.
    """

    findings: Sequence["BiasFinding"] = ()
    without_rater: Mapping[str, Mapping[Hashable, Estimate]] = field(default_factory=dict)
    patterns: Mapping[str, "Sequence[ProblemPattern]"] = field(default_factory=dict)
