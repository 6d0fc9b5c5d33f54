"""``ocrjury plan``: how many items and raters a campaign needs, before anybody is asked."""

import argparse
import math
import warnings
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.campaign.settings import Settings
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import fields, heading, money, right, say, say_json, table
from ocrjury.cli.store_access import open_at
from ocrjury.evaluation.frames import plain

if TYPE_CHECKING:
    from ocrjury.campaign.config import Campaign
    from ocrjury.evaluation.plans import Assumptions
    from ocrjury.planner import StudyPlan

PLAN = """items, raters and cost for a width or a budget

Say how many items, raters per item and gold items a campaign needs, and what it costs.

The width is the length of the 95 % interval of the pool's mean score, from its low to its high
end, in points of the scale, for other raters like these. Costs are those of raters.csv. How much
scores and raters vary is measured in the newest evaluation of the campaign that has estimates and
the same scale, never in a rehearsal, otherwise assumed; the options set it by hand.

ocrjury plan claims/campaign.yaml                  # the campaign as written, and better
ocrjury plan claims/campaign.yaml --width 0.3      # the cheapest way to 0.3 points
ocrjury plan claims/campaign.yaml --budget 770     # the best for so much
ocrjury plan claims/campaign.yaml --width 0.3 --rater-sd 0.2 --json"""
SPREADS = ("score_sd", "r_squared", "rater_sd", "noise_sd")
BAR = 40


def add_to(commands: Commands) -> None:
    """Declare the command."""
    plan = add_command(commands, "plan", PLAN, run=run_plan)
    plan.add_argument("file", type=Path, help="campaign.yaml")
    aim = plan.add_mutually_exclusive_group()
    aim.add_argument("--budget", type=float, metavar="X", help="what all ratings may cost")
    aim.add_argument("--width", type=float, metavar="W", help="length of the interval, in points")
    plan.add_argument(
        "--cost-item", type=float, default=0.0, metavar="X", help="price of preparing an item [0]"
    )
    plan.add_argument("--dimension", help="of the rubric [the target's, else the first]")
    plan.add_argument("--score-sd", type=float, metavar="SD", help="spread of outputs' scores")
    plan.add_argument(
        "--r-squared", type=float, metavar="R2", help="what draw and error rates save, at most 1"
    )
    plan.add_argument("--rater-sd", type=float, metavar="SD", help="spread of raters' severities")
    plan.add_argument("--noise-sd", type=float, metavar="SD", help="spread of a single rating")
    plan.add_argument("--json", action="store_true", help="the plan as JSON")


def run_plan(options: argparse.Namespace) -> int:
    """Print a plan; exit code 1 if it cannot reach the width."""
    from ocrjury.campaign.config import read_campaign
    from ocrjury.evaluation.plans import assumptions
    from ocrjury.planner import plan_study

    campaign = read_campaign(options.file)
    given = {name: getattr(options, name) for name in SPREADS}
    settings = Settings.from_environment()
    # Looking for an earlier evaluation makes no store.
    with (
        open_at(settings) if settings.store_exists else nullcontext() as work,
        # What the reading guessed is told by a check of the campaign or of the pool.
        warnings.catch_warnings(action="ignore", category=UserWarning),
    ):
        assumed = assumptions(campaign, options.dimension, work=work).with_given(
            {name: value for name, value in given.items() if value is not None}
        )
    aimless = options.budget is None and options.width is None
    written = _as_written(campaign, assumed, options.cost_item) if aimless else None
    plan = plan_study(
        population=assumed.population,
        budget=options.budget if written is None else written.cost,
        width=options.width,
        n_raters=assumed.n_raters,
        cost_item=options.cost_item,
        cost_rating=assumed.cost_rating,
        together=assumed.together,
        **assumed.spreads,
    )
    if options.json:
        _print_json(plan, assumed)
    else:
        _print_text(plan, assumed, campaign, written=written)
    return int(not plan.possible)


def _items(campaign: "Campaign", assumed: "Assumptions") -> int:
    from ocrjury.sampling import sample_size

    population = assumed.population
    return min(campaign.sampling.n or sample_size(population=population), population)


def _as_written(campaign: "Campaign", assumed: "Assumptions", cost_item: float) -> "StudyPlan":
    from dataclasses import replace

    from ocrjury.planner import Controls, double_rated_items, forecast_study

    items, wanted = _items(campaign, assumed), campaign.raters
    twice = double_rated_items(items, share=wanted.share_rated_twice)
    own = (items + (wanted.per_item - 1) * twice) / assumed.n_raters
    plan = forecast_study(
        assumed.spreads,
        population=assumed.population,
        items=items,
        raters_per_item=wanted.per_item,
        n_raters=assumed.n_raters,
        double_rated=wanted.share_rated_twice,
        gold_items=min(own / (wanted.gold_every - 1), assumed.gold),
        different_gold=assumed.gold,
        together=assumed.together,
    )
    again = Controls(repeats=wanted.repeats).repeats_of({"each": own})["each"]
    ratings = plan.ratings + assumed.n_raters * min(again, int(own) // 2)
    cost = items * cost_item + ratings * assumed.cost_rating
    return replace(plan, ratings=ratings, cost=cost)


def _print_json(plan: "StudyPlan", assumed: "Assumptions") -> None:
    body = {
        **plain(plan),
        "hours": plan.hours(minutes_per_rating=assumed.minutes),
        "dimension": assumed.dimension,
        "source": assumed.source,
    }
    say_json(body)


def _print_text(
    plan: "StudyPlan",
    assumed: "Assumptions",
    campaign: "Campaign",
    *,
    written: "StudyPlan | None",
) -> None:
    """Print the plan for a person, below the campaign as it is written if that is given."""
    of = plan.components
    spreads = (
        f"scores {of.score_sd:.2f}, severities {of.rater_sd:.2f}, single rating {of.noise_sd:.2f}; "
        f"draw and error rates save {of.r_squared:.0%}"
    )
    pages = f"{of.together:.3g} outputs of each are drawn together and taken as alike"
    fields(
        [
            ("campaign", f"{campaign.name}: {campaign.title}"),
            ("dimension", f"{assumed.dimension} on {campaign.rubric.scales[assumed.dimension]}"),
            ("pool", f"{of.population:,} outputs"),
            *([("pages", pages)] if of.together > 1 else []),
            ("raters", str(of.n_raters)),
            ("spreads", spreads),
            ("", assumed.source),
        ]
    )
    if written is not None:
        heading("The campaign as it is written")
        fields(_plan_fields(written, assumed))
    better = "Plan" if written is None else "The best plan for the same money"
    heading(better if plan.possible else "Impossible; this comes closest")
    fields(_plan_fields(plan, assumed))
    _print_sources(plan)
    _print_curve(plan)
    _print_widths(plan)
    for note in plan.notes:
        say()
        say(note)


def _plan_fields(plan: "StudyPlan", assumed: "Assumptions") -> list[tuple[str, str]]:
    hours = plan.hours(minutes_per_rating=assumed.minutes)
    each = hours / plan.components.n_raters
    target = "" if plan.target is None else f" (asked for: {plan.target:.2f})"
    gold = f"{plan.gold_items:.0f} for each rater" if plan.gold_items else "none"
    return [
        ("items", f"{plan.items:,}, {_ratings_each(plan)}"),
        ("gold items", gold),
        ("ratings", f"{plan.ratings:,}"),
        ("cost", money(plan.cost)),
        ("hours", f"{hours:.1f} ({each:.1f} for each rater)"),
        ("width", f"{_width(plan.width)}{target}"),
    ]


def _width(width: float) -> str:
    """Length of an interval, none where one rater tells nothing about others."""
    return f"{width:.2f}" if math.isfinite(width) else "none"


def _ratings_each(plan: "StudyPlan") -> str:
    several = max(plan.raters_per_item, 2)
    if plan.double_rated == plan.items:
        return f"{several} ratings each"
    if plan.double_rated == 0:
        return "1 rating each"
    return f"{plan.double_rated:,} of them with {several} ratings, the others with one"


def _print_sources(plan: "StudyPlan") -> None:
    precision = plan.precision
    raters = "what gold leaves of the raters" if plan.gold_items else "which raters judge"
    parts = (
        ("which outputs are drawn", precision.documents),
        ("how a rating wavers", precision.noise),
        (raters, precision.raters),
    )
    variance = precision.variance
    if not math.isfinite(variance):
        return
    heading("What the interval is made of")
    shares = [(name, part / variance if variance > 0 else 0.0) for name, part in parts]
    table(
        ("", *right("variance"), ""),
        [(name, f"{share:.0%}", "#" * round(BAR * share)) for name, share in shares],
    )


def _print_curve(plan: "StudyPlan") -> None:
    sizes = sorted(
        {
            min(max(round(plan.items * factor), 10), plan.components.population)
            for factor in (0.25, 0.5, 1, 2, 4)
        }
        | {plan.items}
    )
    widths = {items: plan.width_at(items) for items in sizes}
    longest = max(filter(math.isfinite, widths.values()), default=0.0)
    heading("With other numbers of items")
    table(
        (*right("items", "width"), ""),
        [
            (
                f"{items:,}",
                _width(width),
                _bar(width, longest) + (" <- plan" if items == plan.items else ""),
            )
            for items, width in widths.items()
        ],
    )


def _bar(width: float, longest: float) -> str:
    if not math.isfinite(width) or longest == 0:
        return ""
    return "=" * max(1, round(BAR * width / longest))


def _print_widths(plan: "StudyPlan") -> None:
    from ocrjury.planner.study import SHARES

    heading("Expected length of 95 % intervals")
    rows = []
    for name, width in plan.widths.items():
        text = f"{100 * width:.1f} points of 100" if name in SHARES.values() else _width(width)
        rows.append((name, text))
    table(("outcome", *right("length")), rows)
