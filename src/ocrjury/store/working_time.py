"""Items that each rater handed in, and their working time, which only this file defines.

Working time is that of items that were handed in on the rating page: the page was seen and used
within the campaign's `idle_seconds`. Neither what waited to be sent nor an item that was opened and
left counts. The page counts at most ten minutes of an item, the store never more than passed while
it was open, and here never more than passed while any item of the rater was open.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from statistics import median
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.rows import same
from ocrjury.store.schema.course import evaluations
from ocrjury.store.schema.intake import visits
from ocrjury.store.schema.rating import assignments, ratings, rounds


class Period(NamedTuple):
    """Period from one moment until before another; None leaves an end open."""

    since: datetime | None = None
    until: datetime | None = None

    def holds(self, column: sa.ColumnElement[Any]) -> list[sa.ColumnElement[bool]]:
        """Conditions that a moment lies in it."""
        conditions = []
        if self.since is not None:
            conditions.append(column >= self.since)
        if self.until is not None:
            conditions.append(column < self.until)
        return conditions


ALWAYS = Period()


class Sitting(NamedTuple):
    """Work of a rater in a session of a round.

    Attributes
    ----------
    items
        Assignments with a first rating in the period; a revision is none.
    timed
        Those of them whose time was measured.
    seconds
        Working time, also of revisions; None where none was measured, as of workbooks and files.
    median
        Median seconds of a submission.
    """

    rater: str
    round: int
    kind: str
    session: int
    items: int
    timed: int
    seconds: float | None
    median: float | None
    first: datetime | None
    last: datetime | None


class _First(NamedTuple):
    """Time of the first rating of an assignment."""

    assignment: str
    at: datetime


class _Visit(NamedTuple):
    """A submission: when its item was opened, when handed in, and the work between."""

    assignment: str
    opened: datetime
    submitted: datetime
    active_ms: int


_Key = tuple[str, int, str, int]


def list_sittings(
    source: Engine | Connection,
    evaluation: str,
    *,
    period: Period = ALWAYS,
    rater: str | None = None,
) -> list[Sitting]:
    """Sessions of the raters of an evaluation, or of one, by rater, round and session."""
    if isinstance(source, sa.Engine):
        with reading(source) as connection:
            return list_sittings(connection, evaluation, period=period, rater=rater)
    given = _first_ratings(source, evaluation, period=period, rater=rater)
    seen = _visits(source, evaluation, period=period, rater=rater)
    return [_sitting(key, given.get(key, ()), seen.get(key, ())) for key in sorted({*given, *seen})]


def list_at_work(engine: Engine, period: Period) -> list[str]:
    """Evaluations with real raters and a round that was open in a period, the oldest first."""
    query = (
        sa.select(evaluations.c.evaluation)
        .join(rounds, same(rounds, evaluations, "evaluation"))
        .where(~evaluations.c.simulated, *_overlaps(period))
        .group_by(evaluations.c.evaluation, evaluations.c.opened_at)
        .order_by(evaluations.c.opened_at, evaluations.c.evaluation)
    )
    with reading(engine) as connection:
        return list(connection.execute(query).scalars())


def seconds_worked(seen: Iterable[tuple[datetime, datetime, int]]) -> float:
    """Seconds of work in visits, at most those in which any of them was open.

    Examples
    --------
    >>> from datetime import UTC
    >>> nine = datetime(2026, 11, 26, 9, tzinfo=UTC)
    >>> visit = (nine, nine + timedelta(seconds=60), 50_000)
    >>> seconds_worked([visit]), seconds_worked([visit, visit])
    (50.0, 60.0)
    """
    worked, open_for = 0.0, timedelta()
    until: datetime | None = None
    for opened, submitted, active_ms in sorted(seen):
        worked += active_ms / 1000
        start = opened if until is None else max(opened, until)
        if submitted > start:
            open_for += submitted - start
            until = submitted
    return min(worked, open_for.total_seconds())


def _overlaps(period: Period) -> Iterator[sa.ColumnElement[bool]]:
    """Yield conditions that a round was open in a period."""
    if period.since is not None:
        yield sa.or_(rounds.c.closed_at.is_(None), rounds.c.closed_at >= period.since)
    if period.until is not None:
        yield rounds.c.opened_at < period.until


def _sitting(key: _Key, given: Sequence[_First], seen: Sequence[_Visit]) -> Sitting:
    rater, number, kind, session = key
    moments = [*(first.at for first in given), *(visit.submitted for visit in seen)]
    measured = {visit.assignment for visit in seen}
    return Sitting(
        *(rater, number, kind, session),
        items=len(given),
        timed=sum(first.assignment in measured for first in given),
        seconds=seconds_worked(visit[1:] for visit in seen) if seen else None,
        median=median(visit.active_ms / 1000 for visit in seen) if seen else None,
        first=min(moments, default=None),
        last=max(moments, default=None),
    )


def _first_ratings(
    connection: Connection, evaluation: str, *, period: Period, rater: str | None
) -> Mapping[_Key, Sequence[_First]]:
    """Moments of the first ratings of assignments, also of those that were withdrawn later."""
    first = sa.func.min(ratings.c.at)
    query = (
        _of(evaluation, rater)
        .add_columns(assignments.c.assignment, first)
        .join(ratings, same(ratings, assignments, "assignment"))
        .group_by(assignments.c.assignment, *_KEY)
        .having(*period.holds(first))
    )
    return _by_key(connection, query, _First)


def _visits(
    connection: Connection, evaluation: str, *, period: Period, rater: str | None
) -> Mapping[_Key, Sequence[_Visit]]:
    """Submissions of the rating page."""
    query = (
        _of(evaluation, rater)
        .add_columns(*(visits.c[name] for name in _SEEN))
        .join(visits, same(visits, assignments, "assignment"))
        .where(visits.c.submitted_at.is_not(None), visits.c.active_ms.is_not(None))
        .where(*period.holds(visits.c.submitted_at))
    )
    return _by_key(connection, query, _Visit)


_SEEN = ("assignment", "first_open", "submitted_at", "active_ms")
_KEY = (assignments.c.rater, assignments.c.round, rounds.c.kind, assignments.c.session)


def _of(evaluation: str, rater: str | None) -> sa.Select[Any]:
    query = (
        sa.select(*_KEY)
        .select_from(assignments)
        .join(rounds, same(rounds, assignments, "evaluation", "round"))
        .where(assignments.c.evaluation == evaluation)
    )
    return query if rater is None else query.where(assignments.c.rater == rater)


def _by_key(connection: Connection, query: sa.Select[Any], make: Any) -> dict[_Key, list[Any]]:
    """Rows by rater, round, kind and session."""
    rows: dict[_Key, list[Any]] = defaultdict(list)
    for rater, number, kind, session, *rest in connection.execute(query):
        rows[rater, number, kind, session].append(make(*rest))
    return rows
