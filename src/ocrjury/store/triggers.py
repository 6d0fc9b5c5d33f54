"""Triggers that make a table insert-only, in the words of SQLite and PostgreSQL."""

from alembic import op

_SENTENCE = "rows of {table} never change: insert a new row instead"


def forbid_changes(table: str) -> None:
    """Make updates and deletes of a table fail with a sentence; for migrations."""
    if op.get_context().dialect.name == "sqlite":
        for event in ("update", "delete"):
            op.execute(_sqlite(table, event))
        return
    op.execute(
        f"create function forbid_changes_{table}() returns trigger language plpgsql as "
        f"$$ begin raise exception '{_SENTENCE.format(table=table)}'; end $$"
    )
    op.execute(
        f"create trigger {table}_insert_only before update or delete on {table} "
        f"for each row execute function forbid_changes_{table}()"
    )


def _sqlite(table: str, event: str) -> str:
    """Return the statement for one event."""
    return (
        f"create trigger {table}_no_{event} before {event} on {table} "
        f"begin select raise(abort, '{_SENTENCE.format(table=table)}'); end"
    )
