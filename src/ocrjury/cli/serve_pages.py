"""Progress of the raters in Prefect's UI, which follows what they hand in."""

import threading
from typing import TYPE_CHECKING

from ocrjury.campaign.settings import Settings

if TYPE_CHECKING:
    from ocrjury.store.workspace import Store

SECONDS = 5.0
"""Between a rating and the page that counts it; more ratings may come in meanwhile."""


class Following:
    """Shows in Prefect how an evaluation stands, some seconds after a rating, each time once."""

    def __init__(self, store: "Store", *, seconds: float = SECONDS) -> None:
        self._store, self._seconds = store, seconds
        self._waiting: set[str] = set()
        self._lock = threading.Lock()

    def __call__(self, evaluation: str) -> None:
        """Note that something was handed in."""
        with self._lock:
            if evaluation in self._waiting:
                return
            self._waiting.add(evaluation)
        timer = threading.Timer(self._seconds, self._show, [evaluation])
        timer.daemon = True
        timer.start()

    def _show(self, evaluation: str) -> None:
        # Most of the time nobody looks on, and these take memory.
        from ocrjury.evaluation.case import Work
        from ocrjury.evaluation.overview import show_overview

        with self._lock:
            self._waiting.discard(evaluation)
        work = Work(self._store, Settings.from_environment().now())
        show_overview(work.case(evaluation))
