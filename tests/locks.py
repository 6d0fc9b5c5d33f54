"""Waits until somebody waits for what another transaction of PostgreSQL holds."""

import time

import sqlalchemy as sa

WAITING = sa.text("SELECT count(*) FROM pg_locks WHERE NOT granted")


def wait_for_waiting(engine, number=1):
    """Wait until so many locks are waited for; the server is of this session alone."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with engine.connect() as connection:
            if connection.execute(WAITING).scalar() >= number:
                return
        time.sleep(0.02)
    raise AssertionError("nobody waits")
