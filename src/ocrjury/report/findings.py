"""Findings on a rater in words, for the column of what to look at."""

from collections.abc import Iterable, Mapping

from ocrjury.bias.findings import BiasFinding
from ocrjury.bias.phrases import behaviour, habit, measure
from ocrjury.estimate import Estimate
from ocrjury.gate.actions import is_clear_gain
from ocrjury.language import phrase
from ocrjury.pages.numbers import estimate_text, percent


def rater_flags(
    findings: Iterable[BiasFinding],
    gains: Mapping[str, Mapping[str, Estimate]],
    *,
    names: Mapping[str, str],
    stretched: bool = False,
) -> dict[str, tuple[str, ...]]:
    """Findings on each rater; a rater without any is no key.

    Parameters
    ----------
    findings
        What `ocrjury.bias.measure_bias` found; those that are flagged and name a rater count.
    gains
        By dimension what `ocrjury.agreement.gain_without_raters` returned.
    names
        Printed names of the dimensions by key.
    stretched
        Whether points are hundredths of a scale.
    """
    flags: dict[str, list[str]] = {}
    flagged = [finding for finding in findings if finding.flagged]
    # What all raters do needs no word on each of them.
    shared = {habit(finding) for finding in flagged if finding.rater is None}
    for finding in flagged:
        if finding.rater is not None and habit(finding) not in shared:
            flags.setdefault(str(finding.rater), []).append(
                finding_words(finding, names, stretched=stretched)
            )
    for dimension, by_rater in gains.items():
        for rater, gain in by_rater.items():
            if is_clear_gain(gain):
                words = gain_words(gain, names.get(dimension, dimension))
                flags.setdefault(str(rater), []).append(words)
    return {rater: tuple(words) for rater, words in flags.items()}


def pace_flags(rushed: Mapping[str, float], *, seconds: float) -> dict[str, tuple[str, ...]]:
    """Shares of items that raters submitted too soon, in words.

    Examples
    --------
    >>> pace_flags({"R01": 0.4}, seconds=3.0)
    {'R01': ('40% of items submitted in under 3 s',)}
    """
    return {
        rater: (
            phrase(
                "{share} of items submitted in under {seconds} s",
                share=percent(share, 0),
                seconds=f"{seconds:g}",
            ),
        )
        for rater, share in rushed.items()
    }


def gain_words(gain: Estimate, name: str) -> str:
    """Effect of leaving a rater out.

    Examples
    --------
    >>> gain_words(Estimate(0.12, 0.05, 0.19), "Meaning")
    'without this rater α on Meaning would be higher by 0.12 (0.05 to 0.19)'
    """
    return phrase(
        "without this rater α on {name} would be higher by {gain}",
        name=name,
        gain=estimate_text(gain),
    )


def finding_words(
    finding: BiasFinding, names: Mapping[str, str], *, stretched: bool = False
) -> str:
    """A flagged finding as a phrase.

    Examples
    --------
    >>> finding_words(BiasFinding("severity", "R03", "meaning", -0.43, "points"), {})
    'rates lower than colleagues on meaning (0.43 points)'
    """
    words = {
        "behaviour": behaviour(finding.unit, finding.effect),
        "size": measure(finding.unit, finding.effect, stretched=stretched),
    }
    if finding.dimension is None:
        return phrase("{behaviour} ({size})", **words)
    name = names.get(finding.dimension, finding.dimension)
    return phrase("{behaviour} on {name} ({size})", name=name, **words)
