"""Advice for each flagged bias finding and for problem patterns in the ratings.

The measures are those of the reference text (an evaluation framework for language quality):
dimensions rated apart, random order, calibration samples, breaks and small batches, training.
"""

from collections.abc import Iterator, Sequence

from ocrjury.bias import findings as units
from ocrjury.bias.findings import BiasFinding
from ocrjury.bias.phrases import above, behaviour, measure
from ocrjury.gate.verdict import Action

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
