"""`make demo`: the whole chain once, in this process; says what came out and where to look."""

import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import httpx

from ocrjury.deployments.installation import Installation
from ocrjury.errors import OcrjuryError


def main() -> int:
    """Run the demo; 2 with a sentence if it cannot."""
    started = time.monotonic()
    try:
        installation = Installation.from_environment()
        os.environ |= run_environment(installation)
        # Prefect reads its settings when it is imported.
        from ocrjury.flows.demo import demo  # noqa: PLC0415

        period = f"demo-{datetime.now(UTC):%Y%m%d-%H%M%S}"
        state = demo(period=period, out="out", return_state=True)
        written = state.result()
    except OcrjuryError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    seconds = time.monotonic() - started
    for path in (written.html, written.pdf):
        if path is not None:
            print(f"{path}  ({path.stat().st_size // 1024} KiB)")  # noqa: T201
    print(f"The chain took {seconds:.0f} s.")  # noqa: T201
    run = f"{installation.ui}/runs/flow-run/{state.state_details.flow_run_id}"
    print(f"To see the run: `make up`, then open {run}")  # noqa: T201
    return 0


def run_environment(installation: Installation) -> dict[str, str]:
    """Return Prefect's settings: the server of `make up` if it runs, else one for this process."""
    home = Path(os.environ.get("PREFECT_HOME", installation.home / "prefect"))
    # A server of this process starts only in a folder that is there.
    home.mkdir(parents=True, exist_ok=True)
    quiet = {
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "PREFECT_HOME": str(home),
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
    }
    return quiet | ({"PREFECT_API_URL": installation.api} if answers(installation) else {})


def answers(installation: Installation) -> bool:
    """Return whether a Prefect server of this installation runs."""
    try:
        return httpx.get(f"{installation.api}/health", timeout=2).is_success
    except httpx.HTTPError:
        return False


if __name__ == "__main__":
    sys.exit(main())
