"""Advice on biases, for all dimensions on which a rater has the same bias.

The measures against biases are those of the reference text (an evaluation framework for language
quality): dimensions rated apart, random order, calibration samples, breaks and small batches,
training.
"""

from collections.abc import Iterator, Sequence

from ocrjury.bias import findings as units
from ocrjury.bias.findings import BiasFinding
from ocrjury.bias.phrases import Habit, above, behaviour, habit, measure
from ocrjury.gate.verdict import Action
from ocrjury.language import Phrase, phrase
from ocrjury.sentences import listed

_ANCHORS = phrase(
    "go through the anchors together and compare the ratings of ten common items; inferred labels "
    "allow for a steady shift"
)
_APART = phrase("rate one dimension at a time, with the ratings on the others out of sight")
_SAME_ANSWERS = phrase(
    "review these items, have them rated again where the answers do not fit, and hand out smaller "
    "batches"
)
_ALL_LEVELS = phrase("show an example of every level, and say when to use it")

_ADVICE: dict[str, tuple[Phrase, Phrase]] = {
    units.POINTS: (_ANCHORS, _ANCHORS),
    units.CORRELATION: (_APART, _APART),
    units.POINTS_PER_POINT: (
        phrase("give every rater a random order of items, and begin with some calibration items"),
        phrase(
            "judge an item by the anchors, not by the previous item: keep an example of every "
            "level in sight"
        ),
    ),
    units.POINTS_PER_SESSION: (
        phrase(
            "shorten the sessions, and begin each with the anchors and a few items that do not "
            "count"
        ),
        phrase("shorten the sessions, and add breaks"),
    ),
    units.DISTANCE_PER_SESSION: (
        phrase("shorten the sessions, add breaks, and hand out smaller batches"),
        phrase("begin each session with a few training items that do not count"),
    ),
    units.SLOPE_RATIO: (
        phrase("show examples of the middle levels"),
        phrase("show an example of every level, especially of the extremes"),
    ),
    units.SPREAD_RATIO: (_ALL_LEVELS, _ALL_LEVELS),
    units.RUN: (_SAME_ANSWERS, _SAME_ANSWERS),
}
"""Advice for an effect above and for an effect below the null value, by unit."""
_ANY_ADVICE = phrase("compare the ratings of ten common items")


def of_findings(findings: Sequence[BiasFinding], *, stretched: bool = False) -> Iterator[Action]:
    """Yield advice on flagged findings, one for all dimensions with the same bias of a rater.

    ``stretched`` tells that points are hundredths of a scale.
    """
    flagged = [finding for finding in findings if finding.flagged]
    # A bias of the average rater gives one piece of advice, not one for each rater.
    shared = {habit(finding) for finding in flagged if finding.rater is None}
    habits: dict[tuple[object, Habit], list[BiasFinding]] = {}
    for finding in flagged:
        if finding.rater is None or habit(finding) not in shared:
            habits.setdefault((finding.rater, habit(finding)), []).append(finding)
    for (rater, _), same in habits.items():
        yield Action(
            "discuss",
            _sentence(same, stretched=stretched),
            same[0].dimension if len(same) == 1 else None,
            None if rater is None else str(rater),
        )


def _sentence(same: Sequence[BiasFinding], *, stretched: bool) -> Phrase:
    """Sentence with a rater's bias, its dimensions and size, and the advice."""
    first = same[0]
    return phrase(
        "{who} {behaviour}{where}: {advice}.",
        who=phrase("The average rater") if first.rater is None else str(first.rater),
        behaviour=_behaviour(first),
        where=_where(same, stretched=stretched),
        advice=_advice(first),
    )


def _behaviour(finding: BiasFinding) -> Phrase:
    if finding.unit in _ADVICE:
        return behaviour(finding.unit, finding.effect)
    return phrase("shows {kind}", kind=finding.kind.replace("_", " "))


def _advice(finding: BiasFinding) -> Phrase:
    high, low = _ADVICE.get(finding.unit, (_ANY_ADVICE, _ANY_ADVICE))
    return high if above(finding.unit, finding.effect) else low


def _where(same: Sequence[BiasFinding], *, stretched: bool) -> str:
    """Dimensions of a bias with its size on each."""
    if same[0].dimension is None:
        return phrase(" ({size})", size=_size(same[0], stretched=stretched))
    places = [
        phrase(
            "on {dimension} ({size})",
            dimension=finding.dimension,
            size=_size(finding, stretched=stretched),
        )
        for finding in same
    ]
    return phrase(" {places}", places=listed(places))


def _size(finding: BiasFinding, *, stretched: bool) -> Phrase:
    """Size of an effect, in a number and in a word."""
    number = measure(finding.unit, finding.effect, stretched=stretched)
    if finding.level is None:
        return number
    if finding.level == "low":
        return phrase("{number}, a small effect", number=number)
    if finding.level == "medium":
        return phrase("{number}, a medium effect", number=number)
    return phrase("{number}, a large effect", number=number)
