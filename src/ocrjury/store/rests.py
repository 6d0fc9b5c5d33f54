"""Evaluations at rest: a run found nothing to do, and until when nothing can be without news.

News of an evaluation is a line of the audit log about it, a move, or a decision that waits. Lines
are numbered in the order in which their transactions ended.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading, writing
from ocrjury.store.rows import columns_of
from ocrjury.store.schema.course import evaluations, requests, rests
from ocrjury.store.schema.people import audit

_MOST_NEWS = 20_000
_MARK = re.compile(r"[ ,/]")


class Rest(NamedTuple):
    """An evaluation at rest.

    Attributes
    ----------
    version, line
        Where it stood, and the newest line of the audit log, before somebody looked at it.
    word, sentence
        How the run ended.
    page
        Hash of its page in Prefect.
    surroundings
        What it was looked at with: other settings may show it otherwise.
    until
        From this moment on, time alone may give something to do.
    """

    evaluation: str
    version: int
    line: int
    word: str
    sentence: str
    page: str
    surroundings: str
    until: datetime


class Marks(NamedTuple):
    """Marks of all evaluations: the version of each, and the newest line of the audit log."""

    versions: Mapping[str, int]
    line: int


def read_marks(engine: Engine) -> Marks:
    """Marks of this moment; whoever looks at an evaluation reads them first."""
    versions = sa.select(evaluations.c.evaluation, evaluations.c.version)
    with reading(engine) as connection:
        line = connection.execute(sa.select(sa.func.max(audit.c.seq))).scalar()
        return Marks(dict(connection.execute(versions).tuples().all()), line or 0)


def list_rests(engine: Engine, *, surroundings: str, now: datetime) -> dict[str, Rest]:
    """Evaluations that are still at rest, by name."""
    waiting = sa.select(requests.c.evaluation).where(requests.c.outcome.is_(None))
    query = (
        sa.select(*columns_of(rests, Rest))
        .join(evaluations, evaluations.c.evaluation == rests.c.evaluation)
        .where(
            rests.c.version == evaluations.c.version,
            rests.c.surroundings == surroundings,
            rests.c.until > now,
            rests.c.evaluation.not_in(waiting),
        )
    )
    with reading(engine) as connection:
        rows = [Rest(*row) for row in connection.execute(query)]
        news = _news(connection, after=min((row.line for row in rows), default=0)) if rows else {}
    if news is None:
        return {}
    return {row.evaluation: row for row in rows if news.get(row.evaluation, 0) <= row.line}


def _news(connection: Connection, *, after: int) -> dict[str, int] | None:
    """Newest line about each evaluation with lines after one; None if there are too many.

    Who looks at an item changes nothing.
    """
    query = (
        sa.select(audit.c.object, audit.c.seq)
        .where(audit.c.seq > after, audit.c.action != "view")
        .order_by(audit.c.seq)
        .limit(_MOST_NEWS)
    )
    lines = connection.execute(query).all()
    if len(lines) == _MOST_NEWS:
        return None
    return {_MARK.split(line.object, maxsplit=1)[0]: line.seq for line in lines}


def keep_rest(engine: Engine, rest: Rest) -> None:
    """Keep that an evaluation is at rest, instead of what was known before."""
    values = rest._asdict()
    change = sa.update(rests).where(rests.c.evaluation == rest.evaluation).values(**values)
    with writing(engine) as connection:
        if not connection.execute(change).rowcount:
            connection.execute(sa.insert(rests).values(**values))
