"""Kill what `ocrjury up` runs, in every state of an evaluation, and wait until it is closed.

Every trial has a home of its own, on SQLite or PostgreSQL, a real Prefect server, worker and
rating page. When the evaluation comes into a state, one of them gets SIGKILL, or `up` gets SIGTERM
or SIGKILL and is started again, or the database is killed, or its disk is full or read-only for
some seconds. Then nobody does anything. The store must end as that of a run that nobody disturbed:
every row of every table but the names of Prefect's runs, how far a round was while people rated,
and the numbers of audit lines, whose chain of hashes is compared, and every file.

Run as ``python -m tests.drill.live``; writes ``benchmarks/results/drill.md``, and goes on where it
was stopped with ``--resume``. Sweeps come every minute here, not every half hour, and crashed runs
are noticed as on any machine. Filling a disk needs root.
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
from contextlib import ExitStack, contextmanager, suppress
from difflib import unified_diff
from pathlib import Path
from typing import NamedTuple

import psutil
import sqlalchemy as sa

from benchmarks.postgres_server import new_database, postgres_server, start
from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.signals.own_server import own_password
from ocrjury.store.database import open_database
from tests.drill.campaign import small_campaign
from tests.drill.race import lasting

RESULT = Path(__file__).resolve().parents[2] / "benchmarks" / "results" / "drill.md"
DONE = Path("out/drill/outcomes.jsonl")
"""What a run that was stopped has seen so far."""
OCRJURY = Path(sys.executable).with_name("ocrjury")
NAME = "korean-claims-drill"
COMMANDS = {
    "run": "ocrjury.deployments.flow_run",
    "scoring child": "spawn_main",
    "worker": "ocrjury.cli worker",
    "server": "ocrjury.deployments.server start",
    "page": "ocrjury.cli serve",
}
"""By what the command of a program is known."""
STATES = (
    *("opened", "scored", "sampled", "collecting", "rated", "judged", "estimated", "reported"),
)
"""Every state on the way; in `held`, which needs a lead, no run is there to be disturbed."""
SOME = ("opened", "collecting", "estimated")
PROGRAMS = {
    "run": STATES,
    "scoring child": ("opened",),
    "worker": SOME,
    "server": SOME,
    "page": ("collecting",),
    "up, SIGTERM": SOME,
    "up, SIGKILL": SOME,
}
SERVERS = {
    "sqlite": {"full disk": SOME, "read-only store": SOME},
    "postgresql": {"database": STATES},
}
UNLIKE = ("run_id", "sent_at", "seq")
"""Names of Prefect's runs, when it took a signal, and numbers of audit lines.

After a crash PostgreSQL leaves numbers out; the chain of the lines' hashes keeps their order."""
PAUSE, HEALED_WITHIN, SWEEP = 10, 600, 60


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
        self.home, self.campaign, self.up = folder, campaign, None
        self.port, self.page = free_port(), free_port()
        self.environment = {
            **{name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ},
            "OCRJURY_HOME": str(folder),
            "OCRJURY_CLOCK": "2026-11-20T00:00:00+00:00",
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

    def start(self):
        """Bring everything up, and let sweeps come every minute."""
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
        [sweep] = deployment["schedules"]
        every = {"schedule": {"interval": SWEEP}, "active": True}
        api._call("PATCH", f"/deployments/{deployment['id']}/schedules/{sweep['id']}", every)

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
        if self.url.startswith("sqlite") and not (self.home / "ocrjury.db").exists():
            return None
        engine = sa.create_engine(self.url.replace("postgresql:", "postgresql+psycopg:"))
        with suppress(sa.exc.SQLAlchemyError), engine.connect() as connection:
            return connection.execute(sa.text("select state from evaluations")).scalar()
        engine.dispose()
        return None

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


def disturb(place, trial, server):
    """Do what the trial says as soon as the evaluation is in its state; say what was hit."""
    victim = trial.victim
    order = (*STATES, "closed")
    reached = order[order.index(trial.state) :]
    state = wait_until(lambda: (now := place.state()) in reached and now, seconds=240, what=trial)
    if victim.startswith("up"):
        place.stop(signal.SIGTERM if "TERM" in victim else signal.SIGKILL)
        time.sleep(random.uniform(0, 3))
        place.start()
    elif victim == "database":
        crash_database(server)
    elif victim in SERVERS["sqlite"]:
        with {"full disk": full, "read-only store": read_only}[victim](place):
            time.sleep(PAUSE)
    else:
        # It may have just begun: a run starts a moment after its evaluation, its children later.
        # It may be over, too: a run ends a moment after its evaluation.
        wait_until(
            lambda: place.processes(victim) or place.state() == "closed",
            seconds=60,
            what=f"{trial}: to kill",
        )
        found = place.processes(victim)
        for one in found:
            with suppress(psutil.NoSuchProcess):
                one.kill()
        return f"{state}, {len(found)} killed"
    return state


def crash_database(folder):
    """Kill PostgreSQL's first process and its children, and start it again."""
    leader = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    family = [psutil.Process(leader), *psutil.Process(leader).children()]
    for one in family:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    psutil.wait_procs(family, timeout=30)
    time.sleep(2)
    (folder / "data" / "postmaster.pid").unlink(missing_ok=True)
    start(folder)


@contextmanager
def full(place):
    """Leave no room on the disk of the home."""
    filler = place.home / "filler"
    with suppress(OSError), filler.open("wb") as file:
        while True:
            file.write(bytes(1 << 16))
            file.flush()
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def read_only(place):
    """Forbid changes of the database, even to root."""
    files = [str(path) for path in place.home.glob("ocrjury.db*")]
    subprocess.run(["chattr", "+i", *files], check=True, timeout=10)
    try:
        yield
    finally:
        subprocess.run(["chattr", "-i", *files], check=True, timeout=10)


@contextmanager
def disk_of(trial, folder):
    """A small disk of its own for the home where it is to be filled."""
    home = folder / "home"
    home.mkdir()
    if trial.victim != "full disk":
        yield home
        return
    mount = ["mount", "-t", "tmpfs", "-o", "size=160m", "tmpfs", str(home)]
    subprocess.run(mount, check=True, timeout=30)
    try:
        yield home
    finally:
        subprocess.run(["umount", "-l", str(home)], check=True, timeout=30)


def run(trial, campaign, *, expected=None):
    """Do a trial; without what is expected, do no harm and return the store's contents."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ocrjury-drill-")))
        server, url = None, None
        if trial.database == "postgresql":
            server = stack.enter_context(postgres_server())
            url = stack.enter_context(new_database(server, "drill"))
        home = stack.enter_context(disk_of(trial, folder))
        place = Place(home, url, campaign)
        place.start()
        try:
            return follow(place, trial, expected, server)
        finally:
            place.stop()
            keep_logs(place, trial)


def keep_logs(place, trial):
    """Keep the logs of a trial, for whoever has to find out."""
    kept = Path("out/drill") / "-".join(trial).replace(" ", "_").replace(",", "")
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(place.home / "logs", kept)
    shutil.copy(place.home.with_suffix(".up.log"), kept / "up.log")


def follow(place, trial, expected, server):
    """Open an evaluation, disturb it, and wait for its end."""
    place.open()
    began = time.monotonic()
    hit = disturb(place, trial, server) if expected else "nothing"
    if not expected:
        began = time.monotonic()
    try:
        wait_until(lambda: place.state() == "closed", seconds=HEALED_WITHIN, what=trial, pause=0.3)
    except TimeoutError:
        result = f"NOT HEALED: {place.state()}"
        return Outcome(trial, hit, time.monotonic() - began, result)
    seconds = time.monotonic() - began
    time.sleep(3)  # a webhook, a mail, the last audit line
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
    """Every trial of a database."""
    for victim, states in (PROGRAMS | SERVERS[database]).items():
        yield from (Trial(database, victim, state) for state in states)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", help="trials that contain these words, such as 'sqlite worker'")
    parser.add_argument("--resume", action="store_true", help="go on where a run was stopped")
    options = parser.parse_args()
    outcomes = seen() if options.resume else []
    campaign = small_campaign(Path(tempfile.mkdtemp(prefix="ocrjury-drill-campaign-")))
    for database in ("sqlite", "postgresql"):
        known = {outcome.trial for outcome in outcomes}
        wanted = [trial for trial in chosen(database, options.only) if trial not in known]
        if wanted:
            undisturbed = Trial(database, "nobody", "closed")
            expected, seconds = run(undisturbed, campaign)
            if undisturbed not in known:
                outcomes.append(Outcome(undisturbed, "nothing", seconds, "equal"))
        for trial in wanted:
            outcomes.append(run(trial, campaign, expected=expected))
            print(row(outcomes[-1]), flush=True)
            keep(outcomes)
    if not options.only:
        RESULT.write_text(page(outcomes), encoding="utf-8")
    return any(outcome.result != "equal" for outcome in outcomes)


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
