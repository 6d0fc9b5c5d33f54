"""Counts of Prefect's runs of the last day by state, in one request."""

from collections import Counter
from datetime import datetime, timedelta

import httpx

from ocrjury.errors import MissingDependencyError
from ocrjury.signals.run_ends import HELD, WAITING_FOR_DELIVERY, WAITING_FOR_RATINGS
from ocrjury.signals.server import request

STATES = (
    *("scheduled", "late", "pending", "running", "completed", "waiting", "held"),
    *("failed", "crashed", "cancelled"),
)
"""States by which runs are counted; `late` ones are scheduled, and no worker took them in time."""
WORDS = {
    "Late": "late",
    HELD: "held",
    WAITING_FOR_RATINGS: "waiting",
    WAITING_FOR_DELIVERY: "waiting",
}
"""Names of states that say more than their type."""
TAG = "ocrjury"
_DAY = timedelta(days=1)
_SECONDS = 2.0
_NO_ANSWER = (ValueError, LookupError, TypeError, AttributeError)
"""Errors on reading the answer of something other than Prefect."""


def count_runs(api: str, *, key: str | None, now: datetime) -> dict[str, int] | None:
    """Number of runs that were due within the last day, by state; None if nobody answers."""
    body = {
        "history_start": (now - _DAY).isoformat(),
        "history_end": now.isoformat(),
        "history_interval_seconds": _DAY.total_seconds(),
        "flow_runs": {"tags": {"all_": [TAG]}},
    }
    try:
        answer = request("POST", f"{api}/flow_runs/history", key=key, timeout=_SECONDS, json=body)
        periods = answer.raise_for_status().json()
        counts = Counter(dict.fromkeys(STATES, 0))
        for state in (state for period in periods for state in period["states"]):
            word = WORDS.get(state["state_name"]) or state["state_type"].lower()
            counts[word] += state["count_runs"]
    except (MissingDependencyError, httpx.HTTPError, *_NO_ANSWER):
        return None
    return dict(counts)
