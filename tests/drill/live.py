"""Kill what `ocrjury up` runs, in every state of an evaluation, and wait until it is closed.

Every trial has a home of its own, on SQLite or PostgreSQL, a real Prefect server, worker and
rating page. When the evaluation comes into a state, or (`unopened`) when the run that opens it has
begun, one of them gets SIGKILL; or, at a random moment of that state, `up` gets SIGTERM or SIGKILL
and is started again, perhaps without what Prefect's server knew; or the database is killed, or its
disk is full or read-only for some seconds, or somebody holds the write lock of Prefect's own
database for a minute. Then nobody does anything, but that a lead decides, at the desk, where the
evaluation is held; in this state the harm is done at a random moment of a run that is at work with
the decision. The store must end as that of a run that nobody disturbed: every row of every table
but the names of Prefect's runs, how far a round was while people rated, and the numbers of audit
lines, whose chain of hashes is compared, and every file.

Run as ``python -m tests.drill.live``; writes ``benchmarks/results/drill.md``, and goes on where it
was stopped with ``--resume``. Both databases have their turn at the same time. Sweeps come every
half minute here, not every half hour, and crashed runs are noticed as on any machine. Filling a
disk needs root.
"""

import argparse
import hashlib
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from datetime import datetime
from difflib import unified_diff
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import psutil
import sqlalchemy as sa

from benchmarks.postgres_server import new_database, postgres_server
from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.errors import MissingDependencyError, StateError, StoreError
from ocrjury.signals.ended_runs import OPENING
from ocrjury.signals.own_server import own_password
from ocrjury.signals.run_ends import is_good
from ocrjury.store.database import make_engine, open_database, writing
from ocrjury.store.decisions import add_request
from ocrjury.store.moves import Position
from tests.drill.campaign import held_campaign
from tests.drill.disks import (
    crash_database,
    disk_of_tables,
    full,
    locked,
    read_only_file,
    read_only_server,
    small_disk,
)
from tests.drill.outcomes import Outcome, keep, page, row, seen
from tests.drill.race import lasting
from tests.drill.trials import COMMANDS, STATES, UNOPENED, VICTIMS, Trial, trials

RESULT = Path(__file__).resolve().parents[2] / "benchmarks" / "results" / "drill.md"
OCRJURY = Path(sys.executable).with_name("ocrjury")
NAME, CLOCK = "korean-claims-drill", "2026-11-20T00:00:00+00:00"
KEPT = ("PATH", "LANG", "HOME", "PYTHONPATH")
"""Variables that are handed on; the last one names a checkout beside the one that is installed."""
UNLIKE = ("run_id", "sent_at", "seq")
"""Names of Prefect's runs, when it took a signal, and numbers of audit lines.

After a crash PostgreSQL leaves numbers out; the chain of the lines' hashes keeps their order."""
PAUSE, HEALED_WITHIN, SWEEP = 10, 600, 30
LOCKED = 60
"""Seconds for which Prefect's database takes nothing."""
LAST = 3
"""Seconds after the end, for a webhook, a mail, the last audit line."""


class Hit(NamedTuple):
    """What was harmed, in which state, and when."""

    what: str
    at: float


class Plain(NamedTuple):
    """A run that nobody disturbed: the store in the end, how long it took, and each state."""

    contents: dict
    seconds: float
    lasts: dict


class Place:
    """A home with its ports and its database; `up` runs in it."""

    def __init__(self, folder, url=None, campaign=None):
        self.home, self.campaign, self.up, self.asked = folder, campaign, None, False
        self.reached = {}  # when each state was seen first
        self.port, self.page = free_port(), free_port()
        self.environment = {
            **{name: os.environ[name] for name in KEPT if name in os.environ},
            "OCRJURY_HOME": str(folder),
            "OCRJURY_CLOCK": CLOCK,
            "OCRJURY_PREFECT_PORT": str(self.port),
            "OCRJURY_RATING_PORT": str(self.page),
            "OCRJURY_ENGINE": "processes",
            "PYTHONUNBUFFERED": "1",
        } | ({"OCRJURY_DATABASE_URL": url} if url else {})
        self.url = url or f"sqlite:///{folder}/ocrjury.db"

    def command(self, *arguments):
        return subprocess.run(
            [OCRJURY, *arguments],
            cwd=self.campaign.parent,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def start(self, *, sweep=SWEEP):
        """Bring everything up, and let sweeps come more often."""
        log = self.home.with_suffix(".up.log")
        begin = log.stat().st_size if log.exists() else 0
        with log.open("ab") as told:
            self.up = subprocess.Popen(
                [OCRJURY, "up"], cwd=self.campaign.parent, env=self.environment,
                stdout=told, stderr=told,
            )  # fmt: skip
        wait_until(lambda: b"Prefect is up" in log.read_bytes()[begin:], seconds=240, what="up")
        deployment = next(one for one in self.api().deployments() if one["name"] == "advance")
        [schedule] = deployment["schedules"]
        every = {"schedule": {"interval": sweep}, "active": True}
        self.api()._call(
            "PATCH", f"/deployments/{deployment['id']}/schedules/{schedule['id']}", every
        )

    def stop(self, number=signal.SIGTERM):
        self.up.send_signal(number)
        self.up.wait(120)

    def open(self):
        done = self.command(
            "evaluation", "open", str(self.campaign), "--period", "drill", "--no-wait", "--yes"
        )
        assert done.returncode == 0, done.stderr

    def state(self):
        """State of the evaluation; none as long as there is no store or it does not answer."""
        return (self._stands() or [None])[0]

    def _stands(self):
        """State and version of the evaluation."""
        if self.url.startswith("sqlite") and not (self.home / "ocrjury.db").exists():
            return None
        url = self.url.replace("postgresql:", "postgresql+psycopg:")
        engine = sa.create_engine(url, poolclass=sa.NullPool)
        with suppress(sa.exc.SQLAlchemyError), engine.connect() as connection:
            stands = connection.execute(sa.text("select state, version from evaluations")).first()
            if stands:
                self.reached.setdefault(stands[0], time.monotonic())
            return stands
        return None

    def lengths(self):
        """Seconds for which each state lasted when it came first."""
        times = [*self.reached.items()]
        return {state: until - since for (state, since), (_, until) in pairwise(times)}

    def is_closed(self):
        """Whether it is; a lead lets it go on where it is held."""
        if (stands := self._stands()) and stands[0] == "held":
            self.ask(stands)
        return stands is not None and stands[0] == "closed"

    def ask(self, stands):
        """Let a lead decide at the desk, once, or again if the store takes nothing."""
        if self.asked:
            return
        engine = make_engine(self.url)
        with suppress(StoreError, StateError), writing(engine) as connection:
            add_request(
                connection,
                Position(NAME, *stands),
                decision="proceed",
                target=DecisionTarget(),
                reason="practised enough",
                actor="Kim",
                now=datetime.fromisoformat(CLOCK),
            )
            self.asked = True
        engine.dispose()

    def contents(self):
        """Every row but what is unlike in any two runs, and the digest of every file."""
        engine = open_database(self.url)
        tables = sa.MetaData()
        tables.reflect(engine)
        with engine.connect() as connection:
            rows = {
                name: sorted(
                    repr([value for key, value in row.items() if key not in UNLIKE])
                    for row in connection.execute(lasting(table)).mappings()
                )
                for name, table in tables.tables.items()
                if name not in ("alembic_version", "rests")  # when a sweep last looked
            }
        engine.dispose()
        files = {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in (self.home / "files").iterdir()
            if not path.name.startswith(".")
        }
        return rows | {"files": sorted(files.items())}

    def broken_runs(self):
        """Number of runs that did not come to their end."""
        broken = {"flow_runs": {"state": {"type": {"any_": ["FAILED", "CRASHED"]}}}}
        ended = self.api()._call("POST", "/flow_runs/filter", broken)
        return sum(not is_good(run["state"]) for run in ended)

    def api(self):
        return PrefectApi(f"http://127.0.0.1:{self.port}/api", key=own_password(self.home))

    def is_opening(self):
        """Whether the run that opens the evaluation is at work."""
        running = {"flow_runs": {"state": {"type": {"any_": ["RUNNING"]}}}}
        opening = running | {"flows": {"name": {"any_": [OPENING]}}}
        with suppress(MissingDependencyError):
            return bool(self.api()._call("POST", "/flow_runs/filter", opening))
        return False

    def processes(self, victim):
        """Processes of a program of `up`, or those that it started."""
        children = psutil.Process(self.up.pid).children(recursive=True)
        return [child for child in children if COMMANDS[victim] in " ".join(command_of(child))]


def command_of(process):
    with suppress(psutil.Error):
        return process.cmdline()
    return []


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(answer, *, seconds, what, pause=0.05):
    end = time.monotonic() + seconds
    while not (value := answer()):
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(pause)
    return value


def disturb(place, trial, server, disk, *, lasts):
    """Do what the trial says when the evaluation is in its state; say what was hit, and when."""
    victim = trial.victim
    wait_for_state(place, trial)
    if trial.state == "held":
        wait_for_decision(place, trial)
    if victim in COMMANDS:
        return kill(place, trial)
    if victim.startswith("up"):
        return restart(place, trial, lasts=lasts)
    hit = Hit(place.state(), time.monotonic())
    if victim == "database":
        crash_database(server)
    elif victim == "Prefect's lock":
        with locked(place.home / "prefect" / "prefect.db"):
            time.sleep(LOCKED)
    else:
        with harm(victim, place, server, disk):
            time.sleep(PAUSE)
    return hit


def restart(place, trial, *, lasts):
    """End `up` at any moment of the state of a trial, and start it again."""
    if trial.state != "held":  # at a moment of the decision already
        time.sleep(random.uniform(0, lasts.get(trial.state, 0)))
    hit = Hit(place.state() or UNOPENED, time.monotonic())
    place.stop(signal.SIGTERM if "TERM" in trial.victim else signal.SIGKILL)
    time.sleep(random.uniform(0, 3))
    if "lost" in trial.victim:
        shutil.rmtree(place.home / "prefect")
    place.start()
    return hit


def wait_for_state(place, trial):
    """Wait until the evaluation is in the state of a trial, or was there so shortly."""
    if trial.state == UNOPENED:
        wait_until(lambda: place.is_opening() or place.state(), seconds=120, what=trial)
        return
    order = (*STATES, "closed")
    reached = order[order.index(trial.state) :]
    if trial.state == "held":  # nobody goes on from there unasked
        wait_until(lambda: place.state() == "held", seconds=240, what=trial)
    else:
        wait_until(lambda: place.state() in reached or place.is_closed(), seconds=240, what=trial)


def wait_for_decision(place, trial):
    """Let a lead decide, and wait for the run that takes it, or for a moment of it."""
    wait_until(lambda: not place.processes("run"), seconds=120, what=f"{trial}: nobody at work")
    place.is_closed()
    wait_until(lambda: place.processes("run"), seconds=2 * SWEEP + 60, what=f"{trial}: a run")
    time.sleep(random.uniform(0, 5))


def kill(place, trial):
    """Kill a program; say in which state."""
    # It may have just begun: a run starts a moment after its evaluation, its children later.
    # It may be over, too: a run ends a moment after its evaluation.
    wait_until(
        lambda: place.processes(trial.victim) or place.is_closed(),
        seconds=60,
        what=f"{trial}: to kill",
    )
    state, found = place.state() or UNOPENED, place.processes(trial.victim)
    at = time.monotonic()
    for one in found:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    return Hit(f"{state}, {len(found)} killed", at)


def harm(victim, place, server, disk):
    """Harm that passes."""
    if victim == "full disk":
        return full(disk)
    return read_only_server(server) if server else read_only_file(place.home)


def run(trial, campaign, *, plain=None):
    """Do a trial; without the plain run to compare with, do no harm, and return that."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ocrjury-drill-")))
        home = folder / "home"
        home.mkdir()
        disk, server, url = None, None, None
        if trial.victim == "full disk":
            disk = small_disk(home) if trial.database == "sqlite" else disk_of_tables()
            disk = stack.enter_context(disk)
        if trial.database == "postgresql":
            server = stack.enter_context(postgres_server())
            url = stack.enter_context(new_database(server, "drill", disk=disk))
        place = Place(home, url, campaign)
        place.start()
        try:
            if plain is None:
                return undisturbed(place, trial)
            harmed = partial(disturb, place, trial, server, disk, lasts=plain.lasts)
            return follow(place, trial, plain.contents, harmed)
        finally:
            place.stop()
            keep_logs(place, trial)


def keep_logs(place, trial):
    """Keep the logs of a trial, for whoever has to find out."""
    kept = Path("out/drill") / "-".join(trial).replace(" ", "_").replace(",", "")
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(place.home / "logs", kept)
    shutil.copy(place.home.with_suffix(".up.log"), kept / "up.log")


def undisturbed(place, trial):
    """Open an evaluation and wait for its end."""
    place.open()
    began = time.monotonic()
    wait_until(place.is_closed, seconds=HEALED_WITHIN, what=trial)
    seconds = time.monotonic() - began
    time.sleep(LAST)
    # A run has begun when it says so, a moment before its evaluation is there.
    return Plain(place.contents(), seconds, {UNOPENED: 0.5} | place.lengths())


def follow(place, trial, expected, disturb):
    """Open an evaluation, disturb it, and wait for its end."""
    place.open()
    began = time.monotonic()
    hit = Hit("nothing", began)
    try:
        hit = disturb()
        wait_until(place.is_closed, seconds=HEALED_WITHIN, what=trial, pause=0.3)
    except TimeoutError as error:
        result, end = f"NOT HEALED: {place.state()}, {error}", time.monotonic()
        return Outcome(trial, hit.what, end - began, end - hit.at, result)
    end = time.monotonic()
    time.sleep(LAST)
    what = hit.what
    if trial.victim == "Prefect's lock":
        what += f", {place.broken_runs()} runs failed or crashed"
    result = compare(place, expected)
    return Outcome(trial, what, end - began, end - hit.at, result)


def compare(place, expected):
    """Whether the store is as it should be; keeps what differs."""
    contents = place.contents()
    differing = [name for name in expected if contents.get(name) != expected[name]]
    for name in differing:
        (place.home / "logs" / f"{name}.diff").write_text(
            "\n".join(unified_diff(*([*map(str, of[name])] for of in (expected, contents)), n=0))
        )
    return f"DIFFERS: {', '.join(differing)}" if differing else "equal"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", help="trials that contain these words, such as 'sqlite worker'")
    parser.add_argument("--resume", action="store_true", help="go on where a run was stopped")
    options = parser.parse_args()
    try:
        outcomes = seen() if options.resume else []
    except ValueError as error:
        parser.error(str(error))
    campaign = held_campaign(Path(tempfile.mkdtemp(prefix="ocrjury-drill-campaign-")))
    with ThreadPoolExecutor() as both:
        turns = [
            both.submit(try_all, chosen(database, options.only), campaign, outcomes)
            for database in VICTIMS
        ]
    for turn in turns:
        turn.result(0)
    if not options.only:
        RESULT.write_text(page(__doc__.splitlines()[2:], outcomes), encoding="utf-8")
    return any(outcome.result != "equal" for outcome in outcomes)


def try_all(trials, campaign, outcomes):
    """Do the trials of a database that were not done before."""
    known = {outcome.trial for outcome in outcomes}
    wanted = [trial for trial in trials if trial not in known]
    if not wanted:
        return
    nobody = Trial(wanted[0].database, "nobody", "closed")
    plain = run(nobody, campaign)
    if nobody not in known:
        outcomes.append(Outcome(nobody, "nothing", plain.seconds, 0, "equal"))
    for trial in wanted:
        outcomes.append(run(trial, campaign, plain=plain))
        print(row(outcomes[-1]), flush=True)
        keep(outcomes)


def chosen(database, words):
    """Trials of a database, or those of them that contain all words."""
    return [t for t in trials(database) if all(w in " ".join(t) for w in (words or "").split())]


if __name__ == "__main__":
    sys.exit(main())
