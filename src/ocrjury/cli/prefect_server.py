"""The Prefect server that commands talk to: whether it answers, and the wait while it starts."""

import time
from collections.abc import Callable
from typing import TypeVar

from ocrjury.campaign.settings import Settings
from ocrjury.cli.printing import waiting
from ocrjury.errors import MissingDependencyError

START_SECONDS = 90.0
"""Time that a command waits for a server that `ocrjury up` is starting."""
PAUSE = 1.0
Answer = TypeVar("Answer")


def server_answers(api: str) -> bool:
    """Return whether a healthy Prefect server answers at an address, by default this home's."""
    from ocrjury.signals.own_server import is_named, is_own_server, own_password, prefect_key
    from ocrjury.signals.server import request

    if not is_named():
        return is_own_server(api, own_password(Settings.from_environment().home))
    try:
        answer = request("GET", f"{api}/health", key=prefect_key(api), timeout=5.0)
        return answer.json() is True
    except (MissingDependencyError, ValueError):
        return False


def require_server() -> str:
    """Address of the API; raises `NotReadyError` if no Prefect server is there, or comes up."""
    from ocrjury.signals.own_server import prefect_address
    from ocrjury.signals.server import NotReadyError

    api = prefect_address()

    def answer() -> str:
        if not server_answers(api):
            raise NotReadyError(_no_server(api))
        return api

    return once_ready(answer)


def once_ready(ask: Callable[[], Answer]) -> Answer:
    """Get an answer of the server; while `ocrjury up` runs in this home, wait until it is ready.

    The server takes a while to listen, and then to know the flows.

    Raises
    ------
    NotReadyError
        Nobody starts it, or it takes longer than `START_SECONDS`.
    """
    from ocrjury.signals.server import NotReadyError

    try:
        return ask()
    except NotReadyError:
        if not _comes_up():
            raise
    end = time.monotonic() + START_SECONDS
    with waiting("Waiting for the Prefect server") as line:
        while True:
            left = max(end - time.monotonic(), 0)
            line.update(
                "The Prefect server of `ocrjury up` is not ready yet; waiting for it, "
                f"{START_SECONDS:.0f} s at most",
                detail=f"{left:.0f} s left",
            )
            time.sleep(PAUSE)
            try:
                return ask()
            except NotReadyError:
                if not left or not _comes_up():
                    raise


def _comes_up() -> bool:
    """Return whether `ocrjury up` runs in this home, so that its server will answer."""
    from ocrjury.signals.own_server import is_named, is_up

    return not is_named() and is_up(Settings.from_environment().home)


def _no_server(api: str) -> str:
    """Sentence about an address at which no server answers, or one of another home."""
    from ocrjury.signals.own_server import is_named

    if is_named():
        return f"No Prefect server answers at {api}; start it with `ocrjury up`."
    return (
        f"No Prefect server of {Settings.from_environment().home} answers at {api}; start it with "
        "`ocrjury up`, or name the home of the one that runs in OCRJURY_HOME."
    )
