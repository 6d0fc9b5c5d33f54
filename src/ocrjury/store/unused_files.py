"""Files that were written for a row that never came to be: no purge would know them."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress

import sqlalchemy as sa

from ocrjury.errors import LostRaceError
from ocrjury.store.database import FAILURES, Connection, Engine, writing
from ocrjury.store.locks import StoreLock, take
from ocrjury.store.purges import list_purges
from ocrjury.store.schema.course import evaluations
from ocrjury.store.schema.findings import reports
from ocrjury.store.workspace import Store

_NAMING = (evaluations.c.pool_hash, reports.c.html_uri, reports.c.pdf_uri)


@contextmanager
def removed_unless_named(store: Store, addresses: Collection[str]) -> Iterator[None]:
    """Remove files if what was to name them is not stored, but for those that a row names."""
    try:
        yield
    except BaseException:
        with suppress(*FAILURES):  # the first trouble is the one to tell
            _remove_unnamed(store, addresses)
        raise


def lock_files(connection: Connection) -> None:
    """Let nobody else name or remove a stored file until the transaction ends."""
    take(connection, StoreLock.FILES)


def check_there(connection: Connection, store: Store, address: str) -> None:
    """Let nobody else remove a file that this transaction names.

    Raises
    ------
    LostRaceError
        If a purge of whoever else named it has removed it.
    """
    lock_files(connection)
    if not store.files.path(address).exists():
        raise LostRaceError(f"{address} was removed with the texts of another evaluation.")


def count_purges(source: Engine | Connection, evaluation: str) -> int:
    """Number of purges of an evaluation, those that were begun among them."""
    return len(list_purges(source, evaluation))


def check_unpurged(connection: Connection, evaluation: str, *, since: int) -> None:
    """Let nobody begin a purge of an evaluation until this transaction ends.

    Raises
    ------
    LostRaceError
        If one was begun since there were so many.
    """
    lock_files(connection)
    if count_purges(connection, evaluation) != since:
        raise LostRaceError(
            f"the texts of {evaluation} were removed while this report was written; nothing of it "
            "was kept."
        )


def _remove_unnamed(store: Store, addresses: Collection[str]) -> None:
    with writing(store.engine) as connection:
        lock_files(connection)
        for address in set(addresses).difference(_named(connection, addresses)):
            store.files.path(address).unlink(missing_ok=True)


def _named(connection: Connection, addresses: Collection[str]) -> set[str]:
    """Addresses, of those given, that a row names."""
    queries = (sa.select(column).where(column.in_(list(addresses))) for column in _NAMING)
    return {str(address) for query in queries for address in connection.execute(query).scalars()}
