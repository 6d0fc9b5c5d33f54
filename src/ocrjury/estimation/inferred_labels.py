"""Mean of inferred labels over the pool, with the uncertainty of the labels."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.estimation.greg import Auxiliary, greg_fit, known_auxiliary
from ocrjury.estimation.interval import Part, few_cases, is_share, with_interval
from ocrjury.estimation.linear_estimate import (
    check_confidence,
    checked_clusters,
    checked_sample,
    no_items,
)

_SUM_TOLERANCE = 1e-6


def inferred_mean(
    probabilities: npt.ArrayLike,
    inclusion_probability: npt.ArrayLike,
    *,
    levels: npt.ArrayLike,
    auxiliary: npt.ArrayLike | None = None,
    pool_mean: npt.ArrayLike | None = None,
    cluster: npt.ArrayLike | None = None,
    left_out: Sequence[npt.ArrayLike] = (),
    confidence: float = 0.95,
) -> Estimate:
    """Mean of an inferred label over the pool, with an interval that includes its uncertainty.

    Parameters
    ----------
    probabilities
        Probability of each category of each document drawn, (n, K), as in ``Truth.probabilities``.
    inclusion_probability, cluster, confidence
        As in `hajek_mean`.
    levels
        Value of each category, shape (K,): its number for a mean; 1 and 0 for a share, such
        as 1 where the category is at least 4.
    auxiliary, pool_mean
        As in `greg_mean`; without them the Hajek mean.
    left_out
        For each rater the probabilities inferred without that rater, each of shape (n, K); rows
        of nan where nobody else rated a document. With them the interval is for other raters.

    Returns
    -------
    Estimate
        Undefined as in `hajek_mean`.

    Notes
    -----
    Added to the variance of the draw are the posterior variances of the sampled documents,
    sum(omega^2 v), which is what multiple imputation adds between its imputations (Rubin 1987),
    and the delete-one-rater jackknife (M - 1) / M sum((theta_r - mean)^2), because all documents
    depend on the same estimates of the raters. In simulations with six raters the draw alone
    covered 52 %, with posterior variances 70 %, with the jackknife 94 %: without ``left_out`` the
    interval is conditional on this model of the raters. Clusters matter for the variance of the
    draw only: posterior variances are those of single documents.

    Examples
    --------
    >>> sure = inferred_mean([[0, 1], [1, 0], [0, 1]], [0.1] * 3, levels=[4, 5])
    >>> torn = inferred_mean([[0, 1], [1, 0], [0.4, 0.6]], [0.1] * 3, levels=[4, 5])
    >>> round(sure.value, 2), round(torn.value, 2), bool(torn.se > 0.9 * sure.se)
    (4.67, 4.53, True)
    """
    check_confidence(confidence)
    counts = np.asarray(levels, dtype=float)
    chances = _checked(probabilities, counts, what="probabilities")
    y, pi = checked_sample(chances @ counts, inclusion_probability, who="inferred_mean")
    known = known_auxiliary(auxiliary, pool_mean, len(y))
    if not len(y):
        return no_items("inferred labels")
    fit = greg_fit(y, pi, known, cluster=checked_clusters(cluster, len(y)))
    posterior_variance = np.maximum(chances @ counts**2 - y**2, 0.0)
    parts = [Part(fit.variance(), fit.df), Part(float(fit.weight**2 @ posterior_variance), fit.df)]
    if len(left_out):
        parts.append(_jackknife(left_out, counts, pi, known=known))
    share = is_share(counts)
    few = few_cases(y) if share else ()
    whose = "other raters like these" if len(left_out) else "this model of these raters"
    estimate = Estimate(
        fit.value,
        n_items=len(y),
        n_raters=len(left_out),
        method=f"{fit.method} of inferred labels, {whose}",
        warnings=(*fit.warnings, *few),
        few=bool(few),
    )
    share_of = fit.effective_n if share else None
    return with_interval(estimate, parts, confidence=confidence, share_of=share_of, draws=fit.draws)


def _jackknife(
    left_out: Sequence[npt.ArrayLike], levels: Floats, pi: Floats, *, known: Auxiliary | None
) -> Part:
    """Variance between raters, by the delete-one jackknife."""
    if len(left_out) < 2:
        raise InputError(
            f"left_out needs one array for each of at least 2 raters; found {len(left_out)}. "
            "With one rater nothing shows how much raters differ; leave it out."
        )
    means = []
    for place, given in enumerate(left_out):
        chances = _checked(given, levels, what=f"left_out[{place}]", missing=True)
        if len(chances) != len(pi):
            raise InputError(
                f"left_out[{place}] needs one row for each of the {len(pi)} documents; found "
                f"{len(chances)}."
            )
        rated = np.isfinite(chances).all(axis=1)
        if not rated.any():
            raise InputError(
                f"left_out[{place}] has no document that another rater rated; without overlap "
                "nothing shows how much raters differ."
            )
        subset = None if known is None else (known[0][rated], known[1])
        means.append(greg_fit(chances[rated] @ levels, pi[rated], subset).value)
    spread = np.array(means) - np.mean(means)
    raters = len(means)
    return Part(float((raters - 1) / raters * (spread @ spread)), raters - 1)


def _checked(
    probabilities: npt.ArrayLike, levels: Floats, *, what: str, missing: bool = False
) -> Floats:
    """Probabilities (n, K) as an array, checked."""
    chances = np.asarray(probabilities, dtype=float)
    if levels.ndim != 1 or not np.isfinite(levels).all():
        raise InputError(f"levels needs one finite number per category; found {levels!r}.")
    if chances.ndim != 2 or chances.shape[1] != len(levels):
        raise InputError(
            f"{what} needs one row per document and one column for each of the {len(levels)} "
            f"levels; found shape {chances.shape}."
        )
    rows = chances[np.isfinite(chances).all(axis=1)] if missing else chances
    right = (rows >= 0).all(axis=1) & (np.abs(rows.sum(axis=1) - 1) < _SUM_TOLERANCE)
    if not right.all():
        raise InputError(
            f"each row of {what} must sum to 1 and hold nothing below 0; "
            f"{int((~right).sum())} do not, the first at place {int(np.argmin(right))}."
        )
    return chances
