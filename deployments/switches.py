"""What a person has switched on or off stays so.

``prefect deploy`` sets every switch as the file has it: the switches are read before, and put back
after.
"""

from dataclasses import dataclass

from ocrjury.deployments.prefect_api import PrefectApi


@dataclass(frozen=True, slots=True)
class Switches:
    """Names of deployments that are paused, of automations that are off, and all schedules.

    A schedule's name is its deployment's name and its slug.
    """

    paused: frozenset[str] = frozenset()
    schedules_off: frozenset[tuple[str, str]] = frozenset()
    schedules_on: frozenset[tuple[str, str]] = frozenset()
    automations_off: frozenset[str] = frozenset()


def read_switches(api: PrefectApi) -> Switches:
    """Return how everything is switched now."""
    deployments = api.deployments()
    schedules = {(d["name"], s["slug"]): s["active"] for d in deployments for s in d["schedules"]}
    return Switches(
        paused=frozenset(d["name"] for d in deployments if d["paused"]),
        schedules_off=frozenset(name for name, active in schedules.items() if not active),
        schedules_on=frozenset(name for name, active in schedules.items() if active),
        automations_off=frozenset(a["name"] for a in api.automations() if not a["enabled"]),
    )


def restore_switches(api: PrefectApi, before: Switches) -> list[str]:
    """Switch everything as it was; return the names of what was switched off again."""
    again = []
    for deployment in api.deployments():
        name = deployment["name"]
        if name in before.paused and not deployment["paused"]:
            api.pause_deployment(deployment["id"])
            again.append(name)
        for schedule in deployment["schedules"]:
            key = (name, schedule["slug"])
            if key in before.schedules_off and schedule["active"]:
                api.switch_schedule(deployment["id"], schedule["id"], active=False)
                again.append("/".join(key))
            if key in before.schedules_on and not schedule["active"]:
                api.switch_schedule(deployment["id"], schedule["id"], active=True)
    for automation in api.automations():
        if automation["name"] in before.automations_off and automation["enabled"]:
            api.disable_automation(automation["id"])
            again.append(automation["name"])
    return again
