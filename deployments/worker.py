"""A worker that runs the flows of a Prefect server, in this process."""

import asyncio
import os
import platform
import signal
import threading
import time
from contextlib import suppress
from types import FrameType

from ocrjury.campaign.settings import DATABASE_URL, HOME, LAST_PORT
from ocrjury.deployments.installation import POOL, Installation
from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.deployments.supervision import leave_if_told
from ocrjury.deployments.waiting_names import WaitingNames
from ocrjury.errors import InputError, MissingDependencyError
from ocrjury.signals.own_server import (
    given_key,
    is_named,
    is_own_address,
    is_own_server,
    own_password,
    prefect_address,
    prefect_key,
)
from ocrjury.signals.server import NoAnswerError

START_SECONDS = 180.0
STOP_SECONDS = 40.0
"""Docker and systemd kill after 60."""


def work(
    *,
    limit: int,
    pool: str = POOL,
    name: str | None = None,
    health_port: int | None = None,
) -> None:
    """Run flows until a signal comes.

    Parameters
    ----------
    limit
        Number of runs at a time.
    pool
        Work pool whose runs it takes; made if there is none.
    name
        Name of the worker in Prefect's UI; that of the machine unless given.
    health_port
        Port of this machine at which ``/health`` says whether the worker still asks for work.

    Raises
    ------
    MissingDependencyError
        No server answers in time, or it wants another key.
    """
    if limit < 1:
        raise InputError("--limit must be 1 or more.")
    if health_port is not None and not 0 < health_port <= LAST_PORT:
        raise InputError(f"--health-port must be from 1 to {LAST_PORT}; found {health_port}.")
    api = prefect_address()
    wait_for_server(api)
    WaitingNames(PrefectApi(api, key=prefect_key(api))).keep_naming()
    os.environ |= environment_of_worker(api)
    if health_port is not None:
        os.environ["PREFECT_WORKER_WEBSERVER_PORT"] = str(health_port)
        os.environ.setdefault("PREFECT_WORKER_WEBSERVER_HOST", "127.0.0.1")
    # Prefect reads its settings when it is imported.
    from prefect.utilities.processutils import setup_signal_handlers_worker  # noqa: PLC0415
    from prefect.workers.process import ProcessWorker  # noqa: PLC0415

    from ocrjury.deployments.direct_runs import DirectRun  # noqa: PLC0415

    async def stay() -> None:
        # Here, so that the first signal cancels this and the second one kills.
        setup_signal_handlers_worker(os.getpid(), "the worker", print)
        end_after(signal.SIGTERM)
        worker = ProcessWorker(work_pool_name=pool, limit=limit, name=name or platform.node())
        worker.job_configuration = DirectRun
        await worker.start(with_healthcheck=health_port is not None)

    leave_if_told()
    with suppress(asyncio.CancelledError, KeyboardInterrupt):
        asyncio.run(stay())


def end_after(number: signal.Signals, *, seconds: float = STOP_SECONDS) -> None:
    """Let a signal end this process at last, whatever its handler waits for.

    Prefect's own stop may wait for a server that is busy or away, longer than Docker and systemd
    wait before they kill. Runs that are left are released as those of a killed worker.
    """
    before = signal.getsignal(number)

    def handle(received: int, frame: FrameType | None) -> None:
        timer = threading.Timer(seconds, os._exit, [0])
        timer.daemon = True
        timer.start()
        if callable(before):
            before(received, frame)

    signal.signal(number, handle)


def environment_of_worker(api: str) -> dict[str, str]:
    """Prefect's variables for a worker of the server at an address, and where the store is.

    Each run works in a temporary folder, in which it would look for another store, and lose it.
    """
    variables = Installation.from_environment().environment_of_client(api)
    return {
        name: value
        for name, value in variables.items()
        if name.startswith("PREFECT_") or name in {HOME, DATABASE_URL}
    }


def wait_for_server(api: str, *, seconds: float = START_SECONDS) -> None:
    """Wait until a Prefect server answers; it may start together with this worker.

    Raises
    ------
    MissingDependencyError
        It does not answer in time, or wants another key.
    """
    end = time.monotonic() + seconds
    while not _answers(api):
        if time.monotonic() > end:
            raise MissingDependencyError(
                f"No Prefect server answered at {api} within {seconds:.0f} s. Start it, or set "
                "PREFECT_API_URL to the one that runs."
            )
        time.sleep(1)


def _answers(api: str) -> bool:
    """Return whether the server at an address answers; at this home's, only one of this account.

    Whatever answers there could hand the worker a program to run.

    Raises
    ------
    MissingDependencyError
        It wants another key. Prefect's worker would ask with it, and end with a traceback.
    """
    home = Installation.from_environment()
    password = own_password(home.home)
    ours = is_own_address(api, home.port) and (not is_named() or given_key() == password)
    if password is not None and ours:
        return is_own_server(api, password)
    server = PrefectApi(api, key=prefect_key(api), timeout=5)
    if not server.is_healthy():  # which it says without a key
        return False
    try:
        server.has_work_pool(POOL)
    except NoAnswerError:
        return False
    return True
