"""Ends of retention: evaluations whose texts are due, and the age of audit rows."""

from datetime import datetime, timedelta

from ocrjury.store.audit_chain import end_old, find_old
from ocrjury.store.database import writing
from ocrjury.store.purges import (
    AUDIT,
    EndedEvaluation,
    NewPurge,
    PurgeRow,
    add_purge,
    begun_only,
    list_ended,
    list_purges,
)
from ocrjury.store.workspace import Store


def due_evaluations(
    store: Store, *, now: datetime, older_than: int | None = None
) -> list[EndedEvaluation]:
    """Ended evaluations whose texts are due, in the order in which they ended.

    Parameters
    ----------
    older_than
        Days since the end, of every evaluation; None goes by the campaign of each, and without a
        limit in it nothing is due.
    """
    rows = list_purges(store.engine)
    waiting = begun_only(rows)
    done = {row.subject for row in rows} - set(waiting)
    return [
        ended
        for ended in list_ended(store.engine)
        if ended.evaluation in waiting
        or (ended.evaluation not in done and _is_over(ended, now=now, older_than=older_than))
    ]


def end_old_audit(store: Store, *, days: int, actor: str, now: datetime) -> PurgeRow | None:
    """Delete audit rows older than so many days; return the certificate, None without rows.

    Nothing else deletes rows of the audit log, and the database lets no other go. The newest row
    stays, whatever its age: the next one follows it.
    """
    before = now - timedelta(days=days)
    with writing(store.engine) as connection:
        old = find_old(connection, before)
        if not old.rows:
            return None
        number = 1 + len(list_purges(store.engine, AUDIT))
        body = {"rows": old.rows, "days": days, "ends": [list(ends) for ends in old.ends]}
        new = NewPurge(AUDIT, number, finished=True, body=body, actor=actor, before=before)
        row = add_purge(connection, new, now=now)
        end_old(connection, before)
    return row


def _is_over(ended: EndedEvaluation, *, now: datetime, older_than: int | None) -> bool:
    days = ended.retention_days if older_than is None else older_than
    return days is not None and now - ended.ended_at >= timedelta(days=days)
