"""The draw: a fixed number of documents, each with the probability it was promised.

Pareto order sampling within strata (Rosen 1997, Journal of Statistical Planning and Inference 62,
159-191): document i has the permanent random number u_i and the rank
Q_i = [u_i / (1 - u_i)] / [pi_i / (1 - pi_i)], and each stratum gives its documents of smallest
rank. Under 200 documents the odds of that are not close enough to pi, so small pools are drawn
systematically in hashed order (Hartley and Rao 1962), which keeps pi exactly.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ocrjury.sampling.frame import (
    COMPONENTS,
    SHARES,
    Design,
    Floats,
    Integers,
    SamplingFrame,
    check_unique,
    sampling_frame,
)
from ocrjury.sampling.probabilities import Odds, mixture_odds
from ocrjury.sampling.random_numbers import permanent_numbers

SMALL_POOL = 200


def draw_sample(
    pool: pd.DataFrame,
    *,
    n: int,
    shares: Mapping[str, float] = SHARES,
    stratum: str | None,
    risk: str | None,
    seed: int | str,
    floor: int = 2,
    design: Design = "mixture",
) -> pd.DataFrame:
    """``n`` documents drawn with known odds, one row each, in draw order.

    The order of the pool's rows does not matter, and the same seed draws the same documents.

    Parameters
    ----------
    pool, n, shares, stratum, risk, floor, design
        As in `inclusion_probabilities`.
    seed
        Names the draw; another one draws other documents.

    Returns
    -------
    DataFrame
        ``doc_id``, ``inclusion_probability``, ``weight`` (1 over it), ``stratum``, ``reason``
        ("random", "stratified" or "error_focused": a label drawn by each component's part of
        the probability; the documents labelled random are an equal-probability sample) and
        ``draw_number`` from 1. ``attrs["note"]`` says what was done differently from what was
        asked, and is empty otherwise; ``attrs["shares"]`` are the shares that were used.

    Examples
    --------
    >>> pool = pd.DataFrame({"doc_id": range(1000), "type": "invoice", "cer": 0.1})
    >>> sample = draw_sample(pool, n=50, stratum="type", risk="cer", seed=7)
    >>> len(sample), float(sample["weight"].sum().round(6))
    (50, 1000.0)
    """
    frame = sampling_frame(pool, shares=shares, stratum=stratum, risk=risk, design=design)
    numbers = permanent_numbers(frame.ids, seed=seed)
    check_unique(frame, numbers)
    odds = mixture_odds(frame, n=n, floor=floor)
    chosen = _choose(frame, odds.pi, numbers, n=n, seed=seed)
    mine = numbers[chosen]
    order = np.lexsort((mine, ranks(odds.pi[chosen], mine)))
    return sample_rows(frame, odds, chosen[order], seed=seed)


def _choose(
    frame: SamplingFrame, pi: Floats, numbers: Floats, *, n: int, seed: int | str
) -> Integers:
    """Places of the documents drawn."""
    if n == frame.size:
        return np.arange(frame.size)
    if frame.size < SMALL_POOL:
        return systematic(frame, np.arange(frame.size), pi, seed=seed)
    start = float(permanent_numbers(["strata"], seed=seed, salt="start")[0])
    expected = np.bincount(frame.stratum, pi, len(frame.strata)).astype(float)
    return smallest_ranks(frame.stratum, ranks(pi, numbers), rounded(expected, start=start))


def ranks(pi: Floats, numbers: Floats) -> Floats:
    """Pareto's ranks Q; a document taken for certain ranks 0."""
    return numbers / (1 - numbers) * (1 - pi) / pi


def rounded(expected: Floats, *, start: float) -> Integers:
    """Whole numbers within 1 of what is expected, with the same sum.

    Systematic rounding: over a uniform ``start`` each is right on average.
    """
    # 9 decimals: a sum that should be whole must not fall just under it.
    steps = np.floor(np.round(expected.cumsum(), 9) + start).astype(np.int64)
    return np.diff(steps, prepend=0)


def smallest_ranks(stratum: Integers, rank: Floats, counts: Integers) -> Integers:
    """Places of the ``counts[h]`` smallest ranks of each stratum h."""
    low = _low_enough(stratum, rank, counts)
    order = low[np.lexsort((rank[low], stratum[low]))]
    first = np.searchsorted(stratum[order], np.arange(len(counts)))
    within = np.arange(len(order)) - first[stratum[order]]
    return np.sort(order[within < counts[stratum[order]]])


def _low_enough(stratum: Integers, rank: Floats, counts: Integers) -> Integers:
    """Places that hold all the smallest ranks; sorting a million others would be waste."""
    bound = 2.0
    while bound < 1e9:
        low = np.flatnonzero(rank <= bound)
        if (np.bincount(stratum[low], minlength=len(counts)) >= counts).all():
            return low
        bound *= 4
    return np.arange(len(rank))


def systematic(
    frame: SamplingFrame, places: Integers, pi: Floats, *, seed: int | str, salt: str = ""
) -> Integers:
    """Places drawn with exactly ``pi`` (whose sum is whole), spread over the strata."""
    numbers = permanent_numbers(frame.ids[places], seed=seed)
    order = np.lexsort((numbers, frame.stratum[places]))
    start = float(permanent_numbers(["documents" + salt], seed=seed, salt="start")[0])
    return np.sort(places[order[rounded(pi[order], start=start) > 0]])


def sample_rows(
    frame: SamplingFrame, odds: Odds, chosen: Integers, *, seed: int | str
) -> pd.DataFrame:
    """Result frame of the documents at ``chosen``, in that order."""
    pi = odds.pi[chosen]
    lottery = permanent_numbers(frame.ids[chosen], seed=seed, salt="reason")
    component = (lottery[:, None] > odds.parts(chosen).cumsum(axis=1)[:, :2]).sum(axis=1)
    sample = pd.DataFrame(
        {
            "doc_id": frame.ids[chosen],
            "inclusion_probability": pi,
            "weight": 1 / pi,
            "stratum": pd.Series(
                [frame.strata[place] for place in frame.stratum[chosen]], dtype=object
            ),
            "reason": [COMPONENTS[place] for place in component],
            "draw_number": np.arange(1, len(chosen) + 1),
        }
    )
    sample.attrs["note"] = odds.note
    sample.attrs["shares"] = dict(zip(COMPONENTS, frame.shares, strict=True))
    return sample
