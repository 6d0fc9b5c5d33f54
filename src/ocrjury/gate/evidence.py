"""Further evidence about the ratings; it informs advice, never the decision."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ocrjury.estimate import Estimate

if TYPE_CHECKING:
    from ocrjury.agreement.disagreement import ProblemPattern
    from ocrjury.bias.findings import BiasFinding


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
    without_rater: Mapping[str, Mapping[Hashable, Estimate]] = field(default_factory=dict)
    patterns: Mapping[str, "Sequence[ProblemPattern]"] = field(default_factory=dict)
