"""When personal links end: a lead may move it, also for a link that has expired."""

from datetime import datetime

import sqlalchemy as sa

from ocrjury.store.database import Connection
from ocrjury.store.schema import tokens


def extend_links(connection: Connection, evaluation: str, rater: str, *, until: datetime) -> int:
    """Let a rater's links work until a moment; return how many. Revoked ones stay revoked."""
    changed = connection.execute(
        sa.update(tokens)
        .where(
            tokens.c.purpose == "rating",
            tokens.c.evaluation == evaluation,
            tokens.c.rater == rater,
            tokens.c.revoked_at.is_(None),
        )
        .values(expires_at=until)
    )
    return int(changed.rowcount)
