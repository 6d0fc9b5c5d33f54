"""Extension of a sample that keeps all its documents, so that no rating is lost."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats, Integers
from ocrjury.columns import check_columns
from ocrjury.errors import InputError
from ocrjury.sampling.designs import Design
from ocrjury.sampling.drawing import (
    SMALL_POOL,
    permanent_numbers,
    ranks,
    rounded,
    sample_rows,
    shuffled,
    smallest_ranks,
    systematic,
)
from ocrjury.sampling.frame import (
    SHARES,
    SamplingFrame,
    check_unique,
    exact_sum,
    sampling_frame,
)
from ocrjury.sampling.probabilities import mixture_probabilities

_SURE = 1e-9  # a chance this close to 1 is certain
_FARTHEST, _HALVINGS = 80.0, 64  # of the logarithm of the factor on odds


def extend_sample(
    pool: pd.DataFrame,
    *,
    drawn: pd.DataFrame,
    n: int,
    shares: Mapping[str, float] = SHARES,
    stratum: str | None,
    risk: str | None,
    seed: int | str,
    floor: int = 2,
    design: Design = "mixture",
) -> pd.DataFrame:
    """Sample of ``n`` documents that includes all of ``drawn``, with inclusion probabilities.

    Parameters
    ----------
    pool, shares, stratum, risk, seed, floor, design
        The arguments of `draw_sample` for the earlier sample.
    drawn
        Result of `draw_sample` or of an earlier `extend_sample`: ``doc_id``, and if present
        ``draw_number`` and ``reason``, which are kept.
    n
        Size of the extended sample, at least that of ``drawn``.

    Returns
    -------
    DataFrame
        As for `draw_sample`. Every row, old or new, has its probability at the new ``n``; the
        new documents are those with a ``draw_number`` above ``len(drawn)``.

    Notes
    -----
    A document keeps its random number, so the draw of n + k documents nearly always includes the
    draw of n. Where rank order would drop a document, it is kept, and the new documents are the
    next in rank order, as many as each stratum still lacks. The true inclusion probability of a
    document then differs slightly from the stated one; 3,000 simulated draws could not tell them
    apart. In pools under 200 documents the new ones are drawn systematically from the rest with the
    conditional probabilities (pi' - pi) / (1 - pi), whose odds are multiplied by a factor so that
    they sum to the number of new documents; those with pi' = 1 are certain.

    Examples
    --------
    >>> from ocrjury.sampling import draw_sample
    >>> pool = pd.DataFrame({"doc_id": range(1000), "type": "invoice", "cer": 0.1})
    >>> first = draw_sample(pool, n=50, stratum="type", risk="cer", seed=7)
    >>> larger = extend_sample(pool, drawn=first, n=80, stratum="type", risk="cer", seed=7)
    >>> len(larger), larger["doc_id"][:50].tolist() == first["doc_id"].tolist()
    (80, True)
    """
    frame = sampling_frame(pool, shares=shares, stratum=stratum, risk=risk, design=design)
    check_unique(frame)
    check_columns(drawn, ["doc_id"])
    if "draw_number" in drawn.columns:
        drawn = drawn.sort_values("draw_number", kind="stable")
    old = _places(frame, drawn)
    if n < len(old):
        raise InputError(
            f"n is {n}, but {len(old)} documents are already drawn; a sample can only grow."
        )
    probabilities = mixture_probabilities(frame, n=n, floor=floor)
    rest = np.setdiff1d(np.arange(frame.size), old)
    if frame.size < SMALL_POOL and len(old):
        before = mixture_probabilities(frame, n=len(old), floor=floor).pi
        new = _next_systematic(frame, rest, pi=probabilities.pi, before=before, n=n, seed=seed)
    else:
        new = _next_in_rank(frame, rest, pi=probabilities.pi, old=old, n=n, seed=seed)
    new = shuffled(frame, new, seed=seed)
    sample = sample_rows(frame, probabilities, np.concatenate([old, new]), seed=seed)
    if "reason" in drawn.columns:
        sample["reason"] = [*drawn["reason"], *sample["reason"][len(old) :]]
    return sample


def _places(frame: SamplingFrame, drawn: pd.DataFrame) -> Integers:
    """Rows of the earlier documents in the frame."""
    place_of = {name: place for place, name in enumerate(frame.ids)}
    ids = drawn["doc_id"].tolist()
    unknown = [name for name in ids if name not in place_of]
    if unknown or len(set(ids)) != len(ids):
        raise InputError(
            f"drawn must contain documents of this pool, each once; {len(unknown)} are not in the "
            f"pool{f', the first is {unknown[0]!r}' if unknown else ''}, and "
            f"{len(ids) - len(set(ids))} are repeated. Use the pool that the sample was drawn from."
        )
    return np.array([place_of[name] for name in ids], dtype=np.int64)


def _next_in_rank(
    frame: SamplingFrame, rest: Integers, *, pi: Floats, old: Integers, n: int, seed: int | str
) -> Integers:
    """Rows of the next documents by Pareto ranks."""
    n_strata = len(frame.strata)
    have = np.bincount(frame.stratum[old], minlength=n_strata)
    lacking = np.maximum(np.bincount(frame.stratum, pi, n_strata) - have, 0.0)
    if lacking.sum() > 0:
        lacking *= (n - len(old)) / lacking.sum()
    start = float(permanent_numbers([f"strata to {n}"], seed=seed, salt="start")[0])
    rank = ranks(pi[rest], permanent_numbers(frame.ids[rest], seed=seed))
    counts = rounded(lacking, start=start)
    return rest[smallest_ranks(frame.stratum[rest], rank, counts)]


def _next_systematic(
    frame: SamplingFrame,
    rest: Integers,
    *,
    pi: Floats,
    before: Floats,
    n: int,
    seed: int | str,
) -> Integers:
    """Rows of the next documents, drawn with conditional probabilities."""
    wanted = n - (frame.size - len(rest))
    if not wanted:
        return rest[:0]
    gap = np.maximum(pi[rest] - before[rest], 1e-12)
    size = np.divide(gap, 1 - before[rest], out=np.ones(len(rest)), where=before[rest] < 1)
    return systematic(frame, rest, tilted(size, wanted), seed=seed, salt=f" to {n}")


def tilted(chances: Floats, total: int) -> Floats:
    """Probabilities with the odds of ``chances`` times one factor, which sum to ``total``.

    A factor on the probabilities themselves would leave out documents that are to be certain.

    Examples
    --------
    >>> tilted(np.array([0.5, 0.5, 1.0]), 2).round(6).tolist()
    [0.5, 0.5, 1.0]
    >>> tilted(np.array([0.4, 0.2, 1.0]), 2).round(3).tolist()
    [0.62, 0.38, 1.0]
    """
    sure = chances >= 1 - _SURE
    n_sure = int(sure.sum())
    if n_sure >= total:
        return np.where(sure, total / n_sure, 0.0)
    logits = np.log(chances[~sure]) - np.log1p(-chances[~sure])
    low, high = -_FARTHEST, _FARTHEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        short = exact_sum(_logistic(logits + middle)) < total - n_sure
        low, high = (middle, high) if short else (low, middle)
    tilt = np.ones(len(chances))
    tilt[~sure] = _logistic(logits + (low + high) / 2)
    return tilt


def _logistic(logits: Floats) -> Floats:
    """Probabilities from the logarithms of their odds."""
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=float)
