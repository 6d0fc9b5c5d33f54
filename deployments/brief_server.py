"""A Prefect server for as long as this process lives.

Prefect would start one by itself, once its client is asked for something: after all imports, which
then include those of a whole server. Here it starts beside them.
"""

import atexit
import socket
from collections.abc import Callable
from dataclasses import replace

from ocrjury.deployments.installation import Installation
from ocrjury.deployments.local import server_of, wait_until_healthy
from ocrjury.deployments.supervision import Supervisor

NAME = "brief-server"
WITHOUT = {
    "PREFECT_UI_ENABLED": "false",
    "PREFECT_SERVER_SERVICES_SCHEDULER_ENABLED": "false",
}
"""Pages, which nobody looks at, and the schedules of a home, whose runs nobody would take."""


def start_briefly(home: Installation) -> tuple[Installation, Callable[[], None]]:
    """Start a server on a free port; return where it will be, and how to wait until it answers.

    It ends after what Prefect does at the end of this process, if Prefect is imported afterwards.
    """
    place = replace(home, port=_free_port())
    program = server_of(place)
    environment = {**program.environment, **WITHOUT}
    supervisor = Supervisor(say=lambda _: None)
    atexit.register(supervisor.stop)
    supervisor.start(replace(program, environment=environment, log=place.log(NAME)))
    return place, lambda: wait_until_healthy(place, supervisor)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
