"""``ocrjury evaluation plan``: the next round before it is opened."""

import argparse
from typing import TYPE_CHECKING

from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import fields, heading, right, say, say_json, table
from ocrjury.cli.stored import open_existing
from ocrjury.pages.numbers import plural

if TYPE_CHECKING:
    from ocrjury.evaluation.preview import PlannedRound, Preview


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


def add_to(group: Commands) -> None:
    """Declare the command."""
    parser = add_command(group, "plan", PLAN, run=run_plan)
    parser.add_argument("evaluation", help="its name")
    parser.add_argument("--json", action="store_true", help="every number, for programs")


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
    plan = view.round
    assumed = f", if {view.assuming}" if view.assuming else ""
    if plan is None:
        fields([("evaluation", view.evaluation), ("state", view.state)])
        say(f"No next round{assumed}: {view.because}.")
    else:
        fields(
            [
                ("evaluation", view.evaluation),
                ("state", view.state),
                ("next", f"{plan.kind} round{assumed}"),
                ("rule", plan.rule),
                ("dimensions", ", ".join(plan.dimensions)),
                ("asks for", _size(plan)),
                ("cost", f"{plan.cost:g}, as the registry of raters counts it"),
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


def _gain(plan: "PlannedRound") -> str:
    gain = plan.expected_gain
    if gain is None:
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
                f"{rater.cost:g}",
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
        heading(f"{count} for the adjudicator, at {experts.decision_cost:g} a decision")
        table(("item", "because"), [(item.item, item.reason) for item in experts.items])
        left = experts.count - len(experts.items)
        if left:
            say(f"and {left} more")


def _print_items(view: "Preview") -> None:
    short, unsure = view.under_annotated, view.most_uncertain
    if short is not None and short.count:
        heading(f"{plural(short.count, 'item')} with fewer than {short.wanted} ratings")
        table(
            ("item", *right("ratings")),
            [(item.item, str(item.ratings)) for item in short.items],
        )
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
        left = unsure.count - len(unsure.items)
        if left:
            say(f"and {left} more")
