"""Findings on a rater in words, for the column of what to look at."""

from collections.abc import Hashable, Iterable, Mapping

from ocrjury.bias.findings import POINTS, RUN, BiasFinding
from ocrjury.estimate import Estimate
from ocrjury.pages.numbers import decimal, estimate_text, signed

CLEAR_GAIN = 0.05
"""Gain of alpha without a rater that is worth a word, if its interval excludes zero."""


def rater_flags(
    findings: Iterable[BiasFinding],
    gains: Mapping[str, Mapping[Hashable, Estimate]],
    *,
    names: Mapping[str, str],
) -> dict[str, tuple[str, ...]]:
    """Return what was found about each rater; who is not a key has nothing to look at.

    Parameters
    ----------
    findings
        What `ocrjury.bias.measure_bias` found; those that are flagged and name a rater count.
    gains
        By dimension what `ocrjury.agreement.gain_without_raters` returned.
    names
        Printed names of the dimensions by key.
    """
    found: dict[str, list[str]] = {}
    flagged = [finding for finding in findings if finding.flagged]
    # What the whole panel does needs no word on each of them.
    shared = {finding.kind for finding in flagged if finding.rater is None}
    for finding in flagged:
        if finding.rater is not None and finding.kind not in shared:
            found.setdefault(str(finding.rater), []).append(finding_words(finding, names))
    for dimension, by_rater in gains.items():
        for rater, gain in by_rater.items():
            if gain.value >= CLEAR_GAIN and gain.low > 0:
                words = gain_words(gain, names.get(dimension, dimension))
                found.setdefault(str(rater), []).append(words)
    return {rater: tuple(words) for rater, words in found.items()}


def gain_words(gain: Estimate, name: str) -> str:
    """Return what leaving a rater out would do.

    Examples
    --------
    >>> gain_words(Estimate(0.12, 0.05, 0.19), "Meaning")
    'without this rater α on Meaning would be higher by 0.12 (0.05 to 0.19)'
    """
    return f"without this rater α on {name} would be higher by {estimate_text(gain)}"


def finding_words(finding: BiasFinding, names: Mapping[str, str]) -> str:
    """Return a flagged finding as a phrase.

    Examples
    --------
    >>> finding_words(BiasFinding("severity", "R03", "meaning", -0.43, "points"), {})
    'rates 0.43 points lower than colleagues on meaning'
    """
    where = (
        ""
        if finding.dimension is None
        else f" on {names.get(finding.dimension, finding.dimension)}"
    )
    if finding.unit == POINTS:
        side = "lower" if finding.effect < 0 else "higher"
        return f"rates {decimal(abs(finding.effect))} points {side} than colleagues{where}"
    if finding.unit == RUN:
        return f"gives the same answers {finding.effect:.0f} times in a row{where}"
    usual, reverse, middle = _PHRASES[finding.kind]
    words = usual if finding.effect >= middle else reverse
    effect = decimal(finding.effect) if middle else signed(finding.effect)
    return f"{words}{where} ({finding.unit} {effect})"


_PHRASES: Mapping[str, tuple[str, str, float]] = {
    "severity": ("rates higher than colleagues", "rates lower than colleagues", 0.0),
    "halo": ("lets one dimension colour the others", "sets dimensions apart", 0.0),
    "anchoring": ("follows the previous rating", "moves away from the previous rating", 0.0),
    "order": ("rates higher as a session goes on", "rates lower as a session goes on", 0.0),
    "central_tendency": ("goes to the ends of the scale", "keeps to the middle of the scale", 1.0),
    "range_restriction": ("uses more of the scale", "uses only part of the scale", 1.0),
}
"""What an effect means above and below the number that is no effect."""
