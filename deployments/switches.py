"""What a person had switched off stays off.

``prefect deploy`` switches every schedule and automation of the file on again: the switches are
read before, and put back after.
"""

from dataclasses import dataclass

from deployments.prefect_api import PrefectApi


@dataclass(frozen=True, slots=True)
class SwitchedOff:
    """Names of deployments that are paused, of schedules and automations that are off.

    A schedule's name is its deployment's name and its slug.
    """

    paused: frozenset[str] = frozenset()
    schedules: frozenset[tuple[str, str]] = frozenset()
    automations: frozenset[str] = frozenset()


def read_switches(api: PrefectApi) -> SwitchedOff:
    """Return what is switched off now."""
    deployments = api.deployments()
    return SwitchedOff(
        paused=frozenset(d["name"] for d in deployments if d["paused"]),
        schedules=frozenset(
            (d["name"], s["slug"]) for d in deployments for s in d["schedules"] if not s["active"]
        ),
        automations=frozenset(a["name"] for a in api.automations() if not a["enabled"]),
    )


def restore_switches(api: PrefectApi, off: SwitchedOff) -> list[str]:
    """Switch off again what was off; return its names."""
    again = []
    for deployment in api.deployments():
        name = deployment["name"]
        if name in off.paused and not deployment["paused"]:
            api.pause_deployment(deployment["id"])
            again.append(name)
        for schedule in deployment["schedules"]:
            if (name, schedule["slug"]) in off.schedules and schedule["active"]:
                api.disable_schedule(deployment["id"], schedule["id"])
                again.append(f"{name}/{schedule['slug']}")
    for automation in api.automations():
        if automation["name"] in off.automations and automation["enabled"]:
            api.disable_automation(automation["id"])
            again.append(automation["name"])
    return again
