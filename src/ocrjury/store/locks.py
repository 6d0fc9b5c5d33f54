"""Locks that transactions of PostgreSQL take where rows that are not there yet cannot be locked."""

from enum import IntEnum, unique

import sqlalchemy as sa


@unique
class StoreLock(IntEnum):
    """Work that one transaction at a time may do; the number is the key of the advisory lock."""

    MIGRATION = 20051979
    AUDIT = 20051980
    REGISTRY = 20051981
    FILES = 20051982
    PURGES = 20051983
    SHOWN_IMAGES = 20051984


def take(connection: sa.Connection, lock: StoreLock) -> None:
    """Hold a lock until the transaction ends; SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({lock:d})")
