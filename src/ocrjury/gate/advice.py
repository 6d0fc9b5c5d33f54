"""What to do about a rater's habits, for each flagged finding of bias, and about signs of trouble.

The measures are those of the reference text (an evaluation framework for language quality):
dimensions rated apart, random order, calibration samples, breaks and small batches, training.
"""

from collections.abc import Iterator, Sequence

from ocrjury.bias import findings as units
from ocrjury.bias.findings import BiasFinding
from ocrjury.bias.phrases import above, behaviour, measure
from ocrjury.gate.verdict import Action

Habit = tuple[str, str, bool]
"""Kind, unit and direction."""

_SIZES = {"low": "small", "medium": "medium", "high": "large"}
_ANCHORS = (
    "go through the anchors together and compare the ratings of ten common items; inferred labels "
    "allow for a steady shift"
)
_APART = "rate one dimension at a time, with the ratings on the others out of sight"
_BY_ANCHORS = (
    "judge an item by the anchors, not by the item before it: keep an example of every level in "
    "sight"
)
_SAME_ANSWERS = (
    "look at these items, have them rated again where the answers do not fit, and hand out smaller "
    "batches"
)
_ALL_LEVELS = "show an example of every level, and say when to use it"

_ADVICE: dict[str, tuple[str, str]] = {
    units.POINTS: (_ANCHORS, _ANCHORS),
    units.CORRELATION: (_APART, _APART),
    units.POINTS_PER_POINT: (
        "give every rater a random order of items, and some calibration items to begin with",
        _BY_ANCHORS,
    ),
    units.POINTS_PER_SESSION: (
        "shorten the sessions, and begin each with the anchors and a few items that do not count",
        "shorten the sessions, and add breaks",
    ),
    units.DISTANCE_PER_SESSION: (
        "shorten the sessions, add breaks, and hand out smaller batches",
        "begin each session with a few practice items that do not count",
    ),
    units.SLOPE_RATIO: (
        "show examples of the levels between the ends",
        "show an example of every level, those of the ends above all",
    ),
    units.SPREAD_RATIO: (_ALL_LEVELS, _ALL_LEVELS),
    units.RUN: (_SAME_ANSWERS, _SAME_ANSWERS),
}
"""By unit, what helps where the effect is above and below the one that is no effect."""


OF_PATTERNS = {
    "wide_range": "Read these items together before anything else.",
    "split": "Write down what passes and what fails.",
    "rater_means": "Let the two compare their anchors on the same ten items.",
    "single_value": "Ask whether the scale was understood.",
}
"""What to do about a sign of trouble in the ratings, by its kind."""


def of_findings(findings: Sequence[BiasFinding]) -> Iterator[Action]:
    """Yield advice on flagged findings, one for all dimensions on which a rater does the same."""
    flagged = [finding for finding in findings if finding.flagged]
    # What raters do on average is one piece of advice, not one for each of them.
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
    """Return what tells one habit from another."""
    return finding.kind, finding.unit, above(finding.unit, finding.effect)


def _sentence(same: Sequence[BiasFinding]) -> str:
    """Return what a rater does, where and how much, and what helps."""
    first = same[0]
    who = "The average rater" if first.rater is None else str(first.rater)
    *others, last = map(_place, same)
    where = f"{','.join(others)} and{last}" if others else last
    if first.unit not in _ADVICE:
        kind = first.kind.replace("_", " ")
        return f"{who} shows {kind}{where}: compare the ratings of ten common items."
    high, low = _ADVICE[first.unit]
    advice = high if above(first.unit, first.effect) else low
    return f"{who} {behaviour(first.unit, first.effect)}{where}: {advice}."


def _place(finding: BiasFinding) -> str:
    """On which dimension, and how large the effect is."""
    on = "" if finding.dimension is None else f" on {finding.dimension}"
    size = f", a {_SIZES[finding.level]} effect" if finding.level else ""
    return f"{on} ({measure(finding.unit, finding.effect)}{size})"
