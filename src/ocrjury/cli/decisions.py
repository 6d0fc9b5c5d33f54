"""A lead's decisions, one command each: what it does, what must be named with it."""

import argparse
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from ocrjury.campaign.decisions import (
    DECISION_TABLE,
    Decision,
    DecisionRow,
    Needed,
    decide,
    lacking,
)
from ocrjury.campaign.history import OPEN_STATES, History
from ocrjury.campaign.limits import MOST_DAYS, MOST_ITEMS
from ocrjury.cli.actors import name_given, note_in, reason_given
from ocrjury.cli.declaring import Commands, Parser, add_command
from ocrjury.cli.prefect_server import require_server
from ocrjury.cli.printing import say
from ocrjury.cli.runs import start
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError, StateError

if TYPE_CHECKING:
    from ocrjury.campaign.decision_targets import DecisionTarget
    from ocrjury.evaluation.case import Case, Work


class DecisionCommand(NamedTuple):
    """One command; `takes` are the parts of a target that it knows, `by_part` its decisions.

    Each line of `examples` is what stands behind the name of an evaluation.
    A command without parts takes the decision of its name.
    """

    name: str
    summary: str
    examples: str
    takes: tuple[str, ...] = ()
    by_part: Mapping[str, Decision] = MappingProxyType({})

    @property
    def decisions(self) -> frozenset[str]:
        """Decisions that the command can take."""
        return frozenset(self.by_part.values() or (self.name,))


COMMANDS: tuple[DecisionCommand, ...] = (
    DecisionCommand(
        "proceed",
        "go on against the gate, which still withholds dimensions that failed, or with what an "
        "overdue round has",
        "--reason 'disagreement is about layout only'",
    ),
    DecisionCommand(
        "retry",
        "try again after fixing the pool, the campaign or the raters",
        "--reason 'pool file repaired'",
    ),
    DecisionCommand(
        "extend",
        "give raters more days, or an inconclusive gate more items",
        "--days 3 --reason 'public holiday'\n--items 50 --reason 'the gate asks for 42 more'",
        ("days", "items"),
    ),
    DecisionCommand(
        "reassign",
        "give what is late to other raters",
        "--rater R03 --reason 'R03 is ill'",
        ("raters",),
    ),
    DecisionCommand(
        "drop",
        "withdraw raters from the open round, and give their items to others",
        "--rater R03 --rater R06 --reason 'left the team'",
        ("raters",),
    ),
    DecisionCommand(
        "close", "close the open round with the ratings it has", "--reason 'enough ratings'"
    ),
    DecisionCommand(
        "recalibrate",
        "let raters who disagree practise in a pilot, then rate new items",
        "--rater R03 --dimension layout --reason 'anchors were unclear'",
        ("raters", "dimensions"),
    ),
    DecisionCommand(
        "rerun",
        "compute the verdict, the estimates or the report again",
        "estimate --reason 'truth model corrected'",
        by_part={
            "judge": "rerun judge",
            "estimate": "rerun estimate",
            "report": "rerun report",
        },
    ),
    DecisionCommand("abort", "end the evaluation; its ratings are kept", "--reason 'wrong pool'"),
)


def add_to(group: Commands) -> None:
    """Declare a command for every decision."""
    for command in COMMANDS:
        examples = (
            f"ocrjury evaluation {command.name} claims-2026w47 {words}"
            for words in command.examples.splitlines()
        )
        about = f"{command.summary[0].upper()}{command.summary[1:]}.\n\n{_when(command)}"
        text = "\n".join([f"{command.summary}\n", f"{about}\n", *examples])
        parser = add_command(group, command.name, text, run=run_decision)
        parser.set_defaults(command=command, part=None, **_TARGET)
        parser.add_argument("evaluation", help="its name")
        if command.by_part:
            parser.add_argument("part", choices=tuple(command.by_part), help="from where on")
        _add_target(parser, command.takes)
        parser.add_argument("--reason", required=True, help="printed in the report")
        parser.add_argument("--actor", help="who decides [your login name]")
        parser.add_argument(
            "--no-wait", action="store_true", help="print the run's address and leave"
        )


def _when(command: DecisionCommand) -> str:
    """States in which an evaluation takes the decision, a line for each row of the table."""
    parts = {decision: f"{part}: " for part, decision in command.by_part.items()}
    lines = (
        f"  {parts.get(row.decision, '')}{_state(row)}"
        for row in DECISION_TABLE
        if row.decision in command.decisions
    )
    return "\n".join(
        ["Possible where the evaluation is", *lines, "`ocrjury evaluation show` tells which it is."]
    )


def _state(row: DecisionRow) -> str:
    """States that a row of the table is about, and its conditions, in words."""
    if row.states == OPEN_STATES:
        return "anything but closed or aborted"
    held = f" ({_either(row.held)})" if row.held else ""
    conditions = [words for name, words in _CONDITIONS.items() if getattr(row, name)]
    conditions += [] if row.needs is None else [f"with {_OPTIONS[row.needs]}"]
    return ", ".join([f"{_either(row.states)}{held}", *conditions])


def _either(words: Sequence[str]) -> str:
    """Words as a choice."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


_CONDITIONS: Final[Mapping[str, str]] = {
    "rated": "once somebody has rated in the round",
    "waiting": "while somebody has something to rate",
    "settled": "if earlier rounds suffice",
    "fresh": "while the pool has documents left to draw",
}
"""Conditions of a row of the table, in words."""
_OPTIONS: Final[Mapping[Needed, str]] = {"days": "--days", "items": "--items", "raters": "--rater"}
_MISSING: Final[Mapping[Needed, str]] = {
    "days": "--days, the number of further days (--items is for an inconclusive gate)",
    "items": "--items, the number of further items (--days is for a late round)",
    "raters": "--rater, once for each rater who leaves",
}
"""Options that a decision needs, with their meaning."""
_TARGET: dict[str, object] = {"days": None, "items": None, "raters": [], "dimensions": []}


def _add_target(parser: Parser, takes: Sequence[str]) -> None:
    if "days" in takes:
        parser.add_argument(
            "--days", type=int, help=f"how many more days (1 to {MOST_DAYS}), for a late round"
        )
    if "items" in takes:
        parser.add_argument(
            "--items", type=int, help="how many more items, for an inconclusive gate"
        )
    if "raters" in takes:
        parser.add_argument(
            "--rater",
            action="append",
            dest="raters",
            metavar="R03",
            help="rater concerned; may be repeated",
        )
    if "dimensions" in takes:
        parser.add_argument(
            "--dimension",
            action="append",
            dest="dimensions",
            metavar="DIMENSION",
            help="dimension to practise; may be repeated",
        )


def run_decision(options: argparse.Namespace) -> int:
    """Check a decision against the stored state and store it, then start the flow that takes it."""
    from ocrjury.campaign.decision_targets import DecisionTarget  # pydantic; --help needs none
    from ocrjury.evaluation.requests import store_decision

    command: DecisionCommand = options.command
    decision = command.by_part.get(options.part, command.name)
    reason = reason_given(options.reason)
    actor = name_given(options.actor, "--actor")
    if "days" in command.takes:
        _check_amounts(options)
    with open_existing() as work:
        case = work.case(options.evaluation)
        _check_names(case, options.raters, options.dimensions)
        target = DecisionTarget(**{name: getattr(options, name) for name in _TARGET})
        _check_fits(case.standing.history, decision, target, name=command.name)
        require_server()  # without one nothing is stored
        _check_nothing_waits(work, case.name)
        request = store_decision(
            work,
            case.name,
            decision,  # type: ignore[arg-type]  # `decide` knows it
            reason=reason,
            actor=actor,
            target=target,
            also=lambda connection: note_in(
                connection, f"decide {decision}", case.name, reason=reason, now=work.now
            ),
        )
    say("The decision is stored. If its run ends early, the next sweep takes it.")
    return start(
        "decide-evaluation/decide",
        {
            "evaluation": options.evaluation,
            "decision": decision,
            "reason": reason,
            "actor": actor,
            "target": target.model_dump(mode="json"),
            "request": request,
        },
        wait=not options.no_wait,
    )


def _check_fits(history: History, decision: str, target: "DecisionTarget", *, name: str) -> None:
    """Refuse a decision that lacks what it is about, or does not fit as an evaluation stands."""
    if missing := lacking(history, decision, target):
        raise InputError(
            f"{name!r} on an evaluation that is {history.place} needs {_MISSING[missing]}."
        )
    decide(history, decision, target=target)


def _check_nothing_waits(work: "Work", evaluation: str) -> None:
    """Refuse a second decision while one waits, and say what takes that."""
    from ocrjury.store.decisions import waiting_request

    if (waiting := waiting_request(work.engine, evaluation)) is not None:
        raise StateError(
            f"'{waiting.decision}' of {waiting.actor} still waits to be taken; nothing was stored. "
            f"Let it be taken first: ocrjury evaluation advance {evaluation}"
        )


def _check_amounts(options: argparse.Namespace) -> None:
    """Refuse an extension by nothing, by both or by an impossible number."""
    if (options.days is None) == (options.items is None):
        raise InputError("extend takes either --days (a late round) or --items (after the gate).")
    if options.days is not None and not 1 <= options.days <= MOST_DAYS:
        raise InputError(
            f"--days must be a whole number from 1 to {MOST_DAYS}; found {options.days}."
        )
    if options.items is not None and not 1 <= options.items <= MOST_ITEMS:
        raise InputError(f"--items must be from 1 to {MOST_ITEMS:,}; found {options.items}.")


def _check_names(case: "Case", raters: Sequence[str], dimensions: Sequence[str]) -> None:
    """Refuse a rater or a dimension that the campaign does not have."""
    for dimension in dimensions:
        case.campaign.rubric.dimension(dimension)  # refuses a name that the rubric lacks
    known = case.row.raters
    if unknown := [rater for rater in raters if rater not in known]:
        raise InputError(
            f"no rater of this evaluation is called {', '.join(unknown)}; there are "
            f"{', '.join(known)}."
        )
