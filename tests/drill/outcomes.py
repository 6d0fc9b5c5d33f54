"""What came of the trials of `tests.drill.live`: kept while it runs, and its page of results."""

import json
from pathlib import Path
from typing import NamedTuple

from tests.drill.trials import VICTIMS, Trial, trials, tried

DONE = Path("out/drill/outcomes.jsonl")
"""What a run that was stopped has seen so far."""


class Outcome(NamedTuple):
    """What came of a trial.

    `seconds` are from the opening to the end of the evaluation, `healing` those from the harm on.
    """

    trial: Trial
    hit: str
    seconds: float
    healing: float
    result: str


def keep(outcomes):
    """Keep what was seen, for a run that goes on."""
    DONE.parent.mkdir(parents=True, exist_ok=True)
    DONE.write_text("".join(json.dumps(outcome._asdict()) + "\n" for outcome in outcomes))


def seen():
    """Outcomes of a run that was stopped.

    Raises
    ------
    ValueError
        They are those of another version of the drill.
    """
    lines = DONE.read_text().splitlines() if DONE.exists() else []
    outcomes = []
    for line in map(json.loads, lines):
        if not isinstance(line, dict) or tuple(line) != Outcome._fields:
            raise ValueError(
                f"{DONE} is of a drill that measured something else: it does not hold "
                f"{', '.join(Outcome._fields)}. Move it away, and begin without --resume."
            )
        outcomes.append(Outcome(**line | {"trial": Trial(*line["trial"])}))
    return outcomes


def row(outcome):
    """Line of the table."""
    trial = outcome.trial
    return (
        f"| {trial.database} | {trial.victim} | {trial.state} | {outcome.hit} "
        f"| {outcome.healing:.0f} | {outcome.seconds:.0f} | {outcome.result} |"
    )


def page(about, outcomes):
    """Page of results: what was done, what of it was left out, and every trial."""
    order = [trial for database in VICTIMS for trial in trials(database)]
    harmed = [outcome for outcome in outcomes if outcome.trial in order]
    harmed.sort(key=lambda outcome: order.index(outcome.trial))
    plain = [outcome for outcome in outcomes if outcome.trial.victim == "nobody"]
    undisturbed = ", ".join(f"{each.seconds:.0f} s on {each.trial.database}" for each in plain)
    return "\n".join(
        [
            "# Drill",
            "",
            *about,
            "",
            f"Undisturbed, the evaluation took {undisturbed}. Of a trial, `s to heal` are",
            "seconds from the harm to the end of the evaluation, `s in all` from its opening on.",
            "",
            "| store | victim | wanted | hit when | s to heal | s in all | store in the end |",
            "|---|---|---|---|--:|--:|---|",
            *map(row, harmed),
            "",
            "## What is not tried",
            "",
            f"A drill is kept below 100 trials; these are {len(order)}.",
            "",
            *tried(),
            "",
        ]
    )
