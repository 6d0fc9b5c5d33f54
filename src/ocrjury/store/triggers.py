"""Triggers that make a table insert-only, in the words of SQLite and PostgreSQL."""

from alembic import op

_SENTENCE = "rows of {table} never change: insert a new row instead"
_CERTIFIED = "exists (select 1 from purges where subject = '{table}' and before > old.at)"


def forbid_changes(table: str) -> None:
    """Make updates and deletes of a table fail with a sentence; for migrations."""
    if op.get_context().dialect.name == "sqlite":
        for event in ("update", "delete"):
            op.execute(_sqlite(table, event))
        return
    op.execute(_postgresql(table))
    op.execute(
        f"create trigger {table}_insert_only before update or delete on {table} "
        f"for each row execute function forbid_changes_{table}()"
    )


def let_old_rows_go(table: str) -> None:
    """Let rows of such a table be deleted if they are older than a certificate in purges says."""
    certified = _CERTIFIED.format(table=table)
    if op.get_context().dialect.name == "sqlite":
        op.execute(f"drop trigger {table}_no_delete")
        op.execute(_sqlite(table, "delete", unless=certified))
        return
    op.execute(_postgresql(table, unless=certified))


def _sqlite(table: str, event: str, *, unless: str | None = None) -> str:
    """Return the statement for one event."""
    when = "" if unless is None else f"when not {unless} "
    return (
        f"create trigger {table}_no_{event} before {event} on {table} {when}"
        f"begin select raise(abort, '{_SENTENCE.format(table=table)}'); end"
    )


def _postgresql(table: str, *, unless: str | None = None) -> str:
    """Return the function that the trigger of a table calls."""
    pass_by = "" if unless is None else f"if tg_op = 'DELETE' and {unless} then return old; end if;"
    return (
        f"create or replace function forbid_changes_{table}() returns trigger language plpgsql as "
        f"$$ begin {pass_by} raise exception '{_SENTENCE.format(table=table)}'; end $$"
    )
