import time

import pytest


@pytest.fixture
def until():
    """Wait for a condition, at most a minute; return its value."""

    def wait(condition, *, seconds=60.0):
        end = time.monotonic() + seconds
        while not (value := condition()):
            assert time.monotonic() < end, "it did not happen in time"
            time.sleep(0.02)
        return value

    return wait


class ToyPrefect:
    """The calls of `PrefectApi` over lists in memory; `calls` holds what was written."""

    def __init__(self):
        self.deployed, self.automated, self.calls = [], [], []

    def add_deployment(self, name, *, paused=False, **schedules):
        rows = [{"id": f"s-{k}", "slug": k, "active": on} for k, on in schedules.items()]
        self.deployed.append({"id": f"d-{name}", "name": name, "paused": paused, "schedules": rows})

    def add_automation(self, name, *, enabled=True):
        self.automated.append({"id": f"a-{name}", "name": name, "enabled": enabled})

    def deployments(self):
        return self.deployed

    def automations(self):
        return self.automated

    def create_automation(self, body):
        self.calls.append(("create", body["name"]))
        trigger = {"id": "t1", "match_related": {}, **body["trigger"]}
        self.automated.append({"id": "a1", **body, "trigger": trigger})

    def replace_automation(self, automation, body):
        self.calls.append(("replace", automation))
        self.automated = [body | {"id": automation} for _ in self.automated]

    def disable_automation(self, automation):
        self.calls.append(("disable", automation))

    def switch_schedule(self, deployment, schedule, *, active):
        self.calls.append(("enable" if active else "disable", deployment, schedule))

    def remove_schedule(self, deployment, schedule):
        self.calls.append(("remove", deployment, schedule))

    def pause_deployment(self, deployment):
        self.calls.append(("pause", deployment))


@pytest.fixture
def prefect():
    return ToyPrefect()
