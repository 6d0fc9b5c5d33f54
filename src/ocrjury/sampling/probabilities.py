"""Inclusion probabilities: a mixture of a random, a stratified and an error-focused component.

Symbols: N documents, n of them drawn, N_h documents in stratum h, pi_i the probability that
document i is drawn.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats, Integers
from ocrjury.errors import InputError
from ocrjury.language import joined, phrase
from ocrjury.sampling.designs import Design
from ocrjury.sampling.frame import (
    SHARES,
    SamplingFrame,
    check_unique,
    exact_sum,
    sampling_frame,
)


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    """Inclusion probabilities with their components.

    Attributes
    ----------
    pi
        Inclusion probabilities, shape (N,).
    mixture
        Size of each document in each component, shape (N, 3), before the factor ``scale``.
    scale
        Factor for strata above their floor.
    note
        Any departure from the request, else empty.
    """

    pi: Floats
    mixture: Floats
    scale: float
    note: str

    def parts(self, places: Integers) -> Floats:
        """Contribution of each component to pi (n, 3), as shares that sum to 1.

        The random part is c / N for every document, so that the documents drawn for that reason
        are an equal-probability sample. What a floor adds counts as stratified; what the cap at 1
        removes is taken from the other two parts.
        """
        pi, parts = self.pi[places], self.scale * self.mixture[places]
        total = parts.sum(axis=1)
        over, focused = total > pi, total - parts[:, 0]
        left = np.maximum(pi - parts[:, 0], 0.0)
        cut = np.divide(left, focused, out=np.zeros_like(left), where=focused > 0)
        parts[:, 1] += np.maximum(pi - total, 0.0)
        parts[over, 1:] *= cut[over, None]
        return np.asarray(parts / parts.sum(axis=1, keepdims=True), dtype=float)


def inclusion_probabilities(
    pool: pd.DataFrame,
    *,
    n: int,
    shares: Mapping[str, float] = SHARES,
    stratum: str | None,
    risk: str | None,
    floor: int = 2,
    design: Design = "mixture",
) -> Floats:
    """Inclusion probability of each document in a sample of ``n``, shape (N,).

    Parameters
    ----------
    pool
        One row per document, with a unique ``doc_id``.
    n
        Documents to draw, from 1 to N; the sum of the probabilities.
    shares
        Shares of the three components, which sum to 1: ``random`` gives every document the same
        probability; ``stratified`` allocates to strata by the square root of their size, so that
        small strata are represented; ``error_focused`` is proportional to the risk.
    stratum
        Column with each document's stratum; missing values form a stratum. None: a single stratum.
    risk
        Column of numbers of at least 0, such as `risk_scores`. None, or a column of zeros:
        the error-focused share goes to the other two proportionally.
    floor
        Least expected number of documents from each stratum (all of a smaller one). If n is too
        small for it, the floor is lowered equally for all strata.
    design
        ``"mixture"``: the three components. ``"stratified"``: the same probability everywhere
        except for the floor, with fixed counts per stratum. ``"target"``: proportional to the risk,
        which should be the expected standard deviation of one outcome, as from `expected_spread`,
        with a tenth at random in case that is wrong. The last two do not accept shares.

    Notes
    -----
    pi_i = min(1, c q_i) with q_i the mixture; documents that reach 1 are drawn with certainty and
    the rest is allocated again (Sarndal, Swensson and Wretman 1992, Model Assisted Survey Sampling,
    section 3.6.2). Power allocation: Bankier (1988), The American Statistician 42(3), 174-177.
    Probabilities proportional to the standard deviation are optimal for one outcome (section
    3.6.1); where it is constant within strata they are Neyman's (1934) allocation
    n_h ~ N_h S_h.

    Examples
    --------
    >>> pool = pd.DataFrame({"doc_id": list("abcd"), "type": list("xxxy"), "cer": [0, 0, 1, 1]})
    >>> inclusion_probabilities(pool, n=2, stratum="type", risk="cer", floor=1).round(3).tolist()
    [0.283, 0.283, 0.434, 1.0]
    """
    frame = sampling_frame(pool, shares=shares, stratum=stratum, risk=risk, design=design)
    check_unique(frame)
    return mixture_probabilities(frame, n=n, floor=floor).pi


def mixture_probabilities(frame: SamplingFrame, *, n: int, floor: int) -> Probabilities:
    """Inclusion probabilities of the documents of a frame."""
    _check_size(n, floor, frame.size)
    mixture = _mixture(frame)
    size = mixture.sum(axis=1)
    _check_chances(frame, size)
    if n == frame.size:
        return Probabilities(np.ones(n), mixture / size[:, None], 1.0, frame.note)
    pi, scale, lowered = _floored(size, n=n, stratum=frame.stratum, floor=floor)
    return Probabilities(pi, mixture, scale, joined([frame.note, lowered]))


def _mixture(frame: SamplingFrame) -> Floats:
    """Components of q (N, 3); each column sums to its share."""
    in_stratum = np.bincount(frame.stratum).astype(float)
    power = np.where(in_stratum > 0, in_stratum**frame.power, 0.0)
    stratified = power / power.sum() / np.maximum(in_stratum, 1)
    mixture = np.empty((frame.size, 3), order="F")
    mixture[:, 0] = frame.shares[0] / frame.size
    mixture[:, 1] = (frame.shares[1] * stratified)[frame.stratum]
    mixture[:, 2] = frame.shares[2] * _in_proportion(frame.risk)
    return mixture


def _in_proportion(risk: Floats) -> Floats:
    """Risks as shares of their sum; zeros if all risks are 0."""
    most = risk.max(initial=0.0)
    if most <= 0:
        return np.zeros(len(risk))
    relative = risk / most
    return np.asarray(relative / exact_sum(relative), dtype=float)


def _floored(size: Floats, *, n: int, stratum: Integers, floor: int) -> tuple[Floats, float, str]:
    """Probabilities with a floor per stratum, the factor of the other strata, and a note."""
    in_stratum = np.bincount(stratum)
    need, lowered = _needs(in_stratum, n=n, floor=floor)
    pi, scale = fill(size, n)
    held = np.zeros(len(in_stratum), dtype=bool)
    scales: list[float] = []
    # Raising a stratum to its floor lowers the others, which may put another below its floor.
    while True:
        short = ~held & (np.bincount(stratum, pi, len(held)) < need - 1e-9)
        if not short.any():
            return pi, scale, lowered
        held |= short
        for place in np.flatnonzero(short):
            inside = np.flatnonzero(stratum == place)
            pi[inside], scale = fill(size[inside], need[place])
            scales.append(scale)
        free = ~held[stratum]
        if not free.any():
            return pi, min(scales), lowered
        pi[free], scale = fill(size[free], n - need[held].sum())


def _needs(in_stratum: Integers, *, n: int, floor: int) -> tuple[Floats, str]:
    """Least expected number of documents per stratum (H,), with a note if it was lowered."""
    need = np.minimum(floor, in_stratum).astype(float)
    if need.sum() <= n:
        return need, ""
    need *= n / need.sum()
    return need, phrase(
        "{n} draws are too few for {floor} from each of {strata} strata; each gets {least} to "
        "{most} on average.",
        n=n,
        floor=floor,
        strata=len(need),
        least=f"{need.min():.2g}",
        most=f"{need.max():.2g}",
    )


def fill(size: Floats, total: float) -> tuple[Floats, float]:
    """Probabilities min(1, c size) that sum to ``total``, and the factor c."""
    if total >= len(size) - 1e-9:
        return np.ones(len(size)), float(1 / size.min()) if size.min() > 0 else np.inf
    # At most `total` documents can reach 1, so only the largest need sorting.
    most = min(math.ceil(total) + 1, len(size))
    largest = np.argpartition(size, len(size) - most)[len(size) - most :]
    largest = largest[np.argsort(-size[largest])]
    others = np.ones(len(size), dtype=bool)
    others[largest] = False
    ranked = size[largest]
    rest = exact_sum(size[others]) + ranked[::-1].cumsum()[::-1]
    # If the k largest are certain, the others share total - k; take the first k that fits.
    left = total - np.arange(most)
    factor = np.divide(left, rest, out=np.full(most, np.inf), where=rest > 0)
    certain = int(np.argmax(factor * ranked <= 1 + 1e-12))
    scale = float(factor[certain])
    pi = np.minimum(1.0, scale * size)
    pi[largest[:certain]] = 1.0
    return pi, scale


def _check_chances(frame: SamplingFrame, size: Floats) -> None:
    """Raise if a document could never be drawn, which no weight can correct later."""
    never = np.flatnonzero(size <= 0)
    if len(never):
        raise InputError(
            f"{len(never)} document(s) could never be drawn, the first is "
            f"{frame.ids[never[0]]!r}: their risk is 0 and shares has only error_focused. "
            "Give random or stratified a share."
        )


def is_whole(number: object) -> bool:
    """Return whether a value is a whole number: 3 and 3.0, but not True, "3" or nan.

    Examples
    --------
    >>> [is_whole(value) for value in (3, 3.0, True, "3", float("nan"))]
    [True, True, False, False, False]
    """
    return not isinstance(number, bool) and isinstance(number, Real) and number % 1 == 0


def _check_size(n: int, floor: int, population: int) -> None:
    """Raise if n documents cannot be drawn."""
    if not is_whole(n) or not 1 <= n <= population:
        raise InputError(
            f"n must be a whole number from 1 to the {population} documents of the pool; "
            f"found {n!r}."
        )
    if not is_whole(floor) or floor < 0:
        raise InputError(f"floor must be a whole number of at least 0; found {floor!r}.")
