"""Switches that a person has set, kept across a deployment.

``prefect deploy`` sets every switch as in its file, so the switches are read before and written
into it: a deployment that is stopped half-way has switched nothing on. What Prefect set otherwise
all the same is restored afterwards.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ocrjury.deployments.prefect_api import PrefectApi


@dataclass(frozen=True, slots=True)
class Switches:
    """Paused deployments, automations that are off, and all schedules, by name.

    A schedule's name is its deployment's name and its slug.
    """

    paused: frozenset[str] = frozenset()
    schedules_off: frozenset[tuple[str, str]] = frozenset()
    schedules_on: frozenset[tuple[str, str]] = frozenset()
    automations_off: frozenset[str] = frozenset()


def read_switches(api: PrefectApi) -> Switches:
    """Current state of all switches."""
    deployments = api.deployments()
    schedules = {(d["name"], s["slug"]): s["active"] for d in deployments for s in d["schedules"]}
    return Switches(
        paused=frozenset(d["name"] for d in deployments if d["paused"]),
        schedules_off=frozenset(name for name, active in schedules.items() if not active),
        schedules_on=frozenset(name for name, active in schedules.items() if active),
        automations_off=frozenset(a["name"] for a in api.automations() if not a["enabled"]),
    )


def set_switches(body: Mapping[str, Any], before: Switches) -> list[str]:
    """Set the switches in the body of a file; return the names of those that it had on.

    Parameters
    ----------
    body
        Content of a ``prefect.yaml``, which is changed.
    """
    switched_off = []
    for entry in body["deployments"]:
        name = entry["name"]
        if name in before.paused:
            entry["paused"] = True
            switched_off.append(name)
        for schedule in entry.get("schedules", ()):
            key = (name, schedule["slug"])
            if key in before.schedules_off and schedule["active"]:
                schedule["active"] = False
                switched_off.append("/".join(key))
            if key in before.schedules_on:
                schedule["active"] = True
        for trigger in entry.get("triggers", ()):
            if trigger["name"] in before.automations_off:
                trigger["enabled"] = False
                switched_off.append(trigger["name"])
    return switched_off


def restore_switches(api: PrefectApi, before: Switches) -> list[str]:
    """Restore all switches; return the names of those that were switched off again."""
    switched_off = []
    for deployment in api.deployments():
        name = deployment["name"]
        if name in before.paused and not deployment["paused"]:
            api.pause_deployment(deployment["id"])
            switched_off.append(name)
        for schedule in deployment["schedules"]:
            key = (name, schedule["slug"])
            if key in before.schedules_off and schedule["active"]:
                api.switch_schedule(deployment["id"], schedule["id"], active=False)
                switched_off.append("/".join(key))
            if key in before.schedules_on and not schedule["active"]:
                api.switch_schedule(deployment["id"], schedule["id"], active=True)
    for automation in api.automations():
        if automation["name"] in before.automations_off and automation["enabled"]:
            api.disable_automation(automation["id"])
            switched_off.append(automation["name"])
    return switched_off
