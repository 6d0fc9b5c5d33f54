"""Rating pages in processes of their own: forks of one that has loaded what they run.

To load it anew takes more than a second each. The command as people type it: `tests/wheel`.
"""

import atexit
import gc
import json
import os
import select
import signal
import subprocess
import sys
import weakref
from contextlib import suppress
from functools import cache
from pathlib import Path

from tests.children import end, next_line

ROOT = Path(__file__).resolve().parents[1]


class Child:
    """A process that is no child of this one, with what is used of `subprocess.Popen`."""

    def __init__(self, pid):
        self.pid, self._handle = pid, os.pidfd_open(pid)
        weakref.finalize(self, os.close, self._handle)

    def poll(self):
        """None while it lives."""
        return "ended" if self._ended(0) else None

    def wait(self, seconds):
        if not self._ended(seconds):
            raise subprocess.TimeoutExpired("serve", seconds)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def send_signal(self, number):
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, number)

    def _ended(self, seconds):
        return bool(select.select([self._handle], [], [], seconds)[0])


def start_serving(*arguments, environment, log):
    """Start `ocrjury serve` with an environment, and with a file for what it says."""
    order = {"arguments": arguments, "environment": environment, "log": str(log)}
    parent = _parent()
    print(json.dumps(order), file=parent.stdin, flush=True)
    return Child(int(next_line(parent)))


def start_afresh(*arguments, environment, log):
    """Start `ocrjury serve` in a process that loads everything itself, as people do."""
    command = [sys.executable, "-m", "ocrjury.cli", "serve", *arguments]
    with log.open("ab") as said:
        return subprocess.Popen(command, env=environment, stdout=said, stderr=said)


@cache
def _parent():
    """The process that forks, which ends with this one."""
    command = [sys.executable, "-m", "tests.web_servers"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    parent = subprocess.Popen(command, cwd=ROOT, text=True, **pipes)

    atexit.register(end, parent)
    return parent


def bury(*_):
    """Leave no child that ended behind."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def main():
    """Fork at every order, and say the number of the new process; it leaves with its own code."""
    import uvicorn  # noqa: F401

    import ocrjury.frontends.web
    from ocrjury.cli import connections, main, serve  # noqa: F401

    ocrjury.frontends.web.create_application  # noqa: B018  # loaded when it is named
    signal.signal(signal.SIGCHLD, bury)
    gc.freeze()
    for line in sys.stdin:
        if pid := os.fork():
            print(pid, flush=True)
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        order = json.loads(line)
        os.environ.clear()
        os.environ.update(order["environment"])
        with open(order["log"], "ab") as log:  # noqa: PTH123
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
        sys.exit(main(["serve", *order["arguments"]]))


if __name__ == "__main__":
    main()
