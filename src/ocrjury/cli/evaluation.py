"""``ocrjury evaluation``: open one, let it go on, look at it, decide."""

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.campaign.settings import Settings
from ocrjury.cli import decisions, rubric
from ocrjury.cli.declaring import Commands, Parser, add_command, add_group
from ocrjury.cli.known_people import compare_people
from ocrjury.cli.opening_notice import check_choices, read_files, tell_and_ask, tell_unread
from ocrjury.cli.prefect_server import require_server
from ocrjury.cli.printing import fields, heading, money, right, say, say_json, table
from ocrjury.cli.runs import start
from ocrjury.cli.status import state_cell
from ocrjury.cli.store_access import no_store, open_at, open_existing, tell_store
from ocrjury.pages.moments import local_minute
from ocrjury.pages.numbers import plural

if TYPE_CHECKING:
    from ocrjury.findings.preview import PlannedRound, Preview

GROUP = """open an evaluation, let it go on, look at it, decide

ocrjury evaluation open claims/campaign.yaml
ocrjury evaluation show claims-2026w47
ocrjury evaluation close claims-2026w47 --reason 'enough'"""
LIST = """every evaluation, the newest first

ocrjury evaluation list
ocrjury evaluation list | grep held"""
SHOW = """state, rounds, raters, verdict, possible decisions and reports of one

ocrjury evaluation show claims-2026w47"""
OPEN = """open an evaluation of a campaign: score, sample, assign

Open an evaluation of a campaign. It says first in which store and on which Prefect server, and who
will be emailed; if anybody will, it asks.

ocrjury evaluation open claims/campaign.yaml
ocrjury evaluation open claims/campaign.yaml --period pilot1 --seed 7
ocrjury evaluation open claims/campaign.yaml --no-wait
ocrjury evaluation open claims/campaign.yaml --yes   # in scripts: nobody can be asked"""
ADVANCE = """take the next steps until a person is needed

ocrjury evaluation advance claims-2026w47
ocrjury evaluation advance                # every evaluation that can go on"""
PLAN = """the next round before it is opened: items, raters, cost, expected gain

Print the next round before it is opened: its kind, items, raters, cost and expected
gain, who gets how much, and which items have too few ratings or uncertain labels. Where items are
chosen by gain, also whether gold shows that choosing pays, and which items are worth an
adjudicator's decision more than another rating. Nothing is written.

While people rate, it is the round that would follow if they stopped now and the gate let the
evaluation pass; at the gate, the one that follows if a lead proceeds. Gain is in bits: how much the
ratings are expected to tell about whether the labels are right.

ocrjury evaluation plan claims-2026w47
ocrjury evaluation plan claims-2026w47 --json"""


def add_to(commands: Commands) -> None:
    """Declare the commands."""
    group = add_group(commands, "evaluation", GROUP)
    _add_flows(group)
    add_command(group, "list", LIST, run=run_list)
    show = add_command(group, "show", SHOW, run=run_show)
    show.add_argument("evaluation", help="its name")
    plan = add_command(group, "plan", PLAN, run=run_plan)
    plan.add_argument("evaluation", help="its name")
    plan.add_argument("--json", action="store_true", help="every number, for programs")
    rubric.add_rubric_to(group)
    decisions.add_to(group)


def add_wait(parser: Parser) -> None:
    """Add the option not to wait for a flow run."""
    parser.add_argument("--no-wait", action="store_true", help="print the run's address and leave")


def _add_flows(group: Commands) -> None:
    start = add_command(group, "open", OPEN, run=run_open)
    start.add_argument("campaign", type=Path, help="campaign.yaml")
    start.add_argument("--period", help="part of its name [ISO year and week, e.g. 2026w47]")
    start.add_argument("--seed", type=int, help="of the draw and the assignments [the campaign's]")
    start.add_argument("--yes", action="store_true", help="do not ask before people are emailed")
    add_wait(start)
    advance = add_command(group, "advance", ADVANCE, run=run_advance)
    advance.add_argument("evaluation", nargs="?", help="its name [all that can go on]")
    advance.add_argument("--reason", default="person", help="shown in the run's name [person]")
    add_wait(advance)


def run_open(options: argparse.Namespace) -> int:
    """Start the flow that opens an evaluation; a bad campaign file is refused at once."""
    check_choices(options.period, options.seed)
    campaign, people = read_files(options.campaign)
    compare_people(people, Settings.from_environment())
    tell_and_ask(campaign, people, require_server(), sure=options.yes)
    code = start(
        "open-evaluation/open",
        {
            "campaign": str(options.campaign.absolute()),
            "period": options.period,
            "seed": options.seed,
        },
        wait=not options.no_wait,
    )
    if code == 0 and not options.no_wait:  # else the newest may be an earlier one
        tell_unread(campaign)
    return code


def run_advance(options: argparse.Namespace) -> int:
    """Start the flow that takes the next steps."""
    if options.evaluation is not None:
        with open_existing() as work:
            work.case(options.evaluation)
    return start(
        "advance-evaluation/advance",
        {"evaluation": options.evaluation, "reason": options.reason},
        wait=not options.no_wait,
    )


def run_list(_options: argparse.Namespace) -> None:
    """Print every evaluation."""
    from ocrjury.store.evaluations import list_with_unreadable

    settings = Settings.from_environment()
    if not settings.store_exists:
        say(no_store(settings))
        return
    tell_store(settings)
    with open_at(settings) as work:
        rows, unreadable = list_with_unreadable(work.engine)
        for row in unreadable:
            say(row.reason)
        if not rows:
            say("no evaluation yet" if not unreadable else "no other evaluation")
            return
        table(
            ("evaluation", "state", "opened", "pool", ""),
            [
                (
                    row.evaluation,
                    state_cell(case.standing.history),
                    local_minute(row.opened_at, row.config.time_zone),
                    "" if row.pool_size is None else f"{row.pool_size:,}",
                    "SIMULATED" if row.simulated else "",
                )
                for row, case in zip(rows, work.cases(rows), strict=True)
            ],
        )


def run_show(options: argparse.Namespace) -> None:
    """Print all about one evaluation."""
    from ocrjury.cli.evaluation_page import print_evaluation

    with open_existing() as work:
        print_evaluation(work.case(options.evaluation))


def run_plan(options: argparse.Namespace) -> None:
    """Print the next round."""
    from ocrjury.evaluation.preview import preview

    with open_existing() as work:
        view = preview(work.case(options.evaluation))
    if options.json:
        say_json(view)
    else:
        _print(view)


def _print(view: "Preview") -> None:
    from ocrjury.pages.next_round_words import assumption_text, no_round_text

    plan, assumed = view.round, assumption_text(view.assuming)
    if plan is None:
        fields([("evaluation", view.evaluation), ("state", view.state)])
        why = "" if view.because is None else no_round_text(view.because)
        say(" ".join(filter(None, ["No next round.", why, assumed])))
    else:
        fields(
            [
                ("evaluation", view.evaluation),
                ("state", view.state),
                ("next", f"{plan.kind} round"),
                *([("", assumed)] if assumed else []),
                ("rule", plan.rule),
                ("dimensions", ", ".join(plan.dimensions)),
                ("asks for", _size(plan)),
                ("hours", f"{plan.hours:.1f}"),
                ("cost", _cost(plan)),
                ("gain", _gain(plan)),
            ]
        )
        _print_allocation(plan)
    _print_choice(view)
    _print_items(view)


def _size(plan: "PlannedRound") -> str:
    checks = [
        plural(plan.gold, "of gold", "of gold") if plan.gold else "",
        plural(plan.second, "for the second time", "for the second time") if plan.second else "",
    ]
    among = ", ".join(filter(None, checks))
    size = (
        f"{plural(plan.assignments, 'assignment')}: {plural(plan.items, 'item')} for "
        f"{plural(plan.raters, 'rater')}"
    )
    return f"{size}, {among} among them" if among else size


def _cost(plan: "PlannedRound") -> str:
    if plan.lacks:
        return f"{money(plan.cost)}, as the registry of raters counts it"
    return f"{money(plan.cost)} {plan.currency}"


def _gain(plan: "PlannedRound") -> str:
    gain = plan.expected_gain
    if math.isnan(gain):
        return "not chosen by gain"
    per_cost = f", {gain / plan.cost:.2f} per unit of cost" if plan.cost else ""
    return f"{gain:.1f} bits{per_cost}"


def _print_allocation(plan: "PlannedRound") -> None:
    heading("Allocation")
    table(
        ("rater", *right("assignments", "sessions", "minutes", "cost")),
        [
            (
                rater.rater,
                str(rater.assignments),
                str(rater.sessions),
                f"{rater.minutes:.0f}",
                money(rater.cost),
            )
            for rater in plan.allocation
        ],
    )


def _print_choice(view: "Preview") -> None:
    """Print what gold says about choosing items, and which items are worth a decision."""
    check, experts = view.gold_check, view.experts
    if check is not None:
        choices = {
            "information": "items are chosen by expected gain",
            "uniform": "ratings are spread evenly",
            "undecided": "items are chosen by expected gain until there is more of it",
        }
        heading(f"Gold: {choices[check.decision]}")
        say(check.reason)
    if experts is not None and experts.count:
        count = plural(experts.count, "item")
        price = money(experts.decision_cost)
        heading(f"{count} for the adjudicator, chosen as if a decision cost {price}")
        table(("item", "because"), [(item.item, item.reason) for item in experts.items])
        _say_more(experts.count - len(experts.items))


def _print_items(view: "Preview") -> None:
    short, unsure = view.under_annotated, view.most_uncertain
    if short is not None and short.count:
        heading(f"{plural(short.count, 'item')} with fewer ratings than asked for")
        table(
            ("item", *right("ratings")),
            [(item.item, str(item.ratings)) for item in short.items],
        )
        _say_more(short.count - len(short.items))
    if unsure is not None and unsure.count:
        kind = "calibrated confidence" if unsure.calibrated else "model confidence"
        heading(f"{plural(unsure.count, 'item')} with {kind} below {unsure.target:g}")
        table(
            ("item", "dimension", *right(kind, "ratings")),
            [
                (item.item, item.dimension, f"{item.confidence:.2f}", str(item.ratings))
                for item in unsure.items
            ],
        )
        _say_more(unsure.count - len(unsure.items))


def _say_more(left: int) -> None:
    """Say how many items a table leaves out."""
    if left:
        say(f"and {left:,} more")
