from deployments.switches import SwitchedOff, read_switches, restore_switches


def test_switches_are_read_by_name(prefect):
    prefect.add_deployment("open", weekly=False, monthly=True)
    prefect.add_deployment("advance", paused=True, sweep=True)
    prefect.add_automation("zombies", enabled=False)
    prefect.add_automation("events")

    off = read_switches(prefect)

    assert off == SwitchedOff(
        paused=frozenset({"advance"}),
        schedules=frozenset({("open", "weekly")}),
        automations=frozenset({"zombies"}),
    )


def test_a_deployment_puts_back_what_was_off_and_nothing_else(prefect):
    prefect.add_deployment("open", weekly=True, monthly=True)
    prefect.add_deployment("advance", sweep=True)
    prefect.add_automation("zombies")
    prefect.add_automation("events")
    off = SwitchedOff(
        paused=frozenset({"advance"}),
        schedules=frozenset({("open", "weekly"), ("gone", "daily")}),
        automations=frozenset({"zombies"}),
    )

    again = restore_switches(prefect, off)

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
