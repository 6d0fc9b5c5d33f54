"""Hajek mean: the weighted mean that needs only inclusion probabilities."""

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Floats
from ocrjury.estimate import Estimate
from ocrjury.estimation.interval import Part, few_cases, is_share, with_interval
from ocrjury.estimation.linear_estimate import (
    LinearMean,
    check_confidence,
    checked_clusters,
    checked_sample,
    no_items,
)
from ocrjury.estimation.strata import Population, checked_strata


def hajek_mean(
    y: npt.ArrayLike,
    inclusion_probability: npt.ArrayLike,
    *,
    cluster: npt.ArrayLike | None = None,
    strata: npt.ArrayLike | None = None,
    population: Population | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """Mean of the pool from a sample with known inclusion probabilities, by Hajek.

    Parameters
    ----------
    y
        Outcome of each document drawn, shape (n,), finite: a score, or 0 and 1 for a share.
    inclusion_probability
        Inclusion probability of each document, as from `ocrjury.sampling.draw_sample`, shape (n,).
    cluster
        Cluster in which each document was drawn, such as its page where all outputs of a page are
        drawn together, shape (n,): errors are summed within a cluster before they are squared.
        None: each document was drawn individually.
    strata
        Stratum in which each document was drawn, shape (n,), if a fixed number was drawn in each:
        errors vary within strata only. None: one sample of the whole pool.
    population
        Number of documents in the pool, by stratum if there are strata; with ``cluster``, of
        clusters. The finite population correction is then 1 - n / N in place of 1 - pi.
    confidence
        Level of the interval.

    Returns
    -------
    Estimate
        ``nan`` with reason ``no_items`` without documents. The value without an interval with
        reason ``fewer_than_two_items`` with one document or one cluster, or ``no_variation`` if
        all outcomes are equal, because variation that was not observed cannot be measured; if the
        sample is the whole pool, the interval is the value itself. Outcomes of only 0 and 1 make
        a share, whose interval stays between them and never shrinks to a point. A stratum with one
        draw leaves no interval (``fewer_than_two_items``), with a warning.

    Notes
    -----
    sum(y / pi) / sum(1 / pi): Hajek (1971), comment on an essay by Basu, in Godambe and Sprott
    (eds), Foundations of Statistical Inference, 236. The variance is that of the linearised
    residuals (Sarndal, Swensson and Wretman 1992, section 5.7) by `deville_variance`, in each
    stratum; with pi = n_h / N_h mean and error are those of Cochran (1977), Sampling Techniques,
    equations 5.1 and 5.13.

    Examples
    --------
    >>> estimate = hajek_mean([5, 5, 2], [0.1, 0.1, 0.4])
    >>> round(estimate.value, 4), estimate.n_items
    (4.6667, 3)
    """
    check_confidence(confidence)
    values, pi = checked_sample(y, inclusion_probability, who="hajek_mean")
    if not len(values):
        return no_items("Hajek")
    fit = hajek_fit(values, pi).drawn_in(checked_clusters(cluster, len(values)))
    design = checked_strata(strata, population, len(values))
    if design is not None:
        fit = design.stratify(fit)
    return finished_mean(fit, values, confidence=confidence)


def hajek_fit(y: Floats, pi: Floats) -> LinearMean:
    """Mean with its weights and residuals."""
    weight = 1 / pi / (1 / pi).sum()
    value = float(weight @ y)
    # If all outcomes are equal, rounding errors must not look like variation.
    residual = y - value if np.ptp(y) > 0 else np.zeros(len(y))
    return LinearMean(weight, residual, pi, value, max(len(y) - 1, 1), "Hajek")


def finished_mean(fit: LinearMean, y: Floats, *, confidence: float) -> Estimate:
    """Estimate of a mean, or of a share, of outcomes measured without error."""
    share = is_share(y)
    few = few_cases(y) if share else ()
    return with_interval(
        Estimate(
            fit.value,
            n_items=len(fit.pi),
            method=fit.method,
            warnings=(*fit.warnings, *few),
            few=bool(few),
        ),
        [Part(fit.variance(), fit.df)],
        confidence=confidence,
        census=bool((fit.pi >= 1).all()),
        share_of=fit.effective_n if share else None,
        draws=fit.draws,
    )
