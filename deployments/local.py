"""Prefect's server, a worker, all deployments and the rating page on this machine, until Ctrl-C.

Whatever ends this process - Ctrl-C, SIGTERM, a closed terminal, kill -9 - ends its children too.
"""

import fcntl
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import IO

from ocrjury.campaign.settings import HOME, PREFECT_PORT, RATING_PORT, Settings
from ocrjury.deployments.dead_runs import release_dead_runs
from ocrjury.deployments.deploy import deploy, still_off
from ocrjury.deployments.installation import POOL, Installation
from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.deployments.supervision import Program, Supervisor, ignore, leave_if_told, raise_on
from ocrjury.errors import InputError, MissingDependencyError, StateError
from ocrjury.signals.own_server import (
    LOCK,
    is_own_server,
    key_for,
    make_password,
    own_password,
)

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
START_SECONDS = 180.0
LOOK_SECONDS = 0.2
WORKER = "local"
OCRJURY = (sys.executable, "-m", "ocrjury.cli")
SERVER = (sys.executable, "-m", "ocrjury.deployments.server")


def stay_up(installation: Installation) -> None:
    """Run everything until a signal comes.

    Raises
    ------
    InputError
        A port is taken.
    StateError
        Another process is up in this home, or the home vanishes.
    """
    raise_on(STOPPING)
    with only_one(installation):
        run(installation)


def run(installation: Installation) -> None:
    """Start everything, and restart what dies, until a signal comes."""
    if installation.port == installation.rating_port:
        raise InputError(
            f"{PREFECT_PORT} and {RATING_PORT} are both {installation.port}; set one of them to "
            "another port."
        )
    check_port(installation.port, variable=PREFECT_PORT)
    check_port(installation.rating_port, variable=RATING_PORT)
    supervisor, settings = Supervisor(say=say), Settings.from_environment()
    try:
        say(f"Home: {installation.home}")
        say("Starting the Prefect server ...")
        supervisor.start(server_of(installation))
        wait_until_healthy(installation, supervisor)
        deploy_to(installation)
        supervisor.start(worker_of(installation))
        say(f"Prefect is up: {installation.ui}   Logs: {installation.logs}   Ctrl-C stops it.")
        say(f"Evaluations, a page each: {installation.ui}/artifacts (not in the menu of Prefect)")
        say(f"Sign in at {installation.ui} first: `ocrjury up --password` shows the password.")
        while True:
            if "page" not in supervisor.children and settings.store_exists:
                supervisor.start(page_of(installation))
                say(f"Rating page: http://127.0.0.1:{installation.rating_port}")
            leave_if_told()
            time.sleep(1)
            refuse_lost_home(installation)
            supervisor.revive()
    finally:
        ignore(STOPPING)  # a second Ctrl-C must not leave a child behind
        supervisor.stop()


def refuse_lost_home(installation: Installation) -> None:
    """Raise `StateError` if the home is gone: what is restarted would make a new one, with logs."""
    if not (installation.home / LOCK).exists():
        raise StateError(
            f"{installation.home} is gone, or not mounted any more: everything that ran in it is "
            f"stopped. Mount it again, or set {HOME} to where it is, and start `ocrjury up` again."
        )


def say(sentence: str) -> None:
    """Print a sentence at once."""
    print(sentence, flush=True)  # noqa: T201


@contextmanager
def only_one(installation: Installation) -> Iterator[None]:
    """Hold the lock of this home; the system frees it when this process dies.

    Raises
    ------
    StateError
        Another process holds it; the sentence says which, and where its UI is.
    """
    make_password(installation.home)
    path = installation.home / LOCK
    with path.open("a+") as lock:
        if not _took(lock):
            lock.seek(0)
            raise StateError(
                f"ocrjury is already up here: {lock.read().strip() or installation.home}. "
                f"Stop that one, or set {HOME}, {PREFECT_PORT} and {RATING_PORT} for a second one."
            )
        lock.truncate(0)
        lock.write(f"{installation.ui} (process {os.getpid()})\n")
        lock.flush()
        yield


def _took(lock: IO[str]) -> bool:
    """Return whether a lock could be taken; a command that checks it may hold it for a moment."""
    for pause in (LOOK_SECONDS, 0):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(pause)
        else:
            return True
    return False


def check_port(port: int, *, variable: str) -> None:
    """Raise `InputError` if something else listens on a port of this machine."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise InputError(
                f"Port {port} of this machine is taken ({error.strerror}). Set {variable} to a "
                "free one."
            ) from error


def server_of(installation: Installation) -> Program:
    """Prefect server, which only this machine can reach."""
    address = ("--host", "127.0.0.1", "--port", str(installation.port))
    return _program(installation, "server", [*SERVER, "start", *address])


def worker_of(installation: Installation) -> Program:
    """Worker that runs the flows."""
    program = _program(installation, "worker", [*OCRJURY, "worker", "--name", WORKER])

    def release() -> None:
        _release_dead_runs(installation)

    return replace(program, prepare=release, clean_up=release)


def _release_dead_runs(installation: Installation) -> None:
    """Release the runs of the worker, which does not run at present, and say which."""
    key = key_for(installation.api, home=installation.home, port=installation.port)
    api = PrefectApi(installation.api, key=key)  # the server may have died, too
    try:
        released = release_dead_runs(api, POOL, worker=WORKER)
    except MissingDependencyError as error:
        say(f"Runs of the last worker were not released: {error}")
        return
    if released:
        say(f"Released, because their worker is gone: {', '.join(released)}.")


def page_of(installation: Installation) -> Program:
    """Rating page and desk; they start when the first evaluation has made a store."""
    return _program(installation, "page", [*OCRJURY, "serve"])


def _program(installation: Installation, name: str, command: list[str]) -> Program:
    return Program(
        name, command, installation.home, installation.environment(), installation.log(name)
    )


def wait_until_healthy(
    installation: Installation, supervisor: Supervisor, *, seconds: float = START_SECONDS
) -> None:
    """Wait until the server of this home answers, and no other at its port.

    Raises
    ------
    MissingDependencyError
        It died, or does not answer in time; the sentence names its log.
    """
    api, server = PrefectApi(installation.api, timeout=2), supervisor.children["server"]
    password, end = own_password(installation.home), time.monotonic() + seconds
    while not (api.is_healthy() and is_own_server(installation.api, password)):
        if not server.alive or time.monotonic() > end:
            why = "stopped" if not server.alive else f"did not answer within {seconds:.0f} s"
            raise MissingDependencyError(
                f"The Prefect server {why}; {server.program.log} says more, and `ocrjury doctor` "
                "checks the versions."
            )
        time.sleep(0.5)


def deploy_to(installation: Installation) -> None:
    """Deploy, and name the switches that stay off."""
    off = deploy(
        PrefectApi(installation.api, key=own_password(installation.home)),
        environment=installation.environment(),
        log=installation.log("deploy"),
    )
    if off:
        say(still_off(off))
