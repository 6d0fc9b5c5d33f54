"""One moment of the database, in which a thread reads whatever it reads."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

import sqlalchemy as sa


@contextmanager
def snapshot(engine: sa.Engine) -> Iterator[None]:
    """Let everything that this thread reads be of one moment, until it begins to write."""
    if snapshot_of(engine) is not None:
        yield
        return
    own = _Snapshot(engine)
    token = _held.set(own)
    try:
        with own.stack:  # what fails within rolls back, and is told itself
            yield
    finally:
        _held.reset(token)
        own.over = True


@dataclass(eq=False)
class _Snapshot:
    """The transaction of a snapshot; it begins with the first read."""

    engine: sa.Engine
    stack: ExitStack = field(default_factory=ExitStack)
    transaction: sa.Connection | None = None
    over: bool = False

    def connection(self) -> sa.Connection:
        """Connection in the transaction."""
        if self.transaction is None:
            self.transaction = self.stack.enter_context(consistent(self.engine).begin())
        return self.transaction

    def end(self) -> None:
        """End the transaction, and begin no other."""
        self.over = True
        self.stack.close()


_held: ContextVar[_Snapshot | None] = ContextVar("snapshot", default=None)


def snapshot_of(engine: sa.Engine) -> _Snapshot | None:
    """Snapshot of a database in which this thread reads."""
    held = _held.get()
    return held if held is not None and held.engine is engine and not held.over else None


def consistent(engine: sa.Engine) -> sa.Engine:
    """Engine whose transactions see one state; PostgreSQL's own see a new one by statement."""
    if engine.dialect.name == "sqlite":
        return engine
    return engine.execution_options(isolation_level="REPEATABLE READ")
