"""Order in which each rater submitted, as far as it is known."""

from collections.abc import Hashable, Mapping

import numpy as np
import pandas as pd

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.errors import InputError
from ocrjury.language import phrase


def session_order(
    ratings: pd.DataFrame,
    *,
    items: Mapping[Hashable, int],
    raters: Mapping[Hashable, int],
    pairs: Integers,
) -> tuple[Integers, Integers]:
    """Session of each submission and its place there, -1 where the order is unknown.

    Parameters
    ----------
    ratings
        Long frame with ``position``, or else ``submitted_at``; without ``session`` all submissions
        of a rater form one session.
    items, raters
        Place of each id.
    pairs
        Place of the item times M plus place of the rater, for each submission, sorted, shape (n,).

    Raises
    ------
    InputError
        If two submissions of one session have the same position, or times cannot be read.
    """
    n = len(pairs)
    unknown = np.full(n, -1, dtype=np.int64)
    when, exact = _moments(ratings)
    if when is None or not n:
        return unknown, unknown.copy()
    key = _keys(ratings, items, raters)
    rated = ratings["rating"].notna().to_numpy() & (key >= 0) & np.isfinite(when)
    session, place = unknown, unknown.copy()
    if not rated.any():
        return session, place
    rows = np.flatnonzero(rated)[np.argsort(key[rated], kind="stable")]
    starts = np.flatnonzero(np.diff(key[rows], prepend=-1))
    first = key[rows[starts]]
    time = np.minimum.reduceat(when[rows], starts)
    code = np.minimum.reduceat(_session_codes(ratings)[rows], starts)
    places = np.searchsorted(pairs, first)
    kept = first % len(raters) * (int(code.max()) + 1) + code
    session[places] = np.unique(kept, return_inverse=True)[1]
    place[places] = _ranks(session[places], time)
    tied = _tied(session[places], time)
    if exact and tied.any():
        _refuse(first, time, tied=tied, raters=list(raters), items=list(items))
    # Equal times, as from one batch, give no order.
    batch = np.isin(session, session[places][tied])
    session[batch] = place[batch] = -1
    return session, place


def _moments(ratings: pd.DataFrame) -> tuple[Floats | None, bool]:
    """Position or time of each row, None if unknown, and whether it is a position."""
    if "position" in ratings.columns and ratings["position"].notna().any():
        return _positions(ratings["position"]), True
    if "submitted_at" in ratings.columns and ratings["submitted_at"].notna().any():
        return _times(ratings["submitted_at"]), False
    return None, False


def _positions(column: pd.Series) -> Floats:
    """Positions as numbers, ``nan`` where missing."""
    numbers = pd.to_numeric(column, errors="coerce")
    positions = numbers.to_numpy(dtype=float, na_value=np.nan)
    strange = np.isinf(positions) | (np.isnan(positions) & column.notna().to_numpy())
    if strange.any():
        raise InputError(
            phrase(
                "column 'position' must hold whole numbers from 1; found {value}. Leave the column "
                "out where the order is unknown.",
                value=_first(column, strange),
            )
        )
    return positions


def _first(column: pd.Series, strange: Booleans) -> str:
    """First value of a column that is marked as strange, as it is written."""
    value = column.iloc[int(strange.argmax())]
    return f"{value!r:.60}" if isinstance(value, str) else f"{value!s:.60}"


def _times(column: pd.Series) -> Floats:
    """Times as seconds, ``nan`` where missing."""
    if pd.api.types.is_numeric_dtype(column):
        number = column.dropna().iloc[0]
        raise InputError(
            phrase(
                "column 'submitted_at' must hold ISO 8601 times; found the number {number}. "
                "Give places in a session in column 'position'.",
                number=f"{number:g}",
            )
        )
    times = pd.to_datetime(column, utc=True, format="ISO8601", errors="coerce")
    strange = times.isna().to_numpy() & column.notna().to_numpy()
    if strange.any():
        raise InputError(
            phrase(
                "column 'submitted_at' must hold ISO 8601 times, such as 2026-11-30 10:15; found "
                "{value}. Leave the column out where they are unknown.",
                value=_first(column, strange),
            )
        )
    since = times - pd.Timestamp(0, tz="UTC")
    return np.asarray(since.dt.total_seconds(), dtype=float)


def _keys(
    ratings: pd.DataFrame, items: Mapping[Hashable, int], raters: Mapping[Hashable, int]
) -> Integers:
    """Place of the item times M plus place of the rater for each row, -1 without ratings."""
    item = np.array([items.get(name, -1) for name in ratings["item"].tolist()], dtype=np.int64)
    rater = np.array([raters.get(name, -1) for name in ratings["rater"].tolist()], dtype=np.int64)
    return np.where((item >= 0) & (rater >= 0), item * len(raters) + rater, -1)


def _session_codes(ratings: pd.DataFrame) -> Integers:
    """Number of each row's session; rows without a session share one."""
    if "session" not in ratings.columns:
        return np.zeros(len(ratings), dtype=np.int64)
    sessions = ratings["session"].map(str)
    return np.asarray(pd.factorize(sessions, sort=True)[0], dtype=np.int64)


def _ranks(session: Integers, time: Floats) -> Integers:
    """Place within the session, from 0."""
    order = np.lexsort((time, session))
    size = np.bincount(session)
    rank = np.empty(len(session), dtype=np.int64)
    rank[order] = np.arange(len(session)) - np.repeat(size.cumsum() - size, size)
    return rank


def _tied(session: Integers, time: Floats) -> Booleans:
    """Mask of the submissions with the same time as the previous one in their session."""
    order = np.lexsort((time, session))
    tied = np.zeros(len(session), dtype=bool)
    equal = (np.diff(session[order]) == 0) & (np.diff(time[order]) == 0)
    tied[order[1:][equal]] = True
    return tied


def _refuse(
    first: Integers,
    time: Floats,
    *,
    tied: Booleans,
    raters: list[Hashable],
    items: list[Hashable],
) -> None:
    """Raise on a position that occurs twice."""
    place = int(np.flatnonzero(tied)[0])
    item, rater = divmod(int(first[place]), len(raters))
    raise InputError(
        phrase(
            "position {position} occurs twice in one session of rater {rater}, the second time "
            "for item {item}. Positions count from 1 within a session; give every session its own "
            "name in column 'session'.",
            position=f"{time[place]:g}",
            rater=repr(raters[rater]),
            item=repr(items[item]),
        )
    )
