"""A lead is told once that runs are stuck, by whichever process sees it first."""

from datetime import UTC, datetime, timedelta

import pytest

import ocrjury.cli.stuck_runs as on_the_page
import ocrjury.flows.advance_evaluation as advance
import ocrjury.tasks.delivery as sweeping
from ocrjury.delivery.stuck_notices import tell_of_stuck
from ocrjury.evaluation.case import at_work
from ocrjury.signals.stuck_runs import StuckRun
from tests.tasks.test_notices import hook, mailbox, report, told

__all__ = ["hook", "mailbox"]  # fixtures
NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
LEAD = {"leads": ["lead@example.org"]}


def stuck(trouble, *, minutes=60, evaluation=None, campaign=None, number=1):
    """A run that should have begun some minutes ago."""
    due = NOW - timedelta(minutes=minutes)
    return StuckRun(
        f"run-{number}",
        trouble,
        due,
        flow_run=f"id-{number}",
        evaluation=evaluation,
        campaign=campaign,
    )


def unopened(trouble, **of):
    """An opening that ended before there was an evaluation."""
    return stuck(trouble, **of)._replace(
        message="/c/raters.csv: no such file." if trouble == "failed" else "",
        command="ocrjury evaluation open /c/campaign.yaml --period q",
    )


def tell(*runs):
    with at_work() as work:
        return tell_of_stuck(work, runs, now=NOW)


@pytest.fixture
def opened(small, mailbox, hook):
    return small.write(**report(mailbox, **LEAD)).open_only("p")


def test_a_blocked_run_is_told_once_with_its_remedy(opened, mailbox, hook):
    run = stuck("blocked", evaluation="small-p")

    assert (tell(run), tell(run)) == (1, 0)

    [(to, subject, body)] = told(mailbox)
    assert to == "lead@example.org"
    assert subject == "[SIMULATED] small: small-p does not go on, because a run is stuck"
    assert "The run run-1 has waited for another run since 2026-11-20 08:00 UTC." in body
    assert "restart `ocrjury up`" in body
    assert [body["event"] for _, body in hook.posts] == ["stuck"]
    assert tell(stuck("blocked", evaluation="small-p", number=2)) == 1


def test_a_late_sweep_is_told_once_for_each_campaign_however_many_follow(small, opened, mailbox):
    small.open_only("q")
    sweeps = [stuck("late", minutes=60 - 20 * number, number=number) for number in range(3)]

    assert (tell(sweeps[0]), tell(*sweeps)) == (1, 0)

    [(_, subject, body)] = told(mailbox)
    assert "does not go on" in subject
    assert "No worker has taken the run run-0" in body


def test_a_late_opening_is_told_to_the_leads_of_its_campaign_only(opened, mailbox):
    assert tell(stuck("late", campaign="another")) == 0
    assert tell(stuck("late", campaign="small")) == 1


def test_an_opening_that_failed_is_told_to_the_leads_of_its_campaign_once_a_day(
    opened, mailbox, hook
):
    failed = unopened("failed", campaign="small")
    an_hour_later = unopened("failed", campaign="small", minutes=0, number=2)
    next_day = unopened("failed", campaign="small", minutes=-24 * 60, number=3)

    assert tell(unopened("failed", campaign="another")) == 0
    assert (tell(failed), tell(failed, an_hour_later), tell(next_day)) == (1, 0, 1)

    to, subject, body = told(mailbox)[0]
    assert to == "lead@example.org"
    assert subject == "[SIMULATED] small: no new evaluation was opened"
    assert "failed: /c/raters.csv: no such file." in body
    assert "`ocrjury evaluation open /c/campaign.yaml --period q`" in body
    assert "Command: ocrjury status" in body
    assert [body["event"] for _, body in hook.posts] == ["unopened", "unopened"]


def test_a_campaign_whose_first_evaluation_was_not_opened_names_its_leads_itself(
    small, opened, mailbox, hook
):
    first = small.path.with_name("first.yaml")
    text = small.path.read_text("utf-8").replace("name: small", "name: first")
    first.write_text(text.replace("lead@example.org", "first@example.org"), "utf-8")
    failed = unopened("failed", campaign="first")._replace(file=str(first))

    assert tell(failed._replace(file=str(small.path))) == 0
    assert tell(failed._replace(file="/gone.yaml")) == 0
    assert (tell(failed), tell(failed)) == (1, 0)

    [(to, subject, body)] = told(mailbox)
    assert to == "first@example.org"
    assert subject == "[SIMULATED] first: no new evaluation was opened"
    assert "`ocrjury evaluation open /c/campaign.yaml --period q`" in body
    assert [body["evaluation"] for _, body in hook.posts] == ["first"]


def test_an_opening_that_crashed_once_is_told_because_no_sweep_opens_it(opened, mailbox):
    assert tell(unopened("crashed", campaign="small")) == 1

    assert "no other run does: `ocrjury evaluation open" in told(mailbox)[0][2]


def test_nobody_is_told_of_a_failure_of_which_the_sweep_tells_or_of_a_wrong_path(opened, mailbox):
    runs = [stuck("failed", evaluation="small-p"), stuck("failed"), unopened("failed")]

    assert tell(*runs) == 0


def test_nobody_is_told_of_what_ends_by_itself(opened, mailbox):
    crash = stuck("crashed", evaluation="small-p")

    assert tell(stuck("late", minutes=9), crash) == 0
    assert tell(crash, stuck("crashed", evaluation="small-p", minutes=5, number=2)) == 1
    assert tell(crash, stuck("crashed", evaluation="small-p", minutes=2, number=3)) == 0
    assert "1 more run is stuck" in told(mailbox)[0][2]


def test_leads_are_told_of_stuck_runs_in_the_language_of_the_campaign(small, mailbox, hook):
    small.write(language="ko", **report(mailbox, **LEAD)).open_only("p")

    tell(stuck("late", evaluation="small-p"))

    assert "실행" in told(mailbox)[0][1]


@pytest.fixture
def late_run(monkeypatch):
    """A run that Prefect says no worker takes."""
    due = datetime.now(UTC) - timedelta(hours=1)
    run = stuck("late", evaluation="small-p")._replace(due=due)
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    monkeypatch.setattr(sweeping, "list_stuck", lambda *_, **__: [run])
    monkeypatch.setattr(on_the_page, "stuck_runs", lambda: [run])


def test_sweep_and_rating_page_tell_of_a_run_once_between_them(opened, mailbox, late_run):
    with at_work() as work:
        on_the_page.Telling(work.store).tell()
        telling = on_the_page.Telling(work.store)
        telling.tell()
    sweeping.tell_of_stuck_runs()

    assert len(told(mailbox)) == 1
    assert len(telling.runs) == 1  # which the desk shows


def test_a_sweep_tells_and_its_end_does_not_depend_on_it(opened, mailbox, late_run, monkeypatch):
    monkeypatch.setattr(advance, "unfinished_evaluations", list)
    assert advance.sweep().is_completed()
    assert len(told(mailbox)) == 1

    monkeypatch.setattr(sweeping, "list_stuck", lambda *_, **__: 1 / 0)
    assert advance.sweep().is_completed()


def test_the_rating_page_looks_again_and_again_until_it_ends(opened, monkeypatch):
    looks = []

    def look(self):
        looks.append(self)
        if len(looks) == 1:
            raise ValueError("the server answered nonsense")
        self._ended.set()

    monkeypatch.setattr(on_the_page.Telling, "tell", look)
    with at_work() as work:
        on_the_page.Telling(work.store, seconds=0)._look()

    assert len(looks) == 2
