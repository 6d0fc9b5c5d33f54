"""How Prefect's runs of the last day stand, in one request."""

from collections import Counter
from datetime import datetime, timedelta

import httpx

from ocrjury.errors import MissingDependencyError
from ocrjury.signals.server import request

STATES = ("scheduled", "late", "pending", "running", "completed", "failed", "crashed", "cancelled")
"""What runs are counted as; `late` ones are scheduled, and no worker has taken them in time."""
TAG = "ocrjury"
_DAY = timedelta(days=1)
_SECONDS = 2.0
_NO_ANSWER = (ValueError, LookupError, TypeError, AttributeError)
"""What the answer of something else than Prefect raises when it is read."""


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
            late = state["state_name"] == "Late"
            counts["late" if late else state["state_type"].lower()] += state["count_runs"]
    except (MissingDependencyError, httpx.HTTPError, *_NO_ANSWER):
        return None
    return dict(counts)
