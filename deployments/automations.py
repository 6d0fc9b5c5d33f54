"""Automations that belong to no deployment: a run whose process died is marked as crashed.

Without it, a flow run whose process and worker were both killed stays `Running` for ever and keeps
its deployment's only slot. It must exist before a run sends its first heartbeat.
"""

from typing import Any

from ocrjury.deployments.prefect_api import PrefectApi

ZOMBIES = "ocrjury: a run without heartbeat has crashed"
HEARTBEATS_MISSED = 10
"""More than a busy server keeps back; `ocrjury up` sees at once that its worker is gone."""


def zombie_automation(*, heartbeat: float = 30.0) -> dict[str, Any]:
    """Automation that marks a run as crashed after ten missed heartbeats.

    Parameters
    ----------
    heartbeat
        Seconds between two heartbeats of a run: ``PREFECT_FLOWS_HEARTBEAT_FREQUENCY``.

    Notes
    -----
    Any event of the run counts as a sign of life. Runs end in states with our own names, such as
    ``WaitingForRatings``, so a list of Prefect's final states would call them dead.
    """
    within = HEARTBEATS_MISSED * heartbeat
    return {
        "name": ZOMBIES,
        "description": f"No sign of life for {within:.0f} seconds after a heartbeat.",
        "enabled": True,
        "trigger": {
            "type": "event",
            "posture": "Proactive",
            "match": {"prefect.resource.id": "prefect.flow-run.*"},
            "for_each": ["prefect.resource.id"],
            "after": ["prefect.flow-run.heartbeat"],
            "expect": ["prefect.flow-run.*"],
            "threshold": 1,
            "within": within,
        },
        "actions": [
            {
                "type": "change-flow-run-state",
                "state": "CRASHED",
                "name": "Crashed",
                "message": f"The run's process gave no sign of life for {within:.0f} seconds.",
            }
        ],
    }


def ensure_automation(api: PrefectApi, body: dict[str, Any]) -> str:
    """Create an automation, or update the one with this name; return what was done.

    An automation that a person has switched off stays off.
    """
    existing = next((a for a in api.automations() if a["name"] == body["name"]), None)
    if existing is None:
        api.create_automation(body)
        return "created"
    if _holds(existing, body):
        return "unchanged"
    api.replace_automation(existing["id"], body | {"enabled": existing["enabled"]})
    return "updated"


def _holds(existing: Any, wanted: Any) -> bool:
    """Return whether an automation, which also has ids and defaults, holds everything wanted."""
    if isinstance(wanted, dict):
        return isinstance(existing, dict) and all(
            key == "enabled" or _holds(existing.get(key), value) for key, value in wanted.items()
        )
    if isinstance(wanted, list):
        return (
            isinstance(existing, list)
            and len(existing) == len(wanted)
            and all(map(_holds, existing, wanted))
        )
    return bool(existing == wanted)
