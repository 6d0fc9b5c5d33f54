"""What tests write into a store, or read out of it, in one call."""

import io

import sqlalchemy as sa

from ocrjury.store.database import reading, writing
from ocrjury.store.ratings import insert_submissions
from ocrjury.store.remarks import RuleFlag
from ocrjury.store.schema.intake import rule_flags


def add_submissions(engine, evaluation, submissions, *, now):
    """Store submissions, all or none; return whether the open round is complete with them."""
    with writing(engine) as connection:
        return insert_submissions(connection, evaluation, submissions, now=now)


def list_rule_flags(engine, assignment):
    """Rules that ratings of an assignment broke, the oldest revision first."""
    query = (
        sa.select(*(rule_flags.c[name] for name in RuleFlag._fields))
        .where(rule_flags.c.assignment == assignment)
        .order_by(rule_flags.c.rev, rule_flags.c.dimension)
    )
    with reading(engine) as connection:
        return [RuleFlag(*row) for row in connection.execute(query)]


def write_snapshot(files, pool):
    """Write a scored pool, a frame, and return its address."""
    body = io.BytesIO()
    pool.to_parquet(body, index=False)
    return files.put(body.getvalue(), kind="pool", suffix=".parquet")
