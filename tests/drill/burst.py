"""Complete the rounds of many evaluations at once, and measure how long other runs wait.

A real `ocrjury up`. Evaluations are opened; then all of them are to be advanced at once, as when
their last raters hand in at the same moment, which a queue does one after the other. Meanwhile and
afterwards a lead asks for one evaluation to be advanced, again and again. A run has waited until
the worker takes it; then its process starts. A place in the queue is idle between the end of a run
and the moment at which the worker takes the next one.

Run as ``python -m tests.drill.burst [--postgresql] [--evaluations 20]``; writes a section of
``benchmarks/results/burst.md``. With the option, Prefect's own database is on PostgreSQL.
"""

import argparse
import os
import re
import tempfile
import time
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest
import yaml

from benchmarks.postgres_server import new_database, postgres_server
from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.errors import MissingDependencyError
from ocrjury.signals.deployments import start_deployment
from ocrjury.signals.own_server import own_password
from ocrjury.tasks.opening import open_campaign
from tests.drill.campaign import small_campaign
from tests.drill.live import Place, wait_until

RESULT = Path(__file__).resolve().parents[2] / "benchmarks" / "results" / "burst.md"
GOAL = 5
"""Seconds that a run of a lead, or a place in the queue, may wait for a free worker."""
PAUSE, AFTERWARDS, WITHIN = 5, 3, 1500
ENDED = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")


def filed(folder):
    """The campaign of the drills, for ratings that come as files."""
    path = small_campaign(folder)
    campaign = yaml.safe_load(path.read_text("utf-8"))
    campaign["rounds"] = {"frontend": "file"}
    path.write_text(yaml.safe_dump(campaign, allow_unicode=True), "utf-8")
    return path


def opened(campaign, home, count):
    """Open the evaluations; return their names."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("OCRJURY_HOME", str(home))
        return [
            open_campaign.fn(
                str(campaign), period=f"p{n:02d}", seed=None, scheduled=datetime.now(UTC)
            ).evaluation
            for n in range(count)
        ]


class Server:
    """Runs on the server of a place."""

    def __init__(self, place):
        self.address = f"http://127.0.0.1:{place.port}/api"
        self.key = own_password(place.home)
        self.api = PrefectApi(self.address, key=self.key, timeout=60)

    def start(self, deployment, evaluation):
        name = f"advance-evaluation/{deployment}"
        arguments = {"evaluation": evaluation}
        return start_deployment(self.address, name, arguments, key=self.key, timeout=60).flow_run

    def has_ended(self, run):
        with suppress(MissingDependencyError):  # a busy server answers late
            return self.api._call("GET", f"/flow_runs/{run}")["state_type"] in ENDED
        return False

    def moments(self, run):
        """When a run was asked for, taken by the worker, begun and ended, in seconds."""
        states = self.api._call("GET", f"/flow_run_states/?flow_run_id={run}")
        states.sort(key=lambda state: state["timestamp"])
        at = {}
        for state in states:
            moment = datetime.fromisoformat(state["timestamp"]).timestamp()
            at.setdefault("asked", moment)
            if state["type"] == "PENDING":
                at["taken"] = moment
            if state["type"] == "RUNNING":
                at.setdefault("begun", moment)
            at["ended"] = moment
        # One that waits for people is called cancelled; none may be marked as crashed meanwhile.
        assert states[-1]["type"] in ("COMPLETED", "CANCELLED"), states[-1]
        assert all(state["type"] != "CRASHED" for state in states), states
        return at


def burst(server, names):
    """Ask for everything; return the runs of the queue, and those of the lead."""
    queue = [server.start("advance-round", name) for name in names]
    asked, after, end = [], 0, time.monotonic() + WITHIN
    while after < AFTERWARDS:
        if time.monotonic() > end:
            raise TimeoutError(f"the burst is not over after {WITHIN} s")
        after += all(server.has_ended(run) for run in queue)
        asked.append(server.start("advance", names[0]))
        wait_until(lambda: server.has_ended(asked[-1]), seconds=300, what="a lead's run", pause=1)
        time.sleep(PAUSE)
    return queue, asked


def prefects_database(stack):
    """Variables by which `ocrjury up` has Prefect's own database on PostgreSQL."""
    url = stack.enter_context(new_database(stack.enter_context(postgres_server()), "prefect"))
    address = url.replace("postgresql:", "postgresql+asyncpg:")
    return {"PREFECT_SERVER_DATABASE_CONNECTION_URL": address}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--evaluations", type=int, default=20)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="ocrjury-burst-"))
    home = folder / "home"
    home.mkdir(mode=0o700)
    campaign = filed(folder)
    names = opened(campaign, home, options.evaluations)
    place = Place(home, campaign=campaign)
    del place.environment["OCRJURY_CLOCK"], place.environment["OCRJURY_ENGINE"]
    with ExitStack() as stack:
        if options.postgresql:
            place.environment |= prefects_database(stack)
        place.start(sweep=1800)  # as everywhere: two at once would take both places of the lead
        stack.callback(place.stop)
        server = Server(place)
        queue, asked = ([server.moments(run) for run in runs] for runs in burst(server, names))
    where = "PostgreSQL" if options.postgresql else "SQLite"
    title = f"{options.evaluations} evaluations, Prefect's database on {where}"
    write(title, section(sorted(queue, key=lambda at: at["taken"]), asked))
    print(RESULT.read_text())


def write(title, text):
    """Write a section of the results; others stay."""
    sections = {}
    if RESULT.exists():
        titles_and_texts = re.split(r"^## (.+)\n", RESULT.read_text("utf-8"), flags=re.MULTILINE)
        sections = dict(zip(titles_and_texts[1::2], titles_and_texts[2::2], strict=True))
    sections[title] = f"\n{text}\n"
    head = ["# Burst: `python -m tests.drill.burst`", "", *__doc__.splitlines()[2:-3], ""]
    parts = [f"## {title}\n{sections[title]}" for title in sorted(sections)]
    RESULT.write_text("\n".join(head) + "\n" + "".join(parts), encoding="utf-8")


def section(queue, asked):
    """Section of the results."""
    last = queue[-1]["ended"]
    idle = [later["taken"] - sooner["ended"] for sooner, later in pairwise(queue)]
    during = [at["taken"] - at["asked"] for at in asked if at["asked"] < last]
    after = [at["taken"] - at["asked"] for at in asked if at["asked"] >= last]
    rows = {
        "a place in the queue is idle between two runs": idle,
        "a lead's run waits during the burst": during,
        "a lead's run waits after the burst": after,
        "its process starts (of all runs)": [at["begun"] - at["taken"] for at in (*queue, *asked)],
    }
    return "\n".join(
        [
            (
                f"{datetime.now(UTC):%Y-%m-%d}: the burst was over after "
                f"{last - queue[0]['asked']:.0f} s; {os.cpu_count()} cores, "
                f"load {os.getloadavg()[1]:.1f}."
            ),
            "",
            "| what | times | median, s | longest, s |",
            "|---|--:|--:|--:|",
            *(
                f"| {what} | {len(s)} | {median(s):.1f} | {max(s):.1f} |"
                for what, s in rows.items()
            ),
            "",
            (
                f"Goal: no run waits more than {GOAL} s for a free worker. "
                f"{'Met' if max(*idle, *during, *after) <= GOAL else 'Missed'}. None of the "
                f"{len(queue) + len(asked)} runs was marked as crashed."
            ),
            "",
        ]
    )


if __name__ == "__main__":
    main()
