"""Warnings about an estimate from ratings, in whole sentences."""

import numpy as np

from ocrjury.estimation.rater_error import RatedFit
from ocrjury.language import phrase

_NOTABLE = 0.9
"""Weights above this make no visible difference and are not reported."""


def rated_warnings(fit: RatedFit) -> tuple[str, ...]:
    """Warnings about an estimate, in whole sentences."""
    sentences: list[str] = [*fit.mean.warnings, *_unrated(fit)]
    if fit.n_raters > 1 and not fit.additive.connected:
        sentences.append(
            phrase(
                "Items in common join the {raters} raters into {groups} groups, not one, so strict "
                "raters cannot be told from hard items between groups; let raters share items.",
                raters=len(fit.additive.group),
                groups=int(fit.additive.n_groups),
            )
        )
    weight = fit.additive.weight
    sentences.extend(
        phrase(
            "Ratings of {rater} scatter far more than those of the others and get {share} of a "
            "colleague’s weight.",
            rater=str(fit.data.raters[place]),
            share=f"{weight[place]:.0%}",
        )
        for place in np.flatnonzero(weight < _NOTABLE)
    )
    return tuple(sentences)


def _silent(number: int) -> str:
    """Warning about strata without a rating."""
    if number == 1:
        return phrase(
            "1 stratum has no rated item at all; those of the others stand for it, which may be "
            "wrong by as much as strata differ."
        )
    return phrase(
        "{n} strata have no rated item at all; those of the others stand for them, which may be "
        "wrong by as much as strata differ.",
        n=number,
    )


def _unrated(fit: RatedFit) -> list[str]:
    """Warnings about items without a rating."""
    n, rated = len(fit.data.pi), len(fit.rows)
    if rated == n:
        return []
    sentences: list[str] = [
        phrase(
            "{missing} of {n} items have no rating; the rated items of their stratum stand for "
            "them.",
            missing=n - rated,
            n=n,
        )
    ]
    silent = len(np.setdiff1d(fit.data.stratum, fit.data.stratum[fit.rows]))
    if silent:
        sentences.append(_silent(silent))
    return sentences
