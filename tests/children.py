"""Limits to every wait for a process that a test started, and for what it says."""

import os
import select
import signal
import subprocess
from contextlib import contextmanager, suppress

SECONDS = 60


def next_line(process, seconds=SECONDS):
    """What a process says next, for processes that say a line only when they are asked."""
    ready, _, _ = select.select([process.stdout], [], [], seconds)
    assert ready, f"process {process.pid} said nothing for {seconds} seconds"
    return process.stdout.readline()


def end(process, seconds=SECONDS):
    """Close what a process reads, so that it ends; one that does not is killed."""
    if process.stdin:
        with suppress(BrokenPipeError):
            process.stdin.close()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(seconds)
    if process.stdout:
        process.stdout.close()


@contextmanager
def ending(process, seconds=SECONDS):
    """Yield a process, which has ended afterwards; `with process` would wait without a limit."""
    try:
        yield process
    except BaseException:
        process.kill()
        raise
    finally:
        end(process, seconds)


def exit_code_of(child, seconds):
    """How a fork of this process ended; one that lasts longer is killed."""
    handle = os.pidfd_open(child)
    try:
        if not select.select([handle], [], [], seconds)[0]:
            os.kill(child, signal.SIGKILL)
            assert select.select([handle], [], [], SECONDS)[0], f"process {child} does not end"
        return os.waitstatus_to_exitcode(os.waitpid(child, os.WNOHANG)[1])
    finally:
        os.close(handle)
