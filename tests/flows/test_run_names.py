"""What a person reads in the list of runs: names, tags, and the words and colours they end with."""

import pytest

pytestmark = pytest.mark.prefect

WHY = {"reason": "we are late", "actor": "Kim"}


@pytest.fixture
def runs(in_process, tmp_path, monkeypatch):
    """Run flows of this process on a store of their own; return their runs by the server."""
    from prefect import State

    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path))

    def run(flow, *arguments, **parameters):
        state = flow(*arguments, **parameters, return_state=True)
        assert isinstance(state, State)
        return in_process.run(state.state_details.flow_run_id)

    return run


def test_a_sweep_bears_its_reason(runs, tmp_path):
    from ocrjury.flows.advance_evaluation import advance_evaluation
    from ocrjury.signals.own_server import FILE

    (tmp_path / FILE).write_text("ocrjury:secret")  # of a server that has opened nothing yet
    run = runs(advance_evaluation, reason="schedule")

    assert (run["name"], run["state_name"]) == ("sweep-schedule", "Swept")
    assert run["state"]["message"] == "nothing was opened yet"


def test_a_refused_decision_names_those_that_are_possible(runs, waiting_campaign):
    from ocrjury.flows.decide_evaluation import decide_evaluation
    from ocrjury.flows.open_evaluation import open_evaluation
    from ocrjury.flows.report_evaluation import report_evaluation

    opened = runs(open_evaluation, campaign=str(waiting_campaign), period="2026w47")
    again = runs(open_evaluation, campaign=str(waiting_campaign), period="2026w47")
    refused = runs(decide_evaluation, "waiting-claims-2026w47", "proceed", **WHY)
    forms = [(advance_of_all(), ()), (decide_evaluation, ("proceed",)), (report_evaluation, ())]
    misspelt = [
        runs(flow, "waiting-claims-2026w74", *more, **(WHY if more else {})) for flow, more in forms
    ]

    assert opened["name"] == "waiting-claims-2026w47-r00-open"
    assert (opened["state_type"], opened["state_name"]) == ("CANCELLED", "WaitingForRatings")
    assert (again["state_type"], again["state_name"]) == ("COMPLETED", "AlreadyOpen")
    assert again["state"]["message"] == "waiting-claims-2026w47"
    assert set(opened["tags"]) == {"campaign:waiting-claims", "evaluation:waiting-claims-2026w47"}
    assert refused["name"] == "waiting-claims-2026w47-r01-proceed"
    assert (refused["state_type"], refused["state_name"]) == ("FAILED", "Refused")
    assert "is collecting; possible: extend, drop, abort" in refused["state"]["message"]
    assert {end["state_name"] for end in misspelt} == {"Refused"}
    assert {end["state"]["message"] for end in misspelt} == {
        "no evaluation is called 'waiting-claims-2026w74'; the newest are waiting-claims-2026w47."
    }


def test_a_held_evaluation_is_red_and_no_failure(runs, waiting_campaign, tmp_path):
    from ocrjury.flows.open_evaluation import open_evaluation

    path = tmp_path / "campaign.yaml"
    gone = waiting_campaign.read_text("utf-8").replace("fields.jsonl", "gone.jsonl")
    path.write_text(gone, "utf-8")

    held = runs(open_evaluation, campaign=str(path), period="held")
    swept = runs(advance_of_all())

    assert (held["state_type"], held["state_name"]) == ("FAILED", "Held")
    assert held["state"]["message"].startswith("pool: ")
    assert (swept["state_type"], swept["state_name"]) == ("COMPLETED", "Swept")


def advance_of_all():
    from ocrjury.flows.advance_evaluation import advance_evaluation

    return advance_evaluation
