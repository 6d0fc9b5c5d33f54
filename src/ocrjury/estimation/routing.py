"""Routing by confidence: the share of a pool that needs no person at a given risk."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Booleans, Floats
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.estimation.hajek import hajek_fit
from ocrjury.estimation.interval import Part, with_interval
from ocrjury.estimation.linear_estimate import (
    LinearMean,
    checked_clusters,
    checked_sample,
    no_items,
)

STEPS = 20
"""Shares of the pool that are looked at: a twentieth, two twentieths, and so on."""
_END = 0.025
_ROOM = 2
"""Tests begin where one wrong document does not end them at once; more room helps little."""


@dataclass(frozen=True, slots=True)
class Routing:
    """Share of the pool that needs no person, and its error rate.

    Attributes
    ----------
    share
        Largest share of the pool, the most confident documents first, of which at most ``risk``
        are wrong. The interval's lower end is proven: with 97.5 % confidence, at most ``risk`` of
        that share are wrong. 0: nothing is.
    threshold
        Confidence from which documents belong to the proven share; ``nan`` where there is none.
    wrong
        Share of wrong documents in the proven share; undefined (``no_items``) where there is none.
        A share is proven where few documents happen to be wrong, so the value tends to be too low;
        the bound at ``risk`` allows for that.
    risk
        Largest share of wrong documents that is acceptable.
    """

    share: Estimate
    threshold: float
    wrong: Estimate
    risk: float


def route_by_confidence(
    wrong: npt.ArrayLike,
    inclusion_probability: npt.ArrayLike,
    *,
    confidence: npt.ArrayLike,
    pool_confidence: npt.ArrayLike,
    risk: float,
    cluster: npt.ArrayLike | None = None,
    share_wrong: Callable[[Booleans], Estimate] | None = None,
) -> Routing:
    """Share of a pool that can go without a check, from a rated sample of it.

    Parameters
    ----------
    wrong
        How wrong each document drawn is, shape (n,), from 0 to 1: 0 or 1, or the share of its
        raters who call it wrong.
    inclusion_probability
        Inclusion probability of each, shape (n,).
    confidence
        Confidence of the OCR in each, shape (n,); ``nan`` where there is none.
    pool_confidence
        Confidence of every document of the pool, shape (N,); ``nan`` where there is none. Such
        documents are always checked.
    risk
        Largest acceptable share of wrong documents among those that nobody checks, between 0
        and 1.
    cluster
        Cluster in which each document was drawn, as for `hajek_mean`.
    share_wrong
        From the documents that are confident enough, shape (n,), to the share of them that is wrong
        with its 95 % interval, such as that of `rated_share` for other raters. None: `hajek_mean`
        of ``wrong``, so that what is proven holds for the raters who rated.

    Raises
    ------
    InputError
        If lengths differ, ``wrong`` is not from 0 to 1, or ``risk`` not between them.

    Notes
    -----
    Shares are tested one after the other, the most confident first, and the first that fails ends
    the search, so that no correction for many tests is needed: fixed-sequence testing as in
    Angelopoulos and others (2025), Learn then test, Annals of Applied Statistics 19(2), 1641-1662.
    It begins where the sample holds about twice the documents that a pass needs, which its size
    decides and not what was found. The bound is that of `hajek_mean`. The upper end is the largest
    share whose lower bound does not exceed ``risk``.

    Examples
    --------
    >>> import numpy as np
    >>> sure = np.linspace(0.01, 1, 500)
    >>> wrong = sure < 0.4
    >>> found = route_by_confidence(
    ...     wrong, np.full(500, 0.5), confidence=sure, pool_confidence=sure.repeat(2), risk=0.05
    ... )
    >>> found.share.low, round(found.threshold, 2)
    (0.6, 0.41)
    """
    values, pi = checked_sample(wrong, inclusion_probability, who="route_by_confidence")
    sure = np.asarray(confidence, dtype=float)
    pool = np.asarray(pool_confidence, dtype=float)
    groups = np.arange(len(values)) if cluster is None else np.asarray(cluster)
    if not len(values) == len(sure) == len(groups):
        raise InputError(
            f"route_by_confidence: {len(values)} documents, {len(sure)} confidences and "
            f"{len(groups)} clusters; give one of each for every document."
        )
    if len(values) and not (values.min() >= 0 and values.max() <= 1):
        raise InputError(
            f"route_by_confidence: wrong must lie from 0 to 1; found {values.min():g} to "
            f"{values.max():g}."
        )
    if not 0 < risk < 1:
        raise InputError(f"route_by_confidence: risk must lie between 0 and 1; found {risk:g}.")
    drawn = _Drawn(values, pi, groups, sure)
    cuts = _thresholds(pool)
    tried = [_Cut.of(drawn, pool, threshold, share_wrong=share_wrong) for threshold in cuts]
    proven = _proven(tried, risk)
    low = 0.0 if proven is None else proven.share
    likely = max((cut.share for cut in tried if cut.wrong.value <= risk), default=0.0)
    high = max((cut.share for cut in tried if not cut.wrong.low > risk), default=0.0)
    share = Estimate(
        max(likely, low),
        low,
        max(high, likely, low),
        n_items=len(values),
        method="fixed-sequence tests",
    )
    if proven is None:
        return Routing(share, float("nan"), Estimate(float("nan"), reason="no_items"), risk)
    return Routing(share, proven.threshold, proven.wrong, risk)


class _Drawn(NamedTuple):
    """Documents drawn: wrong or not, inclusion probability, cluster, confidence."""

    wrong: Floats
    pi: Floats
    cluster: npt.NDArray[np.generic]
    sure: Floats

    def above(self, threshold: float) -> "_Drawn":
        """Documents with this confidence or more."""
        chosen = self.sure >= threshold
        return _Drawn(self.wrong[chosen], self.pi[chosen], self.cluster[chosen], self.sure[chosen])


class _Cut(NamedTuple):
    """Documents from a confidence up: their share of the pool, and how many are wrong.

    ``least`` is the upper end that they would have if none were wrong.
    """

    threshold: float
    share: float
    wrong: Estimate
    least: float

    @classmethod
    def of(
        cls,
        drawn: _Drawn,
        pool: Floats,
        threshold: float,
        *,
        share_wrong: Callable[[Booleans], Estimate] | None,
    ) -> Self:
        """Cut at a confidence."""
        rest = drawn.above(threshold)
        share = float((pool >= threshold).mean())
        if not len(rest.pi):
            return cls(threshold, share, no_items("Hajek"), 1.0)
        fit = hajek_fit(rest.wrong, rest.pi)
        fit = fit.drawn_in(checked_clusters(rest.cluster, len(rest.pi)))
        wrong = _of_these(fit) if share_wrong is None else share_wrong(drawn.sure >= threshold)
        return cls(threshold, share, wrong, 1 - _END ** (1 / fit.effective_n))


def _of_these(fit: LinearMean) -> Estimate:
    """Share of wrong documents, by the raters who rated."""
    return with_interval(
        Estimate(fit.value, n_items=len(fit.pi), method=fit.method),
        [Part(fit.variance(), fit.df)],
        confidence=1 - 2 * _END,
        census=bool((fit.pi >= 1).all()),
        share_of=fit.effective_n,
        draws=fit.draws,
    )


def _proven(tried: list[_Cut], risk: float) -> _Cut | None:
    """Last cut that passes before one fails, None if the first that may pass fails."""
    able = [cut for cut in tried if _ROOM * cut.least <= risk]
    passed = list(takewhile(lambda cut: cut.wrong.high <= risk, able))
    return passed[-1] if passed else None


def _thresholds(pool: Floats) -> list[float]:
    """Confidences that cut off a twentieth of the pool and more, the highest first."""
    known = np.sort(pool[np.isfinite(pool)])[::-1]
    places = np.ceil(np.arange(1, STEPS + 1) / STEPS * len(pool)).astype(int) - 1
    cuts = [float(known[place]) for place in places if place < len(known)]
    return list(dict.fromkeys(cuts))
