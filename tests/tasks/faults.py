"""Trouble between any two reads of a step, at a given one of the points that it passes by.

A point is a statement to the database, or a file of the store or the campaign that is opened or
whose place is asked for.
"""

import contextvars
import sys
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from ocrjury.store import database
from ocrjury.store.files import FileStore

ERRORS = (
    KeyError(1),
    OSError(5, "Input/output error"),
    RuntimeError("of a library"),
    MemoryError(),
    sa.exc.OperationalError("SELECT", None, Exception("the server went away")),
)
"""What may be raised at a point; each point takes its turn."""


class Fault:
    """Lets something happen when a point is passed by for the n-th time."""

    def __init__(self, folder):
        self.folder, self.place, self.opens = folder, FileStore.path, False
        self.at, self.passed, self.writes = 0, 0, False
        self.happens = self.what = None
        self.migrate = database._migrate

    @contextmanager
    def at_point(self, number, happens):
        """Let something happen at a point within the block."""
        self.at, self.passed, self.writes = number, 0, False
        self.happens, self.what = happens, None
        try:
            yield
        finally:
            self.happens = None

    def pass_by(self, what, path=None):
        if self.happens is None or (path is None and self.happens.files):
            return
        if (self.writes or self.opens) and self.happens.waits:  # another process waits for the end
            return
        self.passed += 1
        if self.passed == self.at:
            happens, self.happens, self.what = self.happens, None, what
            happens(self.at, path)

    def begin(self, connection):
        self.writes = bool(connection.get_execution_options().get("write"))

    def end(self, _connection):
        self.writes = False

    def execute(self, _connection, _cursor, statement, *_):
        self.pass_by(statement)

    def audit(self, event, arguments):
        if self.happens is None or event != "open" or not isinstance(arguments[0], str | Path):
            return
        path = Path(arguments[0])
        if path.is_relative_to(self.folder) and path.is_file() and path.suffix != ".db":
            hidden = path.name.startswith(".")  # nobody removes what is only being written
            self.pass_by(str(path), None if hidden else path)

    @contextmanager
    def listening(self):
        """Notice every point."""
        heard = {"begin": self.begin, "commit": self.end, "rollback": self.end}
        heard["before_cursor_execute"] = self.execute
        for event, hear in heard.items():
            sa.event.listen(sa.Engine, event, hear)
        FileStore.path = lambda files, address: self.asked(self.place(files, address))
        database._migrate = self.opening
        _hear_opens(self)
        try:
            yield self
        finally:
            _heard.clear()
            database._migrate = self.migrate
            FileStore.path = self.place
            for event, hear in heard.items():
                sa.event.remove(sa.Engine, event, hear)

    def opening(self, engine):
        """Open the store, for which threads of this process wait; no other process does."""
        self.opens = True
        try:
            self.migrate(engine)
        finally:
            self.opens = False

    def asked(self, path):
        self.pass_by(str(path), path if path.is_file() else None)
        return path


class Raised:
    """An error, of another kind at every point."""

    files = waits = False

    def __call__(self, number, _path):
        raise ERRORS[number % len(ERRORS)]


class Overtaken:
    """Another process, which advances the evaluation."""

    files, waits = False, True

    def __init__(self, step, times):
        self.step, self.times = step, times

    def __call__(self, _number, _path):
        for _ in range(self.times):
            contextvars.Context().run(self.step)


class Gone:
    """A file that vanishes when it is about to be read, until somebody brings it back."""

    files, waits = True, False

    def __call__(self, _number, path):
        self.path, self.body = path, path.read_bytes()
        path.unlink()

    def back(self):
        if self.path.parent.exists() and not self.path.exists():
            self.path.write_bytes(self.body)


_heard = []


def _hear_opens(fault):
    """Tell a fault of every file that Python opens; a hook of Python's own can never be removed."""
    if not hasattr(sys, "_ocrjury_hears_opens"):
        sys._ocrjury_hears_opens = True
        # A module has lost its names when files are opened at the very end of a process.
        sys.addaudithook(lambda *heard: [each.audit(*heard) for each in _heard or ()])
    _heard.append(fault)
