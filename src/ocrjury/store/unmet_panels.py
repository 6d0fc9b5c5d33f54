"""Votes that waited for a panel which never met: they count as they were given."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from ocrjury.errors import StateError
from ocrjury.store.audit import add_lines
from ocrjury.store.database import Connection
from ocrjury.store.ratings import Submission, insert_submissions, lock_open_round
from ocrjury.store.remarks import add_comment, add_item_flag
from ocrjury.store.rows import same
from ocrjury.store.schema.course import evaluations
from ocrjury.store.schema.intake import drafts
from ocrjury.store.schema.rating import assignments, rounds


def keep_votes(
    connection: Connection,
    evaluation: str,
    raters: Sequence[str] | None = None,
    *,
    now: datetime,
) -> None:
    """Store the votes of the open round that wait for an agreement, of some experts or of all.

    The last vote on an item waits where votes differ. Without it, the others would stand as if
    nobody had contradicted them.
    """
    with suppress(StateError):  # without an open round nothing waits
        lock_open_round(connection, evaluation)
    votes = connection.execute(_waiting(evaluation, raters)).all()
    if not votes:
        return
    sent = [
        Submission(
            vote.assignment,
            vote.body.values,
            vote.event_id,
            vote.rubric_hash,
            "web",
            vote.body.flags,
            vote.body.confidence,
        )
        for vote in votes
    ]
    insert_submissions(connection, evaluation, sent, now=now)
    add_lines(connection, "rate", [(vote.rater, vote.assignment, "") for vote in votes], now=now)
    for vote in votes:
        if vote.body.comment:
            add_comment(connection, vote.assignment, vote.body.comment, now=now)
        if vote.body.flag is not None:
            add_item_flag(connection, vote.assignment, vote.body.flag, now=now)
    names = [vote.assignment for vote in votes]
    connection.execute(sa.delete(drafts).where(drafts.c.assignment.in_(names)))


def _waiting(evaluation: str, raters: Sequence[str] | None) -> sa.Select[Any]:
    """Query for the votes of an open round that wait, with the rubric of the evaluation."""
    query = (
        sa.select(assignments.c.rater, drafts, evaluations.c.rubric_hash)
        .join(drafts, same(drafts, assignments, "assignment"))
        .join(rounds, same(rounds, assignments, "evaluation", "round"))
        .join(evaluations, same(evaluations, assignments, "evaluation"))
        .where(
            assignments.c.evaluation == evaluation,
            assignments.c.state == "open",
            rounds.c.state == "open",
            drafts.c.locked.is_(True),
        )
        .order_by(assignments.c.assignment)
    )
    if raters is not None:
        query = query.where(assignments.c.rater.in_(list(raters)))
    return query
