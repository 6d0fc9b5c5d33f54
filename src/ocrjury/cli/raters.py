"""``ocrjury raters``: what each rater did over evaluations."""

import argparse
from typing import TYPE_CHECKING

from ocrjury.cli import invitations, reminders
from ocrjury.cli.declaring import add_command, add_group
from ocrjury.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ocrjury.cli.declaring import Commands
    from ocrjury.estimate import Estimate
    from ocrjury.evaluation.case import Work
    from ocrjury.evaluation.performance import Record
    from ocrjury.scales import Scale
    from ocrjury.store.raters import RecordRow

    Aside = Mapping[str, Mapping[str, int]]  # ratings set aside, by rater and evaluation

RECORD = [
    "ocrjury raters record                       # one line for each rater",
    "ocrjury raters record R01",
    "ocrjury raters record R01 --dimension layout --json",
]
ABOUT = """Show how often a rater was right over all evaluations, against the labels that were
inferred and against gold, how severe (rating minus label), and whether the share right on gold
changes.

The inferred labels know the rater's own ratings too, so that only gold is an independent judge.
Pilots, second ratings, ratings that a recalibration set aside (these are counted) and evaluations
with simulated raters are left out."""


def add_to(commands: "Commands") -> None:
    """Declare the commands."""
    group = add_group(
        commands,
        "raters",
        summary="links to the rating page, and what each rater did over evaluations",
        examples=[invitations.INVITE[0], *RECORD[:2]],
    )
    invitations.add_to(group)
    reminders.add_to(group)
    record = add_command(
        group,
        "record",
        summary="ratings, accuracy, severity and trend on gold of one rater or of all",
        about=ABOUT,
        examples=RECORD,
        run=run_record,
    )
    record.add_argument("rater", nargs="?", metavar="R01", help="[all]")
    record.add_argument("--dimension", help="only this one [all together]")
    record.add_argument(
        "--simulated", action="store_true", help="evaluations with simulated raters instead"
    )
    record.add_argument("--json", action="store_true", help="every number, for programs")


def run_record(options: argparse.Namespace) -> int:
    """Print the record of one rater or of all."""
    from ocrjury.cli.stored import open_existing
    from ocrjury.store.raters import count_set_aside, list_rated, list_records

    with open_existing() as work:
        known = list_rated(work.engine)
        if options.rater is not None and options.rater not in known:
            known_raters = (
                f"there are ratings of {', '.join(known)}" if known else "there is no rating yet"
            )
            raise InputError(f"nobody called {options.rater} has rated anything; {known_raters}.")
        wanted = None if options.rater is None else [options.rater]
        rows = [
            row
            for row in list_records(work.engine, raters=wanted)
            if row.simulated == options.simulated and options.dimension in {None, row.dimension}
        ]
        scales = _scales(work, rows)
        aside = count_set_aside(work.engine, dimension=options.dimension)
    by_rater: dict[str, list[RecordRow]] = {}
    for row in rows:
        by_rater.setdefault(row.rater, []).append(row)
    kept = {
        rater: {name: count for name, count in of.items() if name in scales}
        for rater, of in aside.items()
    }
    if options.json:
        _print_json(by_rater, scales, kept)
    elif options.rater is None:
        _print_all(by_rater, scales, kept)
    else:
        own = by_rater.get(options.rater, [])
        _print_one(options.rater, own, scales, aside=kept.get(options.rater, {}))
    return 0


def _scales(work: "Work", rows: "Sequence[RecordRow]") -> "dict[str, Scale]":
    """Scale of every evaluation."""
    names = dict.fromkeys(row.evaluation for row in rows)
    return {name: work.case(name).campaign.rubric.scale for name in names}


def _print_all(
    by_rater: "Mapping[str, list[RecordRow]]", scales: "Mapping[str, Scale]", aside: "Aside"
) -> None:
    """Print one line for each rater."""
    from ocrjury.cli.printing import right, say, table
    from ocrjury.evaluation.performance import gold_trend, records_of, whole_record

    lines = []
    for rater, rows in sorted(by_rater.items()):
        whole = whole_record(rows, scales, aside=aside.get(rater, {}))
        if whole is not None:
            trend = gold_trend(records_of(rows, scales))
            lines.append((rater, str(len(whole.evaluations)), *_cells(whole), _points(trend)))
    if not lines:
        say("no rating counts yet; simulated raters are shown with --simulated")
        return
    counts = right("evaluations", "ratings", "set aside")
    shares = ("right", "on gold", "severity", "trend on gold, per evaluation")
    table(("rater", *counts, *shares), lines)


def _print_one(
    rater: str,
    rows: "Sequence[RecordRow]",
    scales: "Mapping[str, Scale]",
    *,
    aside: "Mapping[str, int]",
) -> None:
    """Print every evaluation of one rater."""
    from ocrjury.cli.printing import right, say, table
    from ocrjury.evaluation.performance import gold_trend, records_of, whole_record

    whole = whole_record(rows, scales, aside=aside)
    if whole is None:
        say(f"no rating of {rater} counts yet; those of rehearsals are shown with --simulated")
        return
    records = records_of(rows, scales, aside=aside)
    table(
        ("evaluation", "opened", *right("ratings", "set aside"), "right", "on gold", "severity"),
        [
            *(
                (record.evaluations[0], record.opened_at.strftime("%Y-%m-%d"), *_cells(record))
                for record in records
            ),
            ("all", "", *_cells(whole)),
        ],
    )
    say()
    trend = _points(gold_trend(records))
    say(f"Share right on gold, change from one evaluation to the next: {trend}")


def _print_json(
    by_rater: "Mapping[str, list[RecordRow]]", scales: "Mapping[str, Scale]", aside: "Aside"
) -> None:
    """Print all records as JSON."""
    from ocrjury.cli.plain_values import json_text
    from ocrjury.cli.printing import say
    from ocrjury.evaluation.performance import gold_trend, records_of, whole_record

    body = {}
    for rater, rows in sorted(by_rater.items()):
        own = aside.get(rater, {})
        whole = whole_record(rows, scales, aside=own)
        records = records_of(rows, scales, aside=own)
        body[rater] = {
            "all": None if whole is None else whole.to_json(),
            "evaluations": [record.to_json() for record in records],
            "trend_on_gold": gold_trend(records).to_json(),
        }
    say(json_text(body))


def _cells(record: "Record") -> list[str]:
    """Ratings, those set aside, shares right and right on gold, and severity."""
    from ocrjury.pages.numbers import estimate_text

    gold = record.gold
    on_gold = estimate_text(gold.share_equal, share=True)
    return [
        f"{record.n_ratings:,}",
        f"{record.n_set_aside:,}",
        estimate_text(record.inferred.share_equal, share=True),
        f"{on_gold} of {gold.n}" if gold.n else on_gold,
        estimate_text(record.inferred.mean_deviation),
    ]


def _points(trend: "Estimate") -> str:
    """Change of a share in points."""
    from ocrjury.estimate import reason_words
    from ocrjury.pages.numbers import signed

    if not trend.defined:
        return f"unknown ({reason_words(trend.reason)})"
    ends = " to ".join(signed(100 * end, 1) for end in (trend.low, trend.high))
    return f"{signed(100 * trend.value, 1)} points [{ends}]"
