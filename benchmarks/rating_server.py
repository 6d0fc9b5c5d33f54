"""The rating page as a process of its own, for benchmarks."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

from benchmarks.rating_world import World


class Server(NamedTuple):
    """A running `ocrjury serve`."""

    port: int
    child: subprocess.Popen[bytes]


@contextmanager
def serving(world: World, *, port: int | None = None) -> Iterator[Server]:
    """Yield a real server process on a real port."""
    port = port or free_port()
    variables = {
        "OCRJURY_HOME": str(world.home),
        "OCRJURY_DATABASE_URL": world.url,
        "PREFECT_API_URL": "http://127.0.0.1:9/api",  # nobody: the outbox keeps what it has to tell
    }
    with (world.home / "serve.log").open("ab") as log:
        child = subprocess.Popen(  # noqa: S603  # ourselves
            [sys.executable, "-m", "ocrjury.cli", "serve", "--port", str(port)],
            env=os.environ | variables,
            stdout=log,
            stderr=log,
        )
        try:
            wait_until(lambda: _answers(port) or child.poll() is not None, ())
            yield Server(port, child)
        finally:
            with suppress(ProcessLookupError):
                child.terminate()
            child.wait(30)


def _answers(port: int) -> bool:
    """Whether somebody listens."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    """Unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(
    until: Callable[[], bool], threads: Sequence[threading.Thread], *, seconds: float = 120
) -> None:
    """Wait until something holds, or everybody who works at it has ended."""
    end = time.monotonic() + seconds
    while not until():
        if time.monotonic() > end or (threads and not any(thread.is_alive() for thread in threads)):
            raise TimeoutError("it does not happen")
        time.sleep(0.02)


def percentile(seconds: list[float], share: int) -> float:
    """Percentile in milliseconds."""
    return 1000 * sorted(seconds)[max(-(-len(seconds) * share // 100) - 1, 0)]
