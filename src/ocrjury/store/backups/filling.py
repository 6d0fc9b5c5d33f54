"""All rows of a store brought into an empty PostgreSQL database, in one transaction."""

from collections.abc import Callable

from ocrjury.errors import InputError
from ocrjury.store.backups.copying import Content, Tick, copy_rows, held_tables
from ocrjury.store.database import Connection, make_engine, migrate, writing
from ocrjury.store.rows import count_anew
from ocrjury.store.schema.creation import TABLES


def fill_database(
    source: Connection,
    database_url: str,
    *,
    tick: Tick,
    before_commit: Callable[[], None] = lambda: None,
) -> dict[str, Content]:
    """Create the tables with their triggers, copy all rows, and compare; all of it or nothing.

    Raises
    ------
    InputError
        If the database holds rows of a store, or cannot hold a row.
    """
    engine = make_engine(database_url)
    try:
        with writing(engine) as target:
            migrate(target)
            # Whoever opens the new database meanwhile waits until it is whole.
            names = ", ".join(table.name for table in TABLES)
            target.exec_driver_sql(f"LOCK TABLE {names} IN EXCLUSIVE MODE")
            _refuse_what_is_held(target)
            copied = copy_rows(source, target, tick=tick)
            count_anew(target, *TABLES)
            before_commit()
    finally:
        engine.dispose()
    return copied


def _refuse_what_is_held(target: Connection) -> None:
    held = held_tables(target)
    if held:
        raise InputError(
            f"the PostgreSQL database holds rows already ({', '.join(held[:3])}); name an empty "
            "one in OCRJURY_DATABASE_URL."
        )
