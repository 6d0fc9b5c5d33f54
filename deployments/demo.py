"""The whole chain once on the bundled pool, in this process."""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from ocrjury.campaign.bundled_example import EXAMPLE
from ocrjury.deployments.brief_server import start_briefly
from ocrjury.deployments.installation import Installation
from ocrjury.signals.own_server import is_own_server, make_password, own_password

Tell = Callable[[str], object]


class Shown(NamedTuple):
    """Files of the demo, the address of its run once `ocrjury up` runs, and its evaluation."""

    html: Path
    pdf: Path | None
    run: str
    evaluation: str


def run_demo(
    installation: Installation,
    *,
    out: Path,
    seed: int | None = None,
    tell: Tell = lambda _news: None,
) -> Shown:
    """Open, rate, judge and report the bundled pool, its raters simulated.

    Parameters
    ----------
    out
        Folder for report.html and report.pdf.
    seed
        Instead of the example's own.
    tell
        Told what became of the evaluation by each step.
    """
    os.environ |= run_environment(installation)
    wait = until_served(installation)
    # Prefect reads its settings when it is imported.
    from ocrjury.flows.demo import demo  # noqa: PLC0415

    wait()
    period = f"demo-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    name = f"{EXAMPLE.parent.name}-{period}"
    with telling(name, tell):
        state = demo(period=period, out=str(out), seed=seed, return_state=True)
    written = state.result()
    run = f"{installation.ui}/runs/flow-run/{state.state_details.flow_run_id}"
    return Shown(written.html, written.pdf, run, name)


def until_served(installation: Installation) -> Callable[[], None]:
    """Start a server unless one is named; return how to wait for it."""
    if os.environ.get("PREFECT_API_URL"):
        return lambda: None
    place, wait = start_briefly(installation)
    os.environ["PREFECT_API_URL"] = place.api
    return wait


@contextmanager
def telling(evaluation: str, tell: Tell) -> Iterator[None]:
    """Tell what runs of this process log about an evaluation."""
    handler = logging.Handler()
    begin = f"{evaluation}: "

    def emit(record: logging.LogRecord) -> None:
        if (line := record.getMessage()).startswith(begin):
            tell(line.removeprefix(begin))

    handler.emit = emit  # type: ignore[method-assign]  # a handler is this function
    loggers = [logging.getLogger(f"prefect.{part}_runs") for part in ("flow", "task")]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)


def run_environment(installation: Installation) -> dict[str, str]:
    """Prefect's settings, and the address of the server of `ocrjury up` if that runs."""
    home = Path(os.environ.get("PREFECT_HOME", installation.home / "prefect"))
    # A server starts only in a folder that is there.
    home.mkdir(parents=True, exist_ok=True)
    make_password(installation.home)
    quiet = {
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "PREFECT_HOME": str(home),
        # On the terminal stands what became of the evaluation; the UI has every line.
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "WARNING",
    }
    if os.environ.get("PREFECT_API_URL"):
        return quiet  # whoever names a server has set what it asks for
    here = {"PREFECT_API_URL": installation.api} if answers(installation) else {}
    return quiet | installation.locked() | here


def answers(installation: Installation) -> bool:
    """Return whether the Prefect server of this installation runs; no other server is used."""
    return is_own_server(installation.api, own_password(installation.home))
