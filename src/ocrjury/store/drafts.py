"""Drafts: what a rater has chosen and not handed in yet; a stale copy never wins."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection
from ocrjury.store.schema import drafts


class DraftRow(NamedTuple):
    """A draft; `rev` counts its changes, `locked` says that it is a vote which awaits the panel."""

    rev: int
    event_id: str
    body: Mapping[str, Any]
    locked: bool


def read_draft(connection: Connection, assignment: str) -> DraftRow | None:
    """Return the draft of an assignment."""
    query = sa.select(*(drafts.c[name] for name in DraftRow._fields)).where(
        drafts.c.assignment == assignment
    )
    row = connection.execute(query).first()
    return None if row is None else DraftRow(*row)


def save_draft(
    connection: Connection,
    assignment: str,
    body: Mapping[str, Any],
    *,
    base: int,
    event_id: str,
    now: datetime,
    locked: bool = False,
) -> int | None:
    """Return the number of the saved draft, None if it was changed elsewhere meanwhile.

    Parameters
    ----------
    base
        Number of the draft that the change was made on, 0 for none.
    event_id
        Name of the change: sent twice, it is saved once. So is what is saved already, because a
        page that is loaded again while it saves sends it under another name.
    """
    there = read_draft(connection, assignment)
    if there is not None and (there.event_id == event_id or _is_same(there, body, locked=locked)):
        return there.rev
    if (there.rev if there else 0) != base or (there is not None and there.locked):
        return None
    values = {"event_id": event_id, "body": dict(body), "at": now, "locked": locked}
    if there is None:
        connection.execute(sa.insert(drafts).values(assignment=assignment, rev=1, **values))
        return 1
    connection.execute(
        sa.update(drafts).where(drafts.c.assignment == assignment).values(rev=base + 1, **values)
    )
    return base + 1


def _is_same(there: DraftRow, body: Mapping[str, Any], *, locked: bool) -> bool:
    """Return whether a draft already says what is to be saved."""
    return not locked and not there.locked and dict(there.body) == dict(body)


def drop_draft(connection: Connection, assignment: str) -> None:
    """Remove the draft of an assignment that was handed in."""
    connection.execute(sa.delete(drafts).where(drafts.c.assignment == assignment))
