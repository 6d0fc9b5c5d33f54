"""Sampling frame: a pool as arrays, and the shares of the three components of its design.

The order of the pool's rows must not matter, not even to the last digit: sums over all documents
are exact (`exact_sum`), and everything else that depends on an order is sorted first.

Symbols: N documents, H strata.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.arrays import Floats, Integers, as_written
from ocrjury.columns import check_columns, numeric_column
from ocrjury.errors import InputError
from ocrjury.language import phrase
from ocrjury.sampling.designs import COMPONENTS, Design

SHARES: Mapping[str, float] = {"random": 0.5, "stratified": 0.3, "error_focused": 0.2}
# A tenth at random limits the damage if the expected spread is wrong: no weight is more than
# ten times that of a plain random sample.
_DESIGNS: Mapping[str, Mapping[str, float]] = {
    "mixture": SHARES,
    "stratified": {"stratified": 1.0},
    "target": {"random": 0.1, "error_focused": 0.9},
}
# Strata get documents in proportion to this power of their size (1: proportional to size).
_POWER: Mapping[str, float] = {"mixture": 0.5, "stratified": 1.0, "target": 0.5}


@dataclass(frozen=True, slots=True, eq=False)
class SamplingFrame:
    """The N documents of a pool in the order of its rows.

    Attributes
    ----------
    ids
        Document ids as they were given, shape (N,).
    stratum
        Index of each document's stratum in ``strata``, shape (N,).
    strata
        Names of the H strata; None for documents without one.
    risk
        Risk of each document, at least 0, shape (N,).
    shares
        Shares of the three components, which sum to 1.
    power
        Power of a stratum's size to which its stratified part is in proportion.
    note
        Any departure from the request, else empty.
    """

    ids: npt.NDArray[np.object_]
    stratum: Integers
    strata: tuple[object, ...]
    risk: Floats
    shares: tuple[float, float, float]
    power: float
    note: str

    @property
    def size(self) -> int:
        """N."""
        return len(self.ids)


def sampling_frame(
    pool: pd.DataFrame,
    *,
    shares: Mapping[str, float],
    stratum: str | None,
    risk: str | None,
    design: Design = "mixture",
) -> SamplingFrame:
    """Frame of a pool, checked except for repeated ids."""
    requested = _checked_shares(_shares_of(design, shares))
    check_columns(pool, [name for name in ("doc_id", stratum, risk) if name is not None])
    ids = _ids(pool["doc_id"])
    strata, codes = _strata(pool, stratum)
    risks = _risks(pool, risk)
    used, note = _usable_shares(requested, any_risk=bool((risks > 0).any()))
    return SamplingFrame(
        ids=ids,
        stratum=codes,
        strata=strata,
        risk=risks,
        shares=used,
        power=_POWER[design],
        note=note,
    )


def _shares_of(design: str, shares: Mapping[str, float]) -> Mapping[str, float]:
    """Shares of a design; only the mixture takes them from the caller."""
    if design not in _DESIGNS:
        raise InputError(f"design must be {', '.join(map(repr, _DESIGNS))}; found {design!r}.")
    if design == "mixture":
        return shares
    if dict(shares) != dict(SHARES):
        raise InputError(
            f"shares apply to the mixture; the design {design!r} has its own. Omit shares, or use "
            'design="mixture".'
        )
    return _DESIGNS[design]


def exact_sum(values: Floats) -> float:
    """Exact sum of non-negative numbers, rounded to 60 binary digits of the largest.

    Integers are added, so that the order does not matter; `math.fsum` takes twenty times as
    long.

    Examples
    --------
    >>> exact_sum(np.array([0.1] * 10)), exact_sum(np.array([]))
    (1.0, 0.0)
    """
    _, exponent = np.frexp(values.max(initial=0.0))
    scaled = np.ldexp(values, 30 - exponent)
    high = np.floor(scaled)
    low = np.rint((scaled - high) * 2.0**30)
    whole = int(high.astype(np.int64).sum()) * 2**30 + int(low.astype(np.int64).sum())
    return float(np.ldexp(float(whole), int(exponent) - 60))


def _ids(column: "pd.Series[Any]") -> npt.NDArray[np.object_]:
    """Ids; a missing one is an error."""
    missing = np.flatnonzero(column.isna())
    if len(missing):
        raise InputError(
            f"{len(missing)} document(s) have no doc_id; the first is row {missing[0] + 1}."
        )
    return column.to_numpy(dtype=object)


def check_unique(frame: SamplingFrame, numbers: Floats | None = None) -> None:
    """Raise if an id is repeated; 1 and "1" are the same.

    Documents with different random numbers are different, which is quicker to check.
    """
    if numbers is not None and pd.Index(numbers).is_unique:
        return
    texts = pd.Series(frame.ids).astype(str)
    repeated = texts[texts.duplicated(keep=False)]
    if len(repeated):
        rows = np.flatnonzero((texts == repeated.iloc[0]).to_numpy())[:2] + 1
        raise InputError(
            f"doc_id must be unique; {repeated.nunique()} are repeated, the first is "
            f"{repeated.iloc[0]!r} in rows {rows.tolist()}."
        )


def _strata(pool: pd.DataFrame, column: str | None) -> tuple[tuple[object, ...], Integers]:
    """Stratum names in order, None last, and the index of each document's stratum."""
    if column is None:
        return (None,), np.zeros(len(pool), dtype=np.int64)
    codes, uniques = pd.factorize(pool[column])
    present = np.asarray(uniques, dtype=object)
    order = sorted(range(len(present)), key=lambda place: str(present[place]))
    names: list[object] = [present[place] for place in order]
    if (codes < 0).any():
        names.append(None)
    place_of = np.full(len(present) + 1, len(present), dtype=np.int64)
    place_of[order] = np.arange(len(order))
    return tuple(names), place_of[codes]


def _risks(pool: pd.DataFrame, column: str | None) -> Floats:
    """Risk of every document, 0 without a column."""
    if column is None:
        return np.zeros(len(pool))
    risks = numeric_column(pool, column)
    bad = np.flatnonzero(~np.isfinite(risks) | (risks < 0))
    if len(bad):
        raise InputError(
            f"column {column!r} needs a finite risk of at least 0 for every document; "
            f"{len(bad)} row(s) differ, the first is row {bad[0] + 1} with "
            f"{as_written(pool[column].iloc[bad[0]])!r}. risk_scores() makes such a column."
        )
    return risks


def _checked_shares(shares: Mapping[str, float]) -> tuple[float, float, float]:
    """Shares of the three components in order, normalised to sum to 1."""
    unknown = [name for name in shares if name not in COMPONENTS]
    values = [float(shares.get(name, 0.0)) for name in COMPONENTS]
    bad = unknown or not all(0 <= value <= 1 for value in values)
    if bad or not np.isclose(sum(values), 1.0, atol=1e-6):
        raise InputError(
            f"shares needs {', '.join(COMPONENTS)} between 0 and 1 that sum to 1; found "
            f"{dict(shares)!r}."
        )
    random, stratified, error_focused = (value / sum(values) for value in values)
    return random, stratified, error_focused


def _usable_shares(
    requested: tuple[float, float, float], *, any_risk: bool
) -> tuple[tuple[float, float, float], str]:
    """Shares that the pool supports, with a note if they differ from the request."""
    random, stratified, error_focused = requested
    if any_risk or not error_focused:
        return requested, ""
    rest = random + stratified
    used = (random / rest, stratified / rest, 0.0) if rest else (1.0, 0.0, 0.0)
    return used, phrase(
        "Nothing in the pool has a risk above 0, so the error-focused share went to the other two "
        "in proportion: random {random}, stratified {stratified}.",
        random=f"{used[0]:.3g}",
        stratified=f"{used[1]:.3g}",
    )
