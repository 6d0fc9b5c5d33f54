"""Actions that a lead can take after a verdict, most useful first."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Any, Protocol

from ocrjury.bias.findings import BiasFinding
from ocrjury.estimate import Estimate
from ocrjury.gate.advice import of_findings
from ocrjury.gate.rater_advice import (
    discuss_anchors,
    recalibrate_all,
    recalibrate_alone,
    refer_to_verdict,
)
from ocrjury.gate.verdict import Action, DimensionVerdict, Verdict
from ocrjury.language import Phrase, counted, phrase
from ocrjury.rounding import fixed
from ocrjury.statistics import statistic

_CLEAR_GAIN = 0.05  # of alpha, without one rater
_WEAK = 0.4  # below this the rubric itself is in doubt
_NEAR = 0.5  # from here on, more ratings per item can compensate for disagreement
OF_PATTERNS = {
    "wide_range": phrase("Read these items together before anything else."),
    "split": phrase("Define what passes and what fails."),
    "rater_means": phrase("Let the two compare their anchors on the same ten items."),
    "single_value": phrase("Ask whether the scale was understood."),
}
"""Advice on a problem pattern, by its kind."""
OF_ITEMS = ("wide_range", "split")
"""Problem patterns whose subjects are items."""


class Pattern(Protocol):
    """A usual sign of trouble with its kind."""

    @property
    def kind(self) -> str:
        """Key of the advice."""
        ...

    @property
    def subjects(self) -> Sequence[Any]:
        """Items or raters that show it."""
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
    stretched
        Whether the points of findings are hundredths of a scale.
    never_alone
        Pairs of rater and dimension for which too little gold is left to practise without others.
    anything_fresh
        Whether items are left that raters could practise on and rate in a recalibration.
    supplies_known
        Whether the two above are known; an export does not tell what gold and items are left.
    """

    findings: Sequence[BiasFinding] = ()
    without_rater: Mapping[str, Mapping[Any, Estimate]] = field(default_factory=dict)
    patterns: Mapping[str, Sequence[Pattern]] = field(default_factory=dict)
    stretched: bool = False
    never_alone: Collection[tuple[str, str]] = ()
    anything_fresh: bool = True
    supplies_known: bool = True


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
    advice = of_findings(diagnosis.findings, stretched=diagnosis.stretched)
    recalibrations = list(_responsible_raters(diagnosis, verdict))
    actions = [*recalibrations, *advice, *_of_patterns(diagnosis, verdict)]
    dimensions = verdict.by_dimension.items()
    for dimension, dimension_verdict in dimensions:
        if dimension_verdict.decision == "FAIL":
            actions += _after_fail(
                dimension, dimension_verdict, anything_fresh=diagnosis.anything_fresh
            )
    for dimension, dimension_verdict in dimensions:
        if dimension_verdict.decision == "INCONCLUSIVE":
            actions.append(_after_doubt(dimension, dimension_verdict))
    return list(dict.fromkeys(actions))


def _after_fail(
    dimension: str, verdict: DimensionVerdict, *, anything_fresh: bool
) -> Iterator[Action]:
    """Yield remedies for disagreement, the rubric before the ratings."""
    yield Action(
        "rewrite_anchors",
        phrase(
            "Rewrite the anchors of {dimension}: give every level one example that all raters can "
            "see, and decide the boundary cases in the rubric.",
            dimension=dimension,
        ),
        dimension,
    )
    if anything_fresh:
        yield _common_practice(dimension)
    if verdict.value >= _NEAR:
        yield Action(
            "third_rater",
            phrase(
                "Add another rater to the items of {dimension} on which the raters disagree most; "
                "the truth then rests on more opinions.",
                dimension=dimension,
            ),
            dimension,
        )
    if verdict.value < _WEAK:
        yield Action(
            "panel",
            phrase(
                "Send the items of {dimension} that stay in dispute to the panel of experts, or "
                "drop the dimension: more ratings rarely fix agreement this low.",
                dimension=dimension,
            ),
            dimension,
        )


def _common_practice(dimension: str) -> Action:
    """Recalibration of all raters."""
    return Action(
        "recalibrate",
        phrase(
            "Discuss with all raters the 20 to 30 items of {dimension} on which they disagree "
            "most, then rate new items; ratings of the discussed items do not count for the "
            "gate.",
            dimension=dimension,
        ),
        dimension,
        items=30,
    )


def _after_doubt(dimension: str, verdict: DimensionVerdict) -> Action:
    """Remedy for insufficient evidence."""
    if verdict.needed_items is None:
        return Action(*_without_more_items(dimension, verdict), dimension)
    text = phrase(
        "Collect {items} with two ratings each on {dimension}; then judge again.",
        items=counted(verdict.needed_items, "more randomly drawn item"),
        dimension=dimension,
    )
    return Action("collect_items", text, dimension, items=verdict.needed_items)


def _without_more_items(dimension: str, verdict: DimensionVerdict) -> tuple[str, Phrase]:
    """Kind and sentence of the remedy where more items do not help."""
    if verdict.paradox:
        return "collect_rare", phrase(
            "Draw more items that are likely to be rated in the rare categories of {dimension} "
            "(low confidence, high error rate), keep their inclusion probabilities known, and "
            "compare {statistic} with alpha.",
            dimension=dimension,
            statistic=statistic("gwet_ac").label,
        )
    if verdict.small_pool:
        return "release", phrase(
            "The whole pool is too small for the gate to decide on {dimension}: judge the "
            "agreement yourself and release the evaluation with a reason, or rate a larger pool.",
            dimension=dimension,
        )
    if verdict.uniform:
        return "collect_rare", phrase(
            "Everybody gave every item of {dimension} the same rating, so agreement cannot be "
            "measured, and another rater would not change that. Read ten items: if any of them "
            "deserves another rating, go through the anchors with the raters. If none does, draw "
            "items that are likely to be bad (low confidence, high error rate), keep their "
            "inclusion probabilities known, or release the evaluation with a reason.",
            dimension=dimension,
        )
    if isnan(verdict.value):
        return "fix_data", phrase(
            "Give the items of {dimension} to a second rater, and check that the declared scale "
            "fits the ratings: agreement cannot be computed from the present ratings.",
            dimension=dimension,
        )
    return "third_rater", phrase(
        "Add another rater to the items of {dimension}: more ratings per item narrow the interval "
        "where more items do not.",
        dimension=dimension,
    )


def _responsible_raters(diagnosis: Diagnosis, verdict: Verdict) -> Iterator[Action]:
    """Yield an action for each rater whose removal clearly raises agreement."""
    responsible = [
        (dimension, str(rater), fixed(gain.value, 2))
        for dimension, gains in diagnosis.without_rater.items()
        if dimension in verdict.by_dimension
        for rater, gain in sorted(gains.items(), key=lambda pair: -pair[1].value)
        if is_clear_gain(gain)
    ]
    company = len({rater for _, rater, _ in responsible}) > 1
    for dimension, rater, gain in responsible:
        if not diagnosis.supplies_known:
            yield refer_to_verdict(dimension, rater, gain)
        elif not diagnosis.anything_fresh:
            yield discuss_anchors(dimension, rater, gain)
        elif company or (rater, dimension) not in diagnosis.never_alone:
            yield recalibrate_alone(dimension, rater, gain)
        else:
            yield recalibrate_all(dimension, rater)


def is_clear_gain(gain: Estimate) -> bool:
    """Whether alpha without one rater is so much higher that the rater deserves a word.

    Examples
    --------
    >>> is_clear_gain(Estimate(0.12, 0.05, 0.19)), is_clear_gain(Estimate(0.12, -0.01, 0.25))
    (True, False)
    """
    return gain.value >= _CLEAR_GAIN and gain.low > 0


def _of_patterns(diagnosis: Diagnosis, verdict: Verdict) -> Iterator[Action]:
    """Yield advice on problem patterns in dimensions that did not pass."""
    for dimension, patterns in diagnosis.patterns.items():
        dimension_verdict = verdict.by_dimension.get(dimension)
        if dimension_verdict is None or dimension_verdict.decision == "PASS":
            continue
        for pattern in patterns:
            text = phrase(
                "On {dimension}: {sentence} {advice}",
                dimension=dimension,
                sentence=pattern.sentence,
                advice=OF_PATTERNS[pattern.kind],
            )
            items = len(pattern.subjects) if pattern.kind in OF_ITEMS else None
            yield Action("discuss", text, dimension, items=items)
