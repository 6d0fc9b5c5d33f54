from ocrjury.deployments.automations import ZOMBIES, ensure_automation, zombie_automation


def test_an_automation_is_created_once(prefect):
    done = [ensure_automation(prefect, zombie_automation()) for _ in range(3)]

    assert done == ["created", "unchanged", "unchanged"]
    assert prefect.calls == [("create", ZOMBIES)]


def test_a_changed_automation_is_brought_up_to_date(prefect):
    ensure_automation(prefect, zombie_automation(heartbeat=60))

    assert ensure_automation(prefect, zombie_automation(heartbeat=30)) == "updated"
    assert prefect.automated[0]["trigger"]["within"] == 300


def test_what_a_person_switched_off_stays_off(prefect):
    ensure_automation(prefect, zombie_automation(heartbeat=60))
    prefect.automated[0]["enabled"] = False

    done = [ensure_automation(prefect, zombie_automation(heartbeat=30)) for _ in range(2)]

    assert done == ["updated", "unchanged"]
    assert prefect.automated[0]["enabled"] is False


def test_a_run_that_ends_in_a_state_of_our_own_counts_as_alive():
    trigger = zombie_automation()["trigger"]

    assert trigger["expect"] == ["prefect.flow-run.*"]
    assert trigger["within"] == 10 * 30
