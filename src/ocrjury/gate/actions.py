"""Actions that a lead can take after a verdict, most useful first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ocrjury.estimate import Estimate

if TYPE_CHECKING:
    from ocrjury.bias.findings import BiasFinding
from collections.abc import Iterator
from math import isnan

from ocrjury.bias.findings import BiasFinding
from ocrjury.gate.advice import OF_PATTERNS, of_findings
from ocrjury.gate.verdict import Action, DimensionVerdict, Verdict
from ocrjury.gate.wording import items_text

_CLEAR_GAIN = 0.05  # of alpha, without one rater
_WEAK = 0.4  # below this the rubric itself is in doubt
_NEAR = 0.5  # from here on, more ratings per item can compensate for disagreement


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


def suggest_actions(findings: Sequence[BiasFinding] | Diagnosis, verdict: Verdict) -> list[Action]:
    """Actions to take next, in order of usefulness.

    Parameters
    ----------
    findings
        Bias findings, flagged or not, possibly none; or a whole diagnosis.

    Returns
    -------
    list of Action
        Empty if the verdict is PASS, no finding is flagged, and no rater lowers the agreement.

    Examples
    --------
    >>> bad = DimensionVerdict("FAIL", None, (), None, "krippendorff_alpha", 0.31)
    >>> verdict = Verdict("FAIL", None, {"layout": bad}, ())
    >>> [action.kind for action in suggest_actions([], verdict)]
    ['rewrite_anchors', 'recalibrate', 'panel']
    """
    diagnosis = findings if isinstance(findings, Diagnosis) else Diagnosis(tuple(findings))
    recalibrations = list(_responsible_raters(diagnosis, verdict))
    actions = [*recalibrations, *of_findings(diagnosis.findings), *_of_patterns(diagnosis, verdict)]
    dimensions = verdict.by_dimension.items()
    for dimension, dimension_verdict in dimensions:
        if dimension_verdict.decision == "FAIL":
            actions += _after_fail(dimension, dimension_verdict)
    for dimension, dimension_verdict in dimensions:
        if dimension_verdict.decision == "INCONCLUSIVE":
            actions += _after_doubt(dimension, dimension_verdict)
    return list(dict.fromkeys(actions))


def _after_fail(dimension: str, verdict: DimensionVerdict) -> Iterator[Action]:
    """Yield remedies for disagreement, the rubric before the ratings."""
    yield Action(
        "rewrite_anchors",
        f"Rewrite the anchors of {dimension}: give every level one example that all raters can "
        "see, and decide the boundary cases in the rubric.",
        dimension,
    )
    yield Action(
        "recalibrate",
        f"Discuss with all raters the 20 to 30 items of {dimension} on which they disagree most, "
        "then rate fresh items; ratings of the discussed items do not count for the gate.",
        dimension,
        items=30,
    )
    if verdict.value >= _NEAR:
        yield Action(
            "third_rater",
            f"Add a third rater to the items of {dimension} on which the raters disagree most; "
            "the truth then rests on three opinions.",
            dimension,
        )
    if verdict.value < _WEAK:
        yield Action(
            "panel",
            f"Send the items of {dimension} that stay in dispute to the panel of experts, or "
            "drop the dimension: more ratings rarely fix agreement this low.",
            dimension,
        )


def _after_doubt(dimension: str, verdict: DimensionVerdict) -> Iterator[Action]:
    """Yield remedies for insufficient evidence."""
    if verdict.needed_items is not None:
        more = items_text(verdict.needed_items, "more randomly drawn ")
        yield Action(
            "collect_items",
            f"Collect {more} with two ratings each on {dimension}; then judge again.",
            dimension,
            items=verdict.needed_items,
        )
    elif verdict.paradox:
        yield Action(
            "collect_rare",
            f"Draw more items that are likely to be rated in the rare categories of {dimension} "
            "(low confidence, high error rate), keep their inclusion probabilities known, and "
            "compare Gwet's AC1 with alpha.",
            dimension,
        )
    elif verdict.small_pool:
        yield Action(
            "release",
            f"The whole pool is too small for the gate to decide on {dimension}: judge the "
            "agreement yourself and release the evaluation with a reason, or rate a larger pool.",
            dimension,
        )
    elif isnan(verdict.value):
        yield Action(
            "fix_data",
            f"Give the items of {dimension} to a second rater, and check that the declared scale "
            "fits the ratings: agreement cannot be computed from the present ratings.",
            dimension,
        )
    else:
        yield Action(
            "third_rater",
            f"Add a third rater to the items of {dimension}: more ratings per item narrow the "
            "interval where more items do not.",
            dimension,
        )


def _responsible_raters(diagnosis: Diagnosis, verdict: Verdict) -> Iterator[Action]:
    """Yield a recalibration for each rater whose removal clearly raises agreement."""
    for dimension, gains in diagnosis.without_rater.items():
        if dimension not in verdict.by_dimension:
            continue
        for rater, gain in sorted(gains.items(), key=lambda pair: -pair[1].value):
            if gain.value >= _CLEAR_GAIN and gain.low > 0:
                yield Action(
                    "recalibrate",
                    f"Recalibrate {rater} on {dimension}: without this rater alpha would be "
                    f"{gain.value:.2f} higher. Then have the rater's items rated again.",
                    dimension,
                    str(rater),
                )


def _of_patterns(diagnosis: Diagnosis, verdict: Verdict) -> Iterator[Action]:
    """Yield advice on problem patterns in dimensions that did not pass."""
    for dimension, patterns in diagnosis.patterns.items():
        dimension_verdict = verdict.by_dimension.get(dimension)
        if dimension_verdict is None or dimension_verdict.decision == "PASS":
            continue
        for pattern in patterns:
            text = f"On {dimension}: {pattern.sentence} {OF_PATTERNS[pattern.kind]}"
            yield Action("discuss", text, dimension)
