"""A pool as arrays in one fixed order, so that the order of its rows cannot matter.

Symbols: N documents, H strata.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.errors import InputError

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

COMPONENTS = ("random", "stratified", "error_focused")
SHARES: Mapping[str, float] = {"random": 0.5, "stratified": 0.3, "error_focused": 0.2}
_NO_RISK = (
    "No document has a risk above 0, so the error-focused share went to the other two in "
    "proportion: {}."
)


@dataclass(frozen=True, slots=True, eq=False)
class SamplingFrame:
    """The N documents of a pool in the order of their ids.

    Attributes
    ----------
    ids
        Document ids as they were given, shape (N,).
    row
        Row of each in the caller's pool, shape (N,).
    stratum
        Place of each document's stratum in ``strata``, shape (N,).
    strata
        Names of the H strata; None for the documents without one.
    risk
        Risk of each document, at least 0, shape (N,).
    shares
        Shares of the three components, which sum to 1.
    note
        What was done differently from what was asked, or an empty text.
    """

    ids: npt.NDArray[np.object_]
    row: Integers
    stratum: Integers
    strata: tuple[object, ...]
    risk: Floats
    shares: tuple[float, float, float]
    note: str

    @property
    def size(self) -> int:
        """Return N."""
        return len(self.ids)


def sampling_frame(
    pool: pd.DataFrame, *, shares: Mapping[str, float], stratum: str | None, risk: str | None
) -> SamplingFrame:
    """Return the checked frame of a pool."""
    check_columns(pool, [name for name in ("doc_id", stratum, risk) if name is not None])
    ids = pool["doc_id"].to_numpy(dtype=object)
    _check_ids(ids)
    row = np.array(sorted(range(len(ids)), key=lambda place: str(ids[place])), dtype=np.int64)
    strata, codes = _strata(pool, stratum)
    risks = _risks(pool, risk)
    asked = _checked_shares(shares)
    used, note = _usable_shares(asked, any_risk=bool((risks > 0).any()))
    return SamplingFrame(ids[row], row, codes[row], strata, risks[row], used, note)


def check_columns(frame: pd.DataFrame, names: list[str]) -> None:
    """Raise if a named column is absent."""
    absent = [name for name in names if name not in frame.columns]
    if absent:
        raise InputError(
            f"the frame has no column {', '.join(map(repr, absent))}; found "
            f"{', '.join(map(repr, frame.columns))}."
        )


def _check_ids(ids: npt.NDArray[np.object_]) -> None:
    """Raise if an id is missing or comes twice."""
    missing = np.flatnonzero(pd.isna(ids))
    if len(missing):
        raise InputError(
            f"{len(missing)} document(s) have no doc_id; the first is row {missing[0] + 1}."
        )
    texts = pd.Series(ids).astype(str)
    double = texts[texts.duplicated(keep=False)]
    if len(double):
        raise InputError(
            f"doc_id must be unique; {double.nunique()} of them come more than once, the first is "
            f"{double.iloc[0]!r} in rows {[int(place) + 1 for place in double.index[:2]]}."
        )


def _strata(pool: pd.DataFrame, column: str | None) -> tuple[tuple[object, ...], Integers]:
    """Return stratum names in order, None last, and the place of each document's."""
    if column is None:
        return (None,), np.zeros(len(pool), dtype=np.int64)
    values = pool[column].to_numpy(dtype=object)
    missing = pd.isna(values)
    names: list[object] = sorted({*values[~missing]}, key=str)
    places = {name: place for place, name in enumerate(names)}
    codes = np.array([places.get(value, len(names)) for value in values], dtype=np.int64)
    if missing.any():
        names.append(None)
    return tuple(names), codes


def _risks(pool: pd.DataFrame, column: str | None) -> Floats:
    """Return the risk of every document, 0 where there is no such column."""
    if column is None:
        return np.zeros(len(pool))
    risks = pd.to_numeric(pool[column], errors="coerce").to_numpy(dtype=float)
    bad = np.flatnonzero(~np.isfinite(risks) | (risks < 0))
    if len(bad):
        raise InputError(
            f"column {column!r} needs a finite risk of at least 0 for every document; "
            f"{len(bad)} row(s) differ, the first is row {bad[0] + 1} with "
            f"{pool[column].iloc[bad[0]]!r}. risk_scores() makes such a column."
        )
    return risks


def _checked_shares(shares: Mapping[str, float]) -> tuple[float, float, float]:
    """Return the three shares in their order."""
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
    asked: tuple[float, float, float], *, any_risk: bool
) -> tuple[tuple[float, float, float], str]:
    """Return the shares that the pool can serve, and what to say about it."""
    random, stratified, error_focused = asked
    if any_risk or not error_focused:
        return asked, ""
    rest = random + stratified
    used = (random / rest, stratified / rest, 0.0) if rest else (1.0, 0.0, 0.0)
    words = f"random {used[0]:.3g}, stratified {used[1]:.3g}"
    return used, _NO_RISK.format(words)
