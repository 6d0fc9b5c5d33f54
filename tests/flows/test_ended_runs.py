"""What failed or crashed is known until a later run has made up for it; asked of a real server."""

from datetime import UTC, datetime, timedelta

import pytest
from prefect import tags

from ocrjury.errors import StateError
from ocrjury.flows.advance_evaluation import advance_evaluation
from ocrjury.flows.open_evaluation import open_evaluation
from ocrjury.signals.ended_runs import TRIES
from ocrjury.signals.stuck_runs import explain, list_stuck

pytestmark = pytest.mark.prefect
FILE = "/srv/claims dir/campaign.yaml"
WEEK = ["campaign:claims", "evaluation:claims-2026w48"]
RAISED = "Flow run encountered an exception: "


@pytest.fixture
def ended(server):
    """A function that leaves a run of a flow, ended in some state, with the server."""
    made = []

    def end(flow, kind, message="", *, name=None, tags=(), tries=0, **parameters):
        flow_id = server.post("/flows/", {"name": flow}).json()["id"]
        state = {"type": kind, "message": message} | ({"name": name} if name else {})
        body = {"flow_id": flow_id, "state": state, "tags": ["ocrjury", *tags]}
        answer = server.post("/flow_runs/", body | {"parameters": parameters})
        made.append(answer.raise_for_status().json()["id"])
        for again in ["RUNNING", kind] * tries:
            server.set_state(made[-1], again, "")
        return made[-1]

    yield end
    for run in made:
        server._call("DELETE", f"/flow_runs/{run}")


@pytest.fixture
def stuck(server):
    """A function that says what is stuck, but for what other tests have left."""
    before = {run.flow_run for run in look(server)}
    return lambda: [run for run in look(server) if run.flow_run not in before]


def look(server):
    now = datetime.now(UTC) + timedelta(seconds=1)
    return list_stuck(server.address, key=server.key, now=now)


def test_an_opening_that_failed_is_named_with_its_reason_and_the_command(
    in_process, stuck, tmp_path, monkeypatch
):
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path))
    with tags("ocrjury"):  # as its deployment does
        state = open_evaluation(campaign=f"{tmp_path}/campaign.yaml", return_state=True)
    run = str(state.state_details.flow_run_id)

    [failed] = stuck()
    explained = explain(failed, moment="06:00")
    in_process._call("DELETE", f"/flow_runs/{run}")

    assert (failed.flow_run, failed.trouble) == (run, "failed")
    assert f"{tmp_path}/campaign.yaml" in explained.sentence
    assert "exception" not in explained.sentence
    assert f"`ocrjury evaluation open {tmp_path}/campaign.yaml`" in explained.remedy


def test_a_lost_opening_is_known_until_its_campaign_opens_again(stuck, ended):
    kinds = {"tags": WEEK, "campaign": FILE}
    ended("open-evaluation", "FAILED", f"{RAISED}InputError: raters.csv is gone.", **kinds)
    ended("advance-evaluation", "COMPLETED", name="Swept", reason="schedule")

    [failed] = stuck()
    ended("open-evaluation", "CRASHED", tries=TRIES, **kinds)
    [crashed] = stuck()
    ended("open-evaluation", "CANCELLED", name="WaitingForRatings", **kinds)

    assert (failed.message, failed.campaign) == ("raters.csv is gone.", "claims")
    assert failed.command.endswith(f"open '{FILE}' --period 2026w48")
    assert (crashed.trouble, crashed.command) == ("crashed", failed.command)
    assert stuck() == []


def test_a_sweep_begins_a_crashed_opening_again_unless_it_crashed_thrice(
    server, stuck, ended, monkeypatch, tmp_path
):
    lost = [ended("open-evaluation", "CRASHED", tries=n, campaign=f"/{n}") for n in (1, TRIES)]
    once, thrice = (explain(run, moment="06:00").remedy for run in stuck())
    server.serve_commands(monkeypatch)
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path))
    monkeypatch.delenv("OCRJURY_DATABASE_URL", raising=False)

    with pytest.raises(StateError, match="there is no store in it"):  # the first opening was lost
        advance_evaluation.fn()

    assert "The next sweep goes on." in once
    assert "no other run does: `ocrjury evaluation open /3`" in thrice
    assert [server.run(run)["state_type"] for run in lost] == ["SCHEDULED", "CRASHED"]


def test_a_failure_is_known_until_a_sweep_or_another_run_went_well(stuck, ended):
    of_week = {"evaluation": "claims-2026w48"}
    ended("advance-evaluation", "FAILED", f"{RAISED}KeyError: 'a text'", **of_week)
    ended("advance-evaluation", "FAILED", "pay-w1 failed; the others went on.", reason="schedule")

    one, sweep = stuck()
    ended("decide-evaluation", "FAILED", "held", name="Held", evaluation="claims-2026w49")
    ended("decide-evaluation", "FAILED", "not now", name="Refused", **of_week)
    both = stuck()
    ended("advance-evaluation", "CANCELLED", name="WaitingForRatings", **of_week)
    rest = stuck()
    ended("advance-evaluation", "COMPLETED", name="Swept", reason="schedule")

    assert (one.evaluation, one.message, one.command) == ("claims-2026w48", "KeyError", "")
    assert (sweep.evaluation, sweep.message) == (None, "")
    assert both == [one, sweep]
    assert rest == [sweep]
    assert stuck() == []


def test_a_crash_is_over_once_a_later_run_went_on_but_still_counts(stuck, ended):
    of_week = {"evaluation": "claims-2026w48"}
    ended("advance-evaluation", "CRASHED", **of_week)
    ended("decide-evaluation", "CRASHED", **of_week, decision="extend")
    before = [run.over for run in stuck()]

    ended("advance-evaluation", "COMPLETED", name="Closed", **of_week)

    assert before == [False, False]
    # The decision of a form may be lost, whatever ran since.
    assert [(run.decision, run.over) for run in stuck()] == [("", True), ("extend", False)]
