"""Actions that a lead can take after a verdict, most useful first.

The measures against biases are those of the reference text (an evaluation framework for language
quality): dimensions rated apart, random order, calibration samples, breaks and small batches,
training.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ocrjury.bias import findings as units
from ocrjury.bias.findings import BiasFinding
from ocrjury.bias.phrases import above, behaviour, measure
from ocrjury.estimate import Estimate
from ocrjury.gate.verdict import Action

if TYPE_CHECKING:
    from ocrjury.bias.findings import BiasFinding
from math import isnan

from ocrjury.bias.findings import BiasFinding
from ocrjury.gate.verdict import DimensionVerdict, Verdict
from ocrjury.gate.wording import items_text

_CLEAR_GAIN = 0.05  # of alpha, without one rater
_WEAK = 0.4  # below this the rubric itself is in doubt
_NEAR = 0.5  # from here on, more ratings per item can compensate for disagreement
Habit = tuple[str, str, bool]
"""Kind, unit and direction of a bias."""

_SIZES = {"low": "small", "medium": "medium", "high": "large"}
_ANCHORS = (
    "go through the anchors together and compare the ratings of ten common items; inferred labels "
    "allow for a steady shift"
)
_APART = "rate one dimension at a time, with the ratings on the others out of sight"
_BY_ANCHORS = (
    "judge an item by the anchors, not by the previous item: keep an example of every level in "
    "sight"
)
_SAME_ANSWERS = (
    "review these items, have them rated again where the answers do not fit, and hand out smaller "
    "batches"
)
_ALL_LEVELS = "show an example of every level, and say when to use it"

_ADVICE: dict[str, tuple[str, str]] = {
    units.POINTS: (_ANCHORS, _ANCHORS),
    units.CORRELATION: (_APART, _APART),
    units.POINTS_PER_POINT: (
        "give every rater a random order of items, and begin with some calibration items",
        _BY_ANCHORS,
    ),
    units.POINTS_PER_SESSION: (
        "shorten the sessions, and begin each with the anchors and a few items that do not count",
        "shorten the sessions, and add breaks",
    ),
    units.DISTANCE_PER_SESSION: (
        "shorten the sessions, add breaks, and hand out smaller batches",
        "begin each session with a few training items that do not count",
    ),
    units.SLOPE_RATIO: (
        "show examples of the middle levels",
        "show an example of every level, especially of the extremes",
    ),
    units.SPREAD_RATIO: (_ALL_LEVELS, _ALL_LEVELS),
    units.RUN: (_SAME_ANSWERS, _SAME_ANSWERS),
}
"""Advice for an effect above and for an effect below the null value, by unit."""


OF_PATTERNS = {
    "wide_range": "Read these items together before anything else.",
    "split": "Define what passes and what fails.",
    "rater_means": "Let the two compare their anchors on the same ten items.",
    "single_value": "Ask whether the scale was understood.",
}
"""Advice on a problem pattern, by its kind."""


def of_findings(findings: Sequence[BiasFinding]) -> Iterator[Action]:
    """Yield advice on flagged findings, one for all dimensions with the same bias of a rater."""
    flagged = [finding for finding in findings if finding.flagged]
    # A bias of the average rater gives one piece of advice, not one for each rater.
    shared = {_habit(finding) for finding in flagged if finding.rater is None}
    habits: dict[tuple[object, Habit], list[BiasFinding]] = {}
    for finding in flagged:
        if finding.rater is None or _habit(finding) not in shared:
            habits.setdefault((finding.rater, _habit(finding)), []).append(finding)
    for (rater, _), same in habits.items():
        yield Action(
            "discuss",
            _sentence(same),
            same[0].dimension if len(same) == 1 else None,
            None if rater is None else str(rater),
        )


def _habit(finding: BiasFinding) -> Habit:
    """Kind, unit and direction of a finding's bias."""
    return finding.kind, finding.unit, above(finding.unit, finding.effect)


def _sentence(same: Sequence[BiasFinding]) -> str:
    """Sentence with a rater's bias, its dimensions and size, and the advice."""
    first = same[0]
    subject = "The average rater" if first.rater is None else str(first.rater)
    *others, last = map(_place, same)
    where = f"{','.join(others)} and{last}" if others else last
    if first.unit not in _ADVICE:
        kind = first.kind.replace("_", " ")
        return f"{subject} shows {kind}{where}: compare the ratings of ten common items."
    high, low = _ADVICE[first.unit]
    advice = high if above(first.unit, first.effect) else low
    return f"{subject} {behaviour(first.unit, first.effect)}{where}: {advice}."


def _place(finding: BiasFinding) -> str:
    """Dimension and size of an effect, in words."""
    on = "" if finding.dimension is None else f" on {finding.dimension}"
    size = f", a {_SIZES[finding.level]} effect" if finding.level else ""
    return f"{on} ({measure(finding.unit, finding.effect)}{size})"


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
