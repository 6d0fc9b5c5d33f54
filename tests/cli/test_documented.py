"""Every command is in this list, has help with examples, and its examples are real commands."""

import argparse
import re
import shlex
from pathlib import Path

import pytest

from ocrjury.cli.agreement import EXIT_CODES
from ocrjury.cli.command_line import build_parser
from ocrjury.cli.decisions import COMMANDS as DECISIONS

ROOT = Path(__file__).resolve().parents[2]

COMMANDS = [
    "agreement",
    "audit",
    "backup",
    "campaign check",
    "campaign new",
    "demo",
    "deploy",
    "desk link",
    "desk links",
    "desk revoke",
    "desk second-factor",
    "doctor",
    "evaluation abort",
    "evaluation advance",
    "evaluation close",
    "evaluation drop",
    "evaluation extend",
    "evaluation list",
    "evaluation open",
    "evaluation plan",
    "evaluation proceed",
    "evaluation reassign",
    "evaluation recalibrate",
    "evaluation rerun",
    "evaluation retry",
    "evaluation rubric",
    "evaluation show",
    "export",
    "gold promote",
    "labelstudio close",
    "labelstudio environment",
    "labelstudio poll",
    "labelstudio publish",
    "plan",
    "pool check",
    "pool formats",
    "pool score",
    "privacy certificates",
    "privacy purge",
    "raters certificate",
    "raters invite",
    "raters links",
    "raters payment",
    "raters record",
    "raters remind",
    "raters revoke",
    "ratings boundary",
    "ratings exclude",
    "ratings export",
    "ratings import",
    "ratings remarks",
    "ratings rules",
    "report",
    "restore",
    "score",
    "serve",
    "sheets export",
    "sheets import",
    "status",
    "store move",
    "up",
    "worker",
]


def children(parser):
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return action.choices
    return {}


def walk(parser, words=()):
    inner = children(parser)
    if not inner:
        yield " ".join(words), parser
    for name, child in inner.items():
        yield from walk(child, (*words, name))


FOUND = dict(walk(build_parser()))


def examples(parser):
    lines = [line.strip() for line in parser.epilog.splitlines()]
    return [line for line in lines if re.match(r"(\w+=\S+ )*ocrjury ", line)]


def test_no_command_is_forgotten_here():
    assert sorted(FOUND) == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_its_examples_can_be_typed(command):
    lines = examples(FOUND[command])

    assert lines
    for line in lines:
        words = shlex.split(re.split(r"[|>]", line)[0], comments=True)
        words = words[words.index("ocrjury") + 1 :]
        assert words[: len(command.split())] == command.split()
        assert build_parser().parse_args(words).run is FOUND[command].get_default("run")


@pytest.mark.parametrize("command", COMMANDS)
def test_its_summary_and_every_argument_are_explained(command):
    parser = FOUND[command]

    assert parser.description.endswith(".")
    assert all(action.help for action in parser._actions)


@pytest.mark.parametrize("command", COMMANDS)
def test_where_it_writes_is_called_out(command):
    for action in FOUND[command]._actions:
        if {"--to", "--csv", "--output", "--into", "--write"} & set(action.option_strings):
            assert action.option_strings[0] == "--out"


@pytest.mark.parametrize(
    "place", ["agreement", "report", "docs/agreement.md", "docs/report.md", "docs/commands.md"]
)
def test_the_exit_codes_of_the_verdict_are_told(place):
    is_file = place.endswith(".md")
    text = (ROOT / place).read_text("utf-8") if is_file else FOUND[place].format_help()
    [sentence] = re.findall(r"[^.]*\bPASS\b[^.]*\bINCONCLUSIVE\b[^.]*", text.replace("\n", " "))

    told = {word: int(code) for code, word in re.findall(r"(\d) (?:for )?([A-Z]+)", sentence)}

    assert told == EXIT_CODES
    assert "--exit-zero" in text


def test_groups_have_examples_too():
    groups = ("campaign", "desk", "evaluation", "gold", "labelstudio", "pool", "raters", "ratings")
    for name in groups:
        assert examples(children(build_parser())[name])


@pytest.mark.parametrize("command", DECISIONS, ids=[command.name for command in DECISIONS])
def test_an_example_shows_each_thing_that_a_decision_can_name(command):
    text = FOUND[f"evaluation {command.name}"].format_help().partition("examples:")[2]

    for name in command.takes:
        option = {"raters": "--rater", "dimensions": "--dimension"}.get(name, f"--{name}")
        assert f" {option} " in text


@pytest.mark.parametrize(
    ("command", "states"),
    [
        (
            "evaluation rerun",
            [
                "judge: judged, estimated or reported",
                "estimate: estimated or reported",
                "report: reported",
            ],
        ),
        (
            "evaluation extend",
            [
                "collecting, with --days",
                "held (overdue or no_ratings), while somebody has something to rate, with --days",
                "held (inconclusive), while the pool has documents left to draw, with --items",
            ],
        ),
        ("evaluation close", ["collecting, once somebody has rated in the round"]),
        ("evaluation abort", ["anything but closed or aborted"]),
        (
            "ratings exclude",
            [
                "sampled, collecting, rated or held, before the gate has judged a main round",
                "judged, estimated or reported: the gate judges again, which is requested with it",
            ],
        ),
    ],
)
def test_a_decision_says_in_which_states_it_is_possible(command, states):
    lines = FOUND[command].format_help().splitlines()
    start, end = (
        next(place for place, line in enumerate(lines) if line.startswith(text))
        for text in ("Possible where the evaluation is", "`ocrjury evaluation show` tells which")
    )

    assert lines[start + 1 : end] == [f"  {state}" for state in states]
