"""Triggers that make a table insert-only, in the words of SQLite and PostgreSQL."""

from alembic import op


def forbid_changes(table: str, *, deletable: str | None = None) -> None:
    """Make updates and deletes of a table fail with a sentence; for migrations.

    Parameters
    ----------
    deletable
        A condition on `old` under which a row may be deleted all the same.
    """
    refusal = f"'rows of {table} never change: insert a new row instead'"
    if op.get_context().dialect.name == "sqlite":
        for event in ("update", "delete"):
            when = f"when not {deletable} " if deletable and event == "delete" else ""
            op.execute(
                f"create trigger {table}_no_{event} before {event} on {table} {when}"
                f"begin select raise(abort, {refusal}); end"
            )
        return
    passed = f"if tg_op = 'DELETE' and {deletable} then return old; end if;" if deletable else ""
    op.execute(
        f"create or replace function forbid_changes_{table}() returns trigger language plpgsql as "
        f"$$ begin {passed} raise exception {refusal}; end $$"
    )
    op.execute(
        f"create trigger {table}_insert_only before update or delete on {table} "
        f"for each row execute function forbid_changes_{table}()"
    )
