"""Keys with which leads prove by an app that a link is theirs; each code counts once."""

from datetime import datetime

import sqlalchemy as sa

from ocrjury.store.database import Connection
from ocrjury.store.one_time_codes import new_key
from ocrjury.store.schema.people import second_factors


def set_key(connection: Connection, lead: str, *, now: datetime) -> str:
    """Give a lead a new key, which replaces an earlier one; returns it."""
    remove_key(connection, lead)
    key = new_key()
    connection.execute(sa.insert(second_factors).values(lead=lead, key=key, created_at=now))
    return key


def find_key(connection: Connection, lead: str) -> str | None:
    """Key of a lead, None for one who needs no code."""
    query = sa.select(second_factors.c.key).where(second_factors.c.lead == lead)
    key = connection.execute(query).scalar()
    return None if key is None else str(key)


def use_step(connection: Connection, lead: str, step: int) -> bool:
    """Note that a code was used; False if it, or a later one, was used before."""
    last = second_factors.c.last_step
    used = connection.execute(
        sa.update(second_factors)
        .where(second_factors.c.lead == lead, sa.or_(last.is_(None), last < step))
        .values(last_step=step)
    )
    return int(used.rowcount) == 1


def remove_key(connection: Connection, lead: str) -> bool:
    """Remove the key of a lead; False if there was none."""
    removed = connection.execute(sa.delete(second_factors).where(second_factors.c.lead == lead))
    return int(removed.rowcount) == 1
