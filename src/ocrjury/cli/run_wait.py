"""The wait for a flow run: what it does at present, and how far that is."""

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ocrjury.cli.printing import Waiting, waiting
from ocrjury.errors import MissingDependencyError, OcrjuryError

if TYPE_CHECKING:
    from ocrjury.signals.deployments import StartedRun

ENDS = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")
NOT_FOUND = 404
POLL_SECONDS = 1.0
PATIENCE = 5
"""Questions in a row at which the server may fail."""
LONGEST_SILENCE = 300.0
"""Seconds that it may be silent, because it is slow, busy or starts anew."""
LONGEST_QUEUE = 3600.0
"""Seconds that a run may wait for a worker or for its place."""
LONGEST_RUN = 24 * 3600.0
"""Seconds that a run may take; whoever asked for it has long gone to bed by then."""
SILENT = "The Prefect server is slow to answer; the run goes on"
WAITS = {
    "Scheduled": "The run waits for a worker",
    "Pending": "The run is about to begin",
    "Submitting": "The run is about to begin",
    "Late": "The run is Late; no worker has taken it yet. Is `ocrjury up` running?",
    "AwaitingConcurrencySlot": "The run waits for another one to end",
}
"""Reasons why a run has not begun, by its state."""


class RunWait:
    """The wait for one run on the server of an API."""

    def __init__(self, api: str, run: "StartedRun") -> None:
        from ocrjury.signals.own_server import prefect_key

        self._api, self._run, self._key = api, run, prefect_key(api)
        self._began = self._answered = self._at_work = time.monotonic()
        self._failures = 0
        self._step = "The run has begun"

    def until_end(self) -> Mapping[str, Any]:
        """Flow run once it has ended.

        Raises
        ------
        MissingDependencyError
            The server has failed or been silent for too long, or nobody takes the run.
        """
        with waiting("Waiting for the run") as line:
            while True:
                run = self._ask()
                state = (run or {}).get("state") or {}
                if run is not None and state.get("type") in ENDS:
                    return run
                self._show(line, state)
                self._check_queue(state.get("name"))
                self._check_length(state.get("name"))
                time.sleep(POLL_SECONDS)

    def _check_queue(self, name: str | None) -> None:
        """Give up a run that does not begin."""
        now = time.monotonic()
        if name not in WAITS:
            self._at_work = now
        if (idle := now - self._at_work) > LONGEST_QUEUE:
            raise MissingDependencyError(
                f"The run has been {name} for {idle / 60:.0f} minutes, so this waits no longer. "
                "`ocrjury status` says what is in its way; it begins when it can: "
                f"{self._run.address}"
            )

    def _check_length(self, name: str | None) -> None:
        """Give up a run that does not end: a bucket that drips, a run that somebody paused."""
        if (length := time.monotonic() - self._began) > LONGEST_RUN:
            raise MissingDependencyError(
                f"The run has not ended after {length / 3600:.0f} hours and is {name}, so this "
                "waits no longer. `ocrjury status` says what is wrong with it; the run goes on: "
                f"{self._run.address}"
            )

    def _ask(self) -> dict[str, Any] | None:
        """Run as the server knows it; None if it does not answer for now."""
        from ocrjury.signals.server import NoAnswerError

        try:
            run = self._read()
        except NoAnswerError as error:
            silence = time.monotonic() - self._answered
            if silence < LONGEST_SILENCE:
                return None
            raise MissingDependencyError(
                f"The Prefect server has not answered for {silence:.0f} s, so this waits no "
                f"longer. The run itself may go on: {self._run.address}"
            ) from error
        except MissingDependencyError:
            self._failures += 1
            if self._failures >= PATIENCE:
                raise
            return None
        self._answered, self._failures = time.monotonic(), 0
        return run

    def _read(self) -> dict[str, Any]:
        from ocrjury.signals.server import body_of, request

        answer = request("GET", f"{self._api}/flow_runs/{self._run.flow_run}", key=self._key)
        if answer.status_code == NOT_FOUND:
            raise OcrjuryError(f"Prefect at {self._api} no longer knows this run; it was deleted.")
        return body_of(answer)

    def _show(self, line: Waiting, state: Mapping[str, Any]) -> None:
        """Say what the run does and how far it is, or what keeps it from beginning."""
        from ocrjury.signals.run_progress import read_progress

        name, detail = state.get("name", ""), ""
        if name == "Running":
            step, detail = read_progress(self._api, self._run.flow_run, key=self._key)
            what = self._step = step or self._step  # between two steps none is running
        else:
            what = WAITS.get(name, f"The run is {name}") if name else SILENT
        seconds = f"{time.monotonic() - self._began:.0f} s"
        line.update(what, detail=", ".join(filter(None, (detail, seconds))))
