"""Runs that are stuck: in `ocrjury status` and `ocrjury doctor`, at the desk, and told to leads."""

import logging
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ocrjury.cli.prefect_server import server_answers
from ocrjury.cli.printing import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ocrjury.signals.stuck_runs import Explained, StuckRun
    from ocrjury.store.workspace import Store

log = logging.getLogger(__name__)
SECONDS = 60.0
"""Between two looks, none of which a page waits for."""


def stuck_runs() -> "list[StuckRun]":
    """Runs that are blocked, late, crashed or failed; none without a server."""
    from ocrjury.signals.own_server import prefect_address, prefect_key
    from ocrjury.signals.stuck_runs import list_stuck

    api = prefect_address()
    if not server_answers(api):
        return []
    return list_stuck(api, key=prefect_key(api), now=datetime.now(UTC))


def say_stuck() -> None:
    """Print a line for each run that is stuck, with what to do."""
    for run in needing_somebody(stuck_runs()):
        say(" ".join(explained(run)))


def needing_somebody(runs: "Sequence[StuckRun]") -> "list[StuckRun]":
    """Runs after which no later one has gone on."""
    return [run for run in runs if not run.over]


def explained(run: "StuckRun") -> "Explained":
    """Sentences about a run, which tell the time of this machine."""
    from ocrjury.signals.stuck_runs import explain

    return explain(run, moment=f"{run.due.astimezone():%Y-%m-%d %H:%M}")


class Telling:
    """Tells leads of stuck runs while the rating page is served, also where no sweep runs.

    `runs` are those that were stuck at the last look.
    """

    def __init__(self, store: "Store", *, seconds: float = SECONDS) -> None:
        self._store, self._seconds, self._ended = store, seconds, threading.Event()
        self.runs: Sequence[StuckRun] = ()

    def __enter__(self) -> None:
        """Begin to look, in a thread of its own."""
        threading.Thread(target=self._look, name="stuck runs", daemon=True).start()

    def __exit__(self, *_: object) -> None:
        """End it."""
        self._ended.set()

    def _look(self) -> None:
        while not self._ended.wait(self._seconds):
            try:
                self.tell()
            except Exception:  # of whatever kind: the thread looks again later
                log.exception("nobody could be told of runs that are stuck")

    def tell(self) -> None:
        """Tell who was not told yet."""
        runs = stuck_runs()
        self.runs = needing_somebody(runs)
        if not runs:
            return
        # Most of the time nothing is stuck, and these take memory.
        from ocrjury.campaign.settings import Settings, real_now
        from ocrjury.delivery.stuck_notices import tell_of_stuck
        from ocrjury.evaluation.case import Work

        work = Work(self._store, Settings.from_environment().now())
        tell_of_stuck(work, runs, now=real_now())
