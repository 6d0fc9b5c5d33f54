"""Draw of a fixed number of documents, each with its inclusion probability.

Pareto order sampling within strata (Rosen 1997, Journal of Statistical Planning and Inference 62,
159-191): document i has the permanent random number u_i and the rank
Q_i = [u_i / (1 - u_i)] / [pi_i / (1 - pi_i)], and the documents of smallest rank are drawn in each
stratum. Below 200 documents the resulting inclusion probabilities are not close enough to pi, so
small pools are drawn systematically in hashed order (Hartley and Rao 1962), which gives exactly pi.

A document keeps its number in all draws with the same seed, so that samples of different sizes
overlap as much as possible (Ohlsson 1995, Coordination of samples using permanent random numbers).
"""

from collections.abc import Iterable, Mapping
from hashlib import blake2b

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats, Integers
from ocrjury.sampling.designs import COMPONENTS, Design
from ocrjury.sampling.frame import (
    SHARES,
    SamplingFrame,
    check_unique,
    sampling_frame,
)
from ocrjury.sampling.probabilities import Probabilities, mixture_probabilities

SMALL_POOL = 200


def permanent_numbers(ids: Iterable[object], *, seed: int | str, salt: str = "") -> Floats:
    """Permanent random number of each id, strictly between 0 and 1, uniform over seeds.

    Examples
    --------
    >>> permanent_numbers(["a", "b"], seed=1).round(4).tolist()
    [0.8382, 0.7799]
    """
    prefix = (f"{seed}|{salt}|" if salt else f"{seed}|").encode()
    digests = [blake2b(prefix + str(name).encode(), digest_size=8).digest() for name in ids]
    numbers = np.frombuffer(b"".join(digests), dtype=">u8")
    # 52 bits plus one half: never 0, never 1, exact in a float.
    return ((numbers >> np.uint64(12)).astype(float) + 0.5) / 2.0**52


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
    """Sample of ``n`` documents with known inclusion probabilities, one row each, in draw order.

    The order of the pool's rows does not matter, and the same seed draws the same documents.

    Parameters
    ----------
    pool, n, shares, stratum, risk, floor, design
        As in `inclusion_probabilities`.
    seed
        Identifies the draw; another seed draws other documents.

    Returns
    -------
    DataFrame
        ``doc_id``, ``inclusion_probability``, ``weight`` (1 over it), ``stratum``, ``reason``
        ("random", "stratified" or "error_focused": a label drawn by each component's part of
        the probability; the documents labelled random are an equal-probability sample) and
        ``draw_number`` from 1. ``attrs["note"]`` names any departure from the request and is empty
        otherwise; ``attrs["shares"]`` are the shares used.

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
    probabilities = mixture_probabilities(frame, n=n, floor=floor)
    chosen = _choose(frame, probabilities.pi, numbers, n=n, seed=seed)
    return sample_rows(frame, probabilities, shuffled(frame, chosen, seed=seed), seed=seed)


def _choose(
    frame: SamplingFrame, pi: Floats, numbers: Floats, *, n: int, seed: int | str
) -> Integers:
    """Rows of the drawn documents."""
    if n == frame.size:
        return np.arange(frame.size)
    if frame.size < SMALL_POOL:
        return systematic(frame, np.arange(frame.size), pi, seed=seed)
    start = float(permanent_numbers(["strata"], seed=seed, salt="start")[0])
    expected = np.bincount(frame.stratum, pi, len(frame.strata)).astype(float)
    return smallest_ranks(frame.stratum, ranks(pi, numbers), rounded(expected, start=start))


def shuffled(frame: SamplingFrame, chosen: Integers, *, seed: int | str) -> Integers:
    """Drawn rows in random order.

    In rank order likelier documents would come first, so that the first ones, which some campaigns
    have rated by several people, would not represent the sample.
    """
    return chosen[np.argsort(permanent_numbers(frame.ids[chosen], seed=seed, salt="order"))]


def ranks(pi: Floats, numbers: Floats) -> Floats:
    """Pareto ranks Q; a document with probability 1 has rank 0."""
    return numbers / (1 - numbers) * (1 - pi) / pi


def rounded(expected: Floats, *, start: float) -> Integers:
    """Integers within 1 of the expected numbers, with the same sum.

    Systematic rounding: over a uniform ``start`` each has the right expectation.
    """
    # 9 decimals: rounding errors must not push a whole sum just below it.
    steps = np.floor(np.round(expected.cumsum(), 9) + start).astype(np.int64)
    return np.diff(steps, prepend=0)


def smallest_ranks(stratum: Integers, rank: Floats, counts: Integers) -> Integers:
    """Rows of the ``counts[h]`` smallest ranks of each stratum h."""
    low = _low_enough(stratum, rank, counts)
    order = low[np.lexsort((rank[low], stratum[low]))]
    first = np.searchsorted(stratum[order], np.arange(len(counts)))
    within = np.arange(len(order)) - first[stratum[order]]
    return np.sort(order[within < counts[stratum[order]]])


def _low_enough(stratum: Integers, rank: Floats, counts: Integers) -> Integers:
    """Rows that include all the smallest ranks, so that few of a million need sorting."""
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
    """Rows drawn with probabilities exactly ``pi`` (whose sum is whole), spread over the strata."""
    numbers = permanent_numbers(frame.ids[places], seed=seed)
    order = np.lexsort((numbers, frame.stratum[places]))
    start = float(permanent_numbers(["documents" + salt], seed=seed, salt="start")[0])
    return np.sort(places[order[rounded(pi[order], start=start) > 0]])


def sample_rows(
    frame: SamplingFrame, probabilities: Probabilities, chosen: Integers, *, seed: int | str
) -> pd.DataFrame:
    """Sample frame of the documents in rows ``chosen``, in that order."""
    pi = probabilities.pi[chosen]
    lottery = permanent_numbers(frame.ids[chosen], seed=seed, salt="reason")
    component = (lottery[:, None] > probabilities.parts(chosen).cumsum(axis=1)[:, :2]).sum(axis=1)
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
    sample.attrs["note"] = probabilities.note
    sample.attrs["shares"] = dict(zip(COMPONENTS, frame.shares, strict=True))
    return sample
