"""The lines of the audit log as a chain: the hash of each covers the line before it.

A line that is changed, moved, slipped in or taken out afterwards shows. Old lines leave against a
certificate, which keeps the hashes that stood at both ends of what went.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.campaign.content_hashes import content_hash
from ocrjury.store.database import Connection, Engine, at_the_end, reading
from ocrjury.store.locks import StoreLock, take
from ocrjury.store.purges import AUDIT, list_purges
from ocrjury.store.rows import add_rows, columns_of
from ocrjury.store.schema.people import audit

_AT_ONCE = 5000

Ends = tuple[str | None, str]
"""The hash before the first of some lines, None if nothing was, and that of the last of them."""


class ChainedLine(NamedTuple):
    """One line of the log with its place in the chain."""

    seq: int
    actor: str
    action: str
    object: str
    address: str
    reason: str | None
    at: datetime
    previous: str | None
    sha256: str


class Chain(NamedTuple):
    """Result of a walk along the chain; `broken` is the first line that does not fit.

    Attributes
    ----------
    lines
        Number of lines that fit.
    head
        The newest of them.
    known
        Whether the chain holds, or held before a purge, the hash that was asked for.
    """

    lines: int
    head: ChainedLine | None
    broken: ChainedLine | None
    known: bool


def add_chained(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Write lines when the transaction ends, each after the one before it."""
    if rows:
        at_the_end(connection, partial(_add, rows=rows))


def _add(connection: Connection, *, rows: Sequence[dict[str, Any]]) -> None:
    take(connection, StoreLock.AUDIT)  # two transactions may not follow the same line
    newest = sa.select(audit.c.sha256).order_by(audit.c.seq.desc()).limit(1)
    previous = connection.execute(newest).scalar()
    linked = []
    for row in rows:
        sha256 = _hash({**row, "previous": previous})
        linked.append({**row, "previous": previous, "sha256": sha256})
        previous = sha256
    add_rows(connection, audit, linked)


def _hash(line: Mapping[str, Any]) -> str:
    """Hash of a line from everything in it but its number."""
    return content_hash({**line, "at": line["at"].astimezone(UTC).isoformat()})


def _hash_of(line: ChainedLine) -> str:
    facts = line._asdict()
    del facts["seq"], facts["sha256"]
    return _hash(facts)


def verify_chain(engine: Engine, *, head: str = "") -> Chain:
    """Walk along the whole chain, up to the first line that does not fit.

    Parameters
    ----------
    head
        A hash that was noted earlier, or its beginning.
    """
    query = sa.select(*columns_of(audit, ChainedLine)).order_by(audit.c.seq)
    count, newest = 0, None
    with (
        reading(engine) as connection,
        connection.execute(query, execution_options={"yield_per": _AT_ONCE}) as rows,
    ):
        # Certificates are read after the lines, so that none is missing of what left meanwhile.
        gone = _certified(connection)
        ends = [str(sha256) for pair in gone.items() for sha256 in pair]
        known = not head or any(sha256.startswith(head) for sha256 in ends)
        for row in rows:
            line = ChainedLine(*row)
            if line.sha256 != _hash_of(line) or not _follows(line, newest, gone):
                return Chain(count, newest, line, known)
            known = known or line.sha256.startswith(head)
            count, newest = count + 1, line
    return Chain(count, newest, None, known)


def _follows(line: ChainedLine, newest: ChainedLine | None, gone: dict[str | None, str]) -> bool:
    """Return whether a line is the next, apart from lines that left against a certificate."""
    tip = None if newest is None else newest.sha256
    while line.previous != tip and tip in gone:
        tip = gone.pop(tip)
    return line.previous == tip


def _certified(connection: Connection) -> dict[str | None, str]:
    """Last hash of what has left the log, as certified, by the hash before it."""
    return {
        before: last for row in list_purges(connection, AUDIT) for before, last in row.ends.items()
    }


class OldLines(NamedTuple):
    """Lines that are old enough to leave: how many, and the ends of each run of neighbours."""

    rows: int
    ends: list[Ends]


def find_old(connection: Connection, before: datetime) -> OldLines:
    """Lines older than a moment, without the newest, which the next line will follow."""
    query = sa.select(audit.c.previous, audit.c.sha256).where(_old(before)).order_by(audit.c.seq)
    rows, ends = 0, list[Ends]()
    for previous, sha256 in connection.execute(query):
        neighbours = bool(ends) and ends[-1][1] == previous
        first = ends.pop()[0] if neighbours else previous
        ends.append((first, sha256))
        rows += 1
    return OldLines(rows, ends)


def end_old(connection: Connection, before: datetime) -> None:
    """Delete what `find_old` finds; the database refuses unless a certificate says so."""
    connection.execute(sa.delete(audit).where(_old(before)))


def _old(before: datetime) -> sa.ColumnElement[bool]:
    newest = sa.select(sa.func.max(audit.c.seq)).scalar_subquery()
    return sa.and_(audit.c.at < before, audit.c.seq < newest)
