"""The desk says which runs are stuck, since when, and what to do."""

import re
from datetime import UTC, datetime

import httpx
import pytest

from ocrjury.frontends.web import Site, create_application
from ocrjury.signals.stuck_runs import StuckRun
from ocrjury.store.database import writing
from ocrjury.store.links import add_desk_link
from ocrjury.store.workspace import open_store
from tests.frontends.web.test_watching import run

DUE = datetime(2026, 11, 20, 8, tzinfo=UTC)
STUCK = [
    StuckRun("<b>claims-w1-advance", "blocked", DUE, evaluation="claims-w1"),
    StuckRun("sweep-schedule", "late", DUE),
    StuckRun("pay-open", "late", DUE, campaign="pay"),
    StuckRun("pay-w1-advance", "crashed", DUE, evaluation="pay-w1"),
]


@pytest.fixture
def pages(tmp_path, now):
    """A function that shows the list, with what was stuck at each of several looks."""

    def show(*looks, scope=None):
        with open_store(home=tmp_path) as store:
            with writing(store.engine) as connection:
                code = add_desk_link(connection, "Kim", now=now, expires_at=DUE.max, scope=scope)
            found = []
            site = Site(store, now=lambda: now, stuck=lambda: found)
            return run(visit(create_application(site), code, found, looks))

    return show


async def visit(application, code, found, looks):
    """Answers to somebody who looks at the list again and again."""
    transport, base = httpx.ASGITransport(application), "http://127.0.0.1:8080"
    async with httpx.AsyncClient(transport=transport, base_url=base) as client:
        entered = await client.post("/desk/enter", data={"code": code}, headers={"Origin": base})
        cookie = {"Cookie": entered.headers["set-cookie"].partition(";")[0]}
        answers = []
        for look in looks:
            found[:] = look
            known = re.findall(r'data-pulse="(\w+)"', answers[-1].text) if answers else []
            headers = cookie | {"If-None-Match": "".join(known)}
            answers.append(await client.get("/desk", headers=headers))
        return answers


def test_each_run_is_named_with_what_to_do_as_soon_as_it_is_known(pages):
    nothing, stuck, same = pages([], STUCK, STUCK)

    assert (nothing.status_code, stuck.status_code, same.status_code) == (200, 200, 304)
    assert 'class="problem' not in nothing.text
    blocked, late, opening, crashed = re.findall(r'<p class="problem[^>]*>(.*?)</p>', stuck.text)
    assert "&lt;b&gt;claims-w1-advance has waited for another run since 2026-11-20 08:00" in blocked
    assert "restart `ocrjury up`" in blocked
    assert "No worker has taken the run sweep-schedule" in late
    assert "Start `ocrjury up`, or a worker." in opening
    assert "pay-w1-advance ended in the middle" in crashed


def test_a_lead_is_told_of_runs_of_evaluations_that_the_link_opens(pages):
    lost = StuckRun("pay-open", "failed", DUE, message="/pay is gone.", command="ocrjury x")
    [page] = pages([*STUCK, lost], scope=["claims-*"])

    assert "claims-w1-advance" in page.text
    assert "sweep-schedule" in page.text
    assert "pay" not in page.text
