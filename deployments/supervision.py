"""Child processes that are restarted when they die and that never outlive their parent."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

GRACE = 20.0
"""Seconds in which a child may end by itself."""

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that end a process in an orderly way."""

LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Program:
    """Program to run: its name, command line, folder, environment and log file.

    ``prepare`` is done before every start, and ``clean_up`` after it was stopped for good.
    """

    name: str
    command: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    log: Path
    prepare: Callable[[], None] = lambda: None
    clean_up: Callable[[], None] = lambda: None


@dataclass(slots=True)
class Child:
    """Running program, the number of its quick deaths, and when it may be restarted."""

    program: Program
    process: subprocess.Popen[bytes]
    started: float
    failures: int = 0
    due: float | None = None

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self.process.poll() is None


@dataclass(slots=True)
class Patience:
    """Wait before the next start of a child that keeps dying, in seconds.

    The wait doubles with every life shorter than ``healthy``, up to ``longest``.
    """

    shortest: float = 2.0
    longest: float = 60.0
    healthy: float = 60.0

    def wait(self, failures: int) -> float:
        """Wait before the next start."""
        return min(self.longest, self.shortest * 2.0 ** min(failures, 16))


@dataclass(slots=True)
class Supervisor:
    """Programs under supervision, stopped in reverse order of their start.

    Parameters
    ----------
    say
        Called with a sentence about every death, start and stop.
    """

    say: Callable[[str], None]
    patience: Patience = field(default_factory=Patience)
    grace: float = GRACE
    children: dict[str, Child] = field(default_factory=dict)

    def start(self, program: Program) -> Child:
        """Start a program, and append its output to its log."""
        with held(ENDING):
            child = Child(program, launch(program), time.monotonic())
            self.children[program.name] = child
        return child

    def revive(self) -> None:
        """Restart what has died, after a wait that grows while it keeps dying."""
        for child in self.children.values():
            if child.alive:
                continue
            if child.due is None:
                self._note_death(child)
            elif time.monotonic() >= child.due:
                with held(ENDING):
                    child.process = launch(child.program)
                child.started, child.due = time.monotonic(), None

    def stop(self) -> None:
        """End every child and everything it started."""
        for name, child in reversed(self.children.items()):
            began = time.monotonic()
            end_group(child.process, grace=self.grace)
            child.program.clean_up()
            self.say(f"{name} stopped after {time.monotonic() - began:.0f} s.")
        self.children.clear()

    def _note_death(self, child: Child) -> None:
        long_life = time.monotonic() - child.started >= self.patience.healthy
        wait = self.patience.wait(0 if long_life else child.failures)
        child.failures = 0 if long_life else child.failures + 1
        child.due = time.monotonic() + wait
        sweep_group(child.process.pid)  # its own children would block the new process
        self.say(
            f"{child.program.name} ended with {child.process.returncode}; restarting it in "
            f"{wait:.0f} s. Its log: {child.program.log}"
        )


def launch(program: Program) -> subprocess.Popen[bytes]:
    """Start a program in its own session, so that Ctrl-C reaches its supervisor only."""
    program.prepare()
    program.log.parent.mkdir(parents=True, exist_ok=True)
    parent = os.getpid()
    with program.log.open("ab") as log:
        return subprocess.Popen(  # noqa: S603  # the command is ours
            program.command,
            cwd=program.folder,
            env=dict(program.environment),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=lambda: tie_to(parent),  # noqa: PLW1509  # no thread runs here
        )


def tie_to(parent: int) -> None:
    """Send this process SIGTERM when its parent dies, however it dies (Linux only)."""
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)  # `make up &` starts us with SIGINT ignored
    if LIBC is not None:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before the line above
            os._exit(1)


def end_group(process: subprocess.Popen[bytes], *, grace: float) -> None:
    """Ask a child to end, wait, then kill the rest of its process group."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(grace)
        except subprocess.TimeoutExpired:
            process.kill()
            with suppress(subprocess.TimeoutExpired):  # it hangs in the kernel; nothing ends it
                process.wait(grace)
    sweep_group(process.pid)


def sweep_group(leader: int) -> None:
    """Kill the processes that a dead child left behind; nothing stored is lost."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return


@contextmanager
def held(signals: Iterable[signal.Signals]) -> Iterator[None]:
    """Let these signals wait while a child is started and noted.

    While Python forks, it ignores whatever a handler raises, so that the signal would be lost.
    """
    heard: list[int] = []
    before = {number: signal.signal(number, lambda n, _: heard.append(n)) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for late in heard:
        signal.raise_signal(late)


_heard: list[int] = []


def raise_on(signals: Iterable[signal.Signals]) -> None:
    """Turn these signals into `SystemExit`, even if a shell ignored them; see `leave_if_told`."""

    def leave(number: int, _frame: object) -> None:
        _heard.append(number)
        sys.exit(0)

    for number in signals:
        signal.signal(number, leave)


def leave_if_told() -> None:
    """Raise `SystemExit` again if a signal of `raise_on` came and its own was lost.

    Python drops what is raised in the callback of a weak reference, and every import has some. So
    whoever goes from starting to waiting asks once more.
    """
    if _heard:
        sys.exit(0)


def ignore(signals: Iterable[signal.Signals]) -> None:
    """Ignore these signals from now on."""
    for number in signals:
        signal.signal(number, signal.SIG_IGN)
