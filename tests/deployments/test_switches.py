from ocrjury.deployments.campaigns import prefect_file
from ocrjury.deployments.switches import Switches, read_switches, restore_switches, set_switches


def test_switches_are_read_by_name(prefect):
    prefect.add_deployment("open", weekly=False, monthly=True)
    prefect.add_deployment("advance", paused=True, sweep=True)
    prefect.add_automation("zombies", enabled=False)
    prefect.add_automation("events")

    switches = read_switches(prefect)

    assert switches == Switches(
        paused=frozenset({"advance"}),
        schedules_off=frozenset({("open", "weekly")}),
        schedules_on=frozenset({("open", "monthly"), ("advance", "sweep")}),
        automations_off=frozenset({"zombies"}),
    )


def test_a_deployment_puts_back_what_was_off_and_nothing_else(prefect):
    prefect.add_deployment("open", weekly=True, monthly=True)
    prefect.add_deployment("advance", sweep=True)
    prefect.add_automation("zombies")
    prefect.add_automation("events")
    before = Switches(
        paused=frozenset({"advance"}),
        schedules_off=frozenset({("open", "weekly"), ("gone", "daily")}),
        automations_off=frozenset({"zombies"}),
    )

    again = restore_switches(prefect, before)

    assert again == ["open/weekly", "advance", "zombies"]
    assert prefect.calls == [
        ("disable", "d-open", "s-weekly"),
        ("pause", "d-advance"),
        ("disable", "a-zombies"),
    ]


def test_what_is_still_off_is_left_alone(prefect):
    prefect.add_deployment("advance", paused=True, sweep=False)
    prefect.add_automation("zombies", enabled=False)

    again = restore_switches(prefect, read_switches(prefect))

    assert (again, prefect.calls) == ([], [])


def test_what_a_person_switched_on_is_switched_on_again_without_a_word(prefect):
    prefect.add_deployment("open", weekly=False, monthly=False)
    before = Switches(schedules_on=frozenset({("open", "weekly")}))

    again = restore_switches(prefect, before)

    assert (again, prefect.calls) == ([], [("enable", "d-open", "s-weekly")])


def test_a_deployment_that_is_stopped_half_way_has_switched_nothing_on():
    body = prefect_file([])
    decided, complete = (
        trigger for entry in body["deployments"] for trigger in entry.get("triggers", ())
    )
    before = Switches(
        paused=frozenset({"advance-round"}),
        schedules_off=frozenset({("advance", "sweep"), ("gone", "daily")}),
        schedules_on=frozenset({("open", "weekly")}),
        automations_off=frozenset({decided["name"], "zombies"}),
    )

    off = set_switches(body, before)

    assert off == ["advance/sweep", decided["name"], "advance-round"]
    entries = {entry["name"]: entry for entry in body["deployments"]}
    assert [schedule["active"] for schedule in entries["advance"]["schedules"]] == [False]
    assert [schedule["active"] for schedule in entries["open"]["schedules"]] == [True]
    assert [entry for entry in entries if entries[entry].get("paused")] == ["advance-round"]
    assert (decided.get("enabled"), complete.get("enabled")) == (False, None)
