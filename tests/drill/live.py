"""Kill what `ocrjury up` runs, in every state of an evaluation, and wait until it is closed.

Every trial has a home of its own, on SQLite or PostgreSQL, a real Prefect server, worker and
rating page. When the evaluation comes into a state, one of them gets SIGKILL, or `up` gets SIGTERM
or SIGKILL and is started again, perhaps without what Prefect's server knew, or the database is
killed, or its disk is full or read-only for some seconds, or somebody holds the write lock of
Prefect's own database for a minute. Then nobody does anything, but that a lead decides, at the
desk, where the evaluation is held; in this state the harm is done when a run is at work with the
decision. The store must end as that of a run that nobody disturbed: every row of every table but
the names of Prefect's runs, how far a round was while people rated, and the numbers of audit lines,
whose chain of hashes is compared, and every file.

Run as ``python -m tests.drill.live``; writes ``benchmarks/results/drill.md``, and goes on where it
was stopped with ``--resume``. Both databases have their turn at the same time. Sweeps come every
half minute here, not every half hour, and crashed runs are noticed as on any machine. Filling a
disk needs root.
"""

import argparse
import hashlib
import json
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
from pathlib import Path
from typing import NamedTuple

import psutil
import sqlalchemy as sa

from benchmarks.postgres_server import new_database, postgres_server
from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.errors import StateError, StoreError
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
from tests.drill.race import lasting

RESULT = Path(__file__).resolve().parents[2] / "benchmarks" / "results" / "drill.md"
DONE = Path("out/drill/outcomes.jsonl")
"""What a run that was stopped has seen so far."""
OCRJURY = Path(sys.executable).with_name("ocrjury")
NAME, CLOCK = "korean-claims-drill", "2026-11-20T00:00:00+00:00"
COMMANDS = {
    "run": "ocrjury.deployments.flow_run",
    "scoring child": "spawn_main",
    "worker": "ocrjury.cli worker",
    "server": "ocrjury.deployments.server start",
    "page": "ocrjury.cli serve",
}
"""By what the command of a program is known."""
KEPT = ("PATH", "LANG", "HOME", "PYTHONPATH")
"""Variables that are handed on; the last one names a checkout beside the one that is installed."""
STATES = (
    *("opened", "scored", "sampled", "collecting", "rated", "judged", "held", "estimated"),
    "reported",
)
"""Every state on the way."""
SOME, FEW = ("opened", "collecting", "held", "estimated"), ("collecting", "held")
PROGRAMS = {
    "run": STATES,
    "scoring child": ("opened",),
    "worker": SOME,
    "server": SOME,
    "page": FEW,
    "up, SIGTERM": SOME,
    "up, SIGKILL": SOME,
    "up, Prefect's data lost": FEW,
}
ON_SQLITE = [name for name, states in PROGRAMS.items() if states == SOME]
"""Programs that are killed in some states on SQLite, and in few on PostgreSQL."""
SERVERS = {
    "sqlite": {"full disk": SOME, "read-only store": SOME, "Prefect's lock": SOME},
    "postgresql": {"database": STATES, "full disk": SOME, "read-only store": SOME},
}
UNLIKE = ("run_id", "sent_at", "seq")
"""Names of Prefect's runs, when it took a signal, and numbers of audit lines.

After a crash PostgreSQL leaves numbers out; the chain of the lines' hashes keeps their order."""
PAUSE, HEALED_WITHIN, SWEEP = 10, 600, 30
LOCKED = 60
"""Seconds for which Prefect's database takes nothing."""


class Trial(NamedTuple):
    """What was done to whom, and when."""

    database: str
    victim: str
    state: str


class Outcome(NamedTuple):
    """What came of it."""

    trial: Trial
    hit: str
    seconds: float
    result: str


class Place:
    """A home with its ports and its database; `up` runs in it."""

    def __init__(self, folder, url=None, campaign=None):
        self.home, self.campaign, self.up, self.asked = folder, campaign, None, False
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
        api = PrefectApi(f"http://127.0.0.1:{self.port}/api", key=own_password(self.home))
        deployment = next(one for one in api.deployments() if one["name"] == "advance")
        [schedule] = deployment["schedules"]
        every = {"schedule": {"interval": sweep}, "active": True}
        api._call("PATCH", f"/deployments/{deployment['id']}/schedules/{schedule['id']}", every)

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
            return connection.execute(sa.text("select state, version from evaluations")).first()
        return None

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
        api = PrefectApi(f"http://127.0.0.1:{self.port}/api", key=own_password(self.home))
        broken = {"flow_runs": {"state": {"type": {"any_": ["FAILED", "CRASHED"]}}}}
        ended = api._call("POST", "/flow_runs/filter", broken)
        return sum(not is_good(run["state"]) for run in ended)

    def processes(self, victim):
        """Processes of a program of `up`, or those that it started."""
        children = psutil.Process(self.up.pid).children(recursive=True)
        return [one for one in children if COMMANDS[victim] in " ".join(command_of(one))]


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


def disturb(place, trial, server, disk):
    """Do what the trial says as soon as the evaluation is in its state; say what was hit."""
    victim = trial.victim
    wait_for_state(place, trial)
    if trial.state == "held":
        wait_for_decision(place, trial)
    if victim in COMMANDS:
        return kill(place, trial)
    state = place.state()
    if victim.startswith("up"):
        place.stop(signal.SIGTERM if "TERM" in victim else signal.SIGKILL)
        time.sleep(random.uniform(0, 3))
        if "lost" in victim:
            shutil.rmtree(place.home / "prefect")
        place.start()
    elif victim == "database":
        crash_database(server)
    elif victim == "Prefect's lock":
        with locked(place.home / "prefect" / "prefect.db"):
            time.sleep(LOCKED)
    else:
        with harm(victim, place, server, disk):
            time.sleep(PAUSE)
    return state


def wait_for_state(place, trial):
    """Wait until the evaluation is in the state of a trial, or was there so shortly."""
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
    state, found = place.state(), place.processes(trial.victim)
    for one in found:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    return f"{state}, {len(found)} killed"


def harm(victim, place, server, disk):
    """Harm that passes."""
    if victim == "full disk":
        return full(disk)
    return read_only_server(server) if server else read_only_file(place.home)


def run(trial, campaign, *, expected=None):
    """Do a trial; without what is expected, do no harm and return the store's contents."""
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
            return follow(place, trial, expected, lambda: disturb(place, trial, server, disk))
        finally:
            place.stop()
            keep_logs(place, trial)


def keep_logs(place, trial):
    """Keep the logs of a trial, for whoever has to find out."""
    kept = Path("out/drill") / "-".join(trial).replace(" ", "_").replace(",", "")
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(place.home / "logs", kept)
    shutil.copy(place.home.with_suffix(".up.log"), kept / "up.log")


def follow(place, trial, expected, disturb):
    """Open an evaluation, disturb it, and wait for its end."""
    place.open()
    began = time.monotonic()
    hit = "nothing"
    try:
        hit = disturb() if expected else hit
        wait_until(place.is_closed, seconds=HEALED_WITHIN, what=trial, pause=0.3)
    except TimeoutError as error:
        result = f"NOT HEALED: {place.state()}, {error}"
        return Outcome(trial, hit, time.monotonic() - began, result)
    seconds = time.monotonic() - began
    time.sleep(3)  # a webhook, a mail, the last audit line
    if trial.victim == "Prefect's lock":
        hit += f", {place.broken_runs()} runs failed or crashed"
    contents = place.contents()
    if expected is None:
        return contents, seconds
    differing = [name for name in expected if contents.get(name) != expected[name]]
    for name in differing:
        (place.home / "logs" / f"{name}.diff").write_text(
            "\n".join(unified_diff(*([*map(str, of[name])] for of in (expected, contents)), n=0))
        )
    result = f"DIFFERS: {', '.join(differing)}" if differing else "equal"
    return Outcome(trial, hit, seconds, result)


def trials(database):
    """Every trial of a database; what knows nothing of it is killed less often on PostgreSQL."""
    aside = PROGRAMS if database == "sqlite" else PROGRAMS | dict.fromkeys(ON_SQLITE, FEW)
    for victim, states in ({"run": STATES} | SERVERS[database] | aside).items():
        yield from (Trial(database, victim, state) for state in states)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", help="trials that contain these words, such as 'sqlite worker'")
    parser.add_argument("--resume", action="store_true", help="go on where a run was stopped")
    options = parser.parse_args()
    outcomes = seen() if options.resume else []
    campaign = held_campaign(Path(tempfile.mkdtemp(prefix="ocrjury-drill-campaign-")))
    with ThreadPoolExecutor() as both:
        turns = [
            both.submit(try_all, chosen(database, options.only), campaign, outcomes)
            for database in SERVERS
        ]
    for turn in turns:
        turn.result(0)
    if not options.only:
        RESULT.write_text(page(outcomes), encoding="utf-8")
    return any(outcome.result != "equal" for outcome in outcomes)


def try_all(trials, campaign, outcomes):
    """Do the trials of a database that were not done before."""
    known = {outcome.trial for outcome in outcomes}
    wanted = [trial for trial in trials if trial not in known]
    if not wanted:
        return
    undisturbed = Trial(wanted[0].database, "nobody", "closed")
    expected, seconds = run(undisturbed, campaign)
    if undisturbed not in known:
        outcomes.append(Outcome(undisturbed, "nothing", seconds, "equal"))
    for trial in wanted:
        outcomes.append(run(trial, campaign, expected=expected))
        print(row(outcomes[-1]), flush=True)
        keep(outcomes)


def chosen(database, words):
    """Trials of a database, or those of them that contain all words."""
    return [t for t in trials(database) if all(w in " ".join(t) for w in (words or "").split())]


def keep(outcomes):
    """Keep what was seen, for a run that goes on."""
    DONE.parent.mkdir(parents=True, exist_ok=True)
    DONE.write_text("".join(json.dumps(outcome) + "\n" for outcome in outcomes))


def seen():
    """Outcomes of a run that was stopped."""
    lines = DONE.read_text().splitlines() if DONE.exists() else []
    return [Outcome(Trial(*trial), *rest) for trial, *rest in map(json.loads, lines)]


def row(outcome):
    trial = outcome.trial
    return (
        f"| {trial.database} | {trial.victim} | {trial.state} | {outcome.hit} "
        f"| {outcome.seconds:.0f} | {outcome.result} |"
    )


def page(outcomes):
    order = [*trials("sqlite"), *trials("postgresql")]
    harmed = [one for one in outcomes if one.trial in order]
    harmed.sort(key=lambda one: order.index(one.trial))
    plain = [outcome for outcome in outcomes if outcome.trial.victim == "nobody"]
    undisturbed = ", ".join(f"{one.seconds:.0f} s on {one.trial.database}" for one in plain)
    return "\n".join(
        [
            "# Drill",
            "",
            *__doc__.splitlines()[2:],
            "",
            f"Undisturbed, the evaluation took {undisturbed}.",
            "",
            "| store | victim | wanted | hit when | s to the end | store in the end |",
            "|---|---|---|---|--:|---|",
            *map(row, harmed),
            "",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
