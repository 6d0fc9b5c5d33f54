"""Whom the drill of `tests.drill.live` harms, in which state of an evaluation."""

from typing import NamedTuple

UNOPENED = "unopened"
"""Before the run that opens the evaluation has stored it."""
STATES = (
    *("opened", "scored", "sampled", "collecting", "rated", "judged", "held", "estimated"),
    "reported",
)
"""Every state on the way."""
EVER = (UNOPENED, *STATES)
SOME, FEW = ("opened", "collecting", "held", "estimated"), ("collecting", "held")
COMMANDS = {
    "run": "ocrjury.deployments.flow_run",
    "scoring child": "spawn_main",
    "worker": "ocrjury.cli worker",
    "server": "ocrjury.deployments.server start",
    "page": "ocrjury.cli serve",
}
"""By what the command of a program is known."""
ON_SQLITE = {
    "run": EVER,
    "scoring child": ("opened",),
    "worker": EVER,
    "server": SOME,
    "page": FEW,
    "up, SIGTERM": EVER,
    "up, SIGKILL": (UNOPENED, *SOME),
    "up, Prefect's data lost": FEW,
    "full disk": SOME,
    "read-only store": SOME,
    "Prefect's lock": SOME,
}
ON_POSTGRESQL = ON_SQLITE | {
    **dict.fromkeys(("worker", "server", "up, SIGTERM", "up, SIGKILL"), FEW),
    "database": STATES,
}
del ON_POSTGRESQL["Prefect's lock"]
VICTIMS = {"sqlite": ON_SQLITE, "postgresql": ON_POSTGRESQL}
REASONS = {
    "scoring child": "It lives in no other state.",
    "worker": "What it runs dies like a run that is killed, which is tried in every state.",
    "server": "It is killed where a pool is scored, people rate, a lead decides, a file is made.",
    "page": "It has work only where people rate or a lead decides.",
    "up, SIGTERM": "On PostgreSQL `up` starts and ends the same programs as on SQLite.",
    "up, SIGKILL": "It is SIGTERM without a farewell.",
    "up, Prefect's data lost": "What is lost are runs, which are killed in every state.",
    "full disk": "An opening fails, and its lead is told. The others write less than these.",
    "read-only store": "As for a full disk.",
    "Prefect's lock": "As for a server. It is the same wherever the store is.",
    "database": "An opening fails, and its lead is told.",
}
"""Why a victim is not tried in the other states."""


class Trial(NamedTuple):
    """What was done to whom, and when."""

    database: str
    victim: str
    state: str


def trials(database):
    """Every trial of a database."""
    for victim, states in VICTIMS[database].items():
        yield from (Trial(database, victim, state) for state in states)


def tried():
    """Lines of a table: where each victim is tried, and why nowhere else."""
    yield "| victim | tried on SQLite | on PostgreSQL | why not elsewhere |"
    yield "|---|---|---|---|"
    for victim in dict.fromkeys([*ON_SQLITE, *ON_POSTGRESQL]):
        where = [_in_words(victims.get(victim, ())) for victims in VICTIMS.values()]
        yield f"| {victim} | {' | '.join(where)} | {REASONS.get(victim, '')} |"


def _in_words(states):
    if states in (EVER, STATES):
        return "every state" + (f", and {UNOPENED}" if states == EVER else "")
    return ", ".join(states) or "never"
