"""``ocrjury raters``: what each rater did over evaluations."""

import argparse
from typing import TYPE_CHECKING

from ocrjury.cli import certificates, invitations, payment, reminders
from ocrjury.cli.declaring import Commands, add_command, add_group
from ocrjury.cli.printing import right, say, say_json, table
from ocrjury.cli.rater_names import add_rater, rater_named
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate, reason_words
from ocrjury.pages.numbers import estimate_text, signed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ocrjury.evaluation.performance import RaterRecord
    from ocrjury.scales import Scales
    from ocrjury.store.raters import RecordRow

    Records = dict[str, tuple[RaterRecord | None, list[RaterRecord], Estimate]]

GROUP = """links to the rating page, and what each rater did over evaluations

ocrjury raters invite claims-2026w47            # everybody with something to rate
ocrjury raters record                           # one line for each rater
ocrjury raters record R01
ocrjury raters payment claims-2026w47           # items, hours, cost
ocrjury raters certificate claims-2026w47 R01   # of training, as PDF"""
RECORD = """ratings, accuracy, severity and trend on gold of one rater or of all

Show how often a rater was right over all evaluations, against the labels that were
inferred and against gold, how severe (rating minus label), and whether the share right on gold
changes.

The inferred labels know the rater's own ratings too, so that only gold is an independent judge.
Pilots, second ratings, ratings that a recalibration set aside (these are counted) and evaluations
with simulated raters are left out.

ocrjury raters record                       # one line for each rater
ocrjury raters record R01
ocrjury raters record R01 --dimension layout --json"""

UNLABELLED = "no labels"


def add_to(commands: Commands) -> None:
    """Declare the commands."""
    group = add_group(commands, "raters", GROUP)
    invitations.add_to(group)
    reminders.add_to(group)
    payment.add_to(group)
    certificates.add_to(group)
    record = add_command(group, "record", RECORD, run=run_record)
    add_rater(record, about="whose record [all]")
    record.add_argument("--dimension", help="only this one [all together]")
    record.add_argument(
        "--simulated", action="store_true", help="evaluations with simulated raters instead"
    )
    record.add_argument("--json", action="store_true", help="every number, for programs")


def run_record(options: argparse.Namespace) -> None:
    """Print the record of one rater or of all."""
    from ocrjury.store.raters import count_set_aside, list_rated, list_records

    rater = rater_named(options)
    with open_existing() as work:
        known = list_rated(work.engine)
        _check_rater(rater, known)
        wanted = None if rater is None else [rater]
        given = list_records(work.engine, raters=wanted)
        rated = dict.fromkeys(row.dimension for row in given)
        if options.dimension is not None and rated and options.dimension not in rated:
            raise InputError(
                f"no rating is on a dimension {options.dimension!r}; there are {', '.join(rated)}."
            )
        rows = [
            row
            for row in given
            if row.simulated == options.simulated and options.dimension in {None, row.dimension}
        ]
        names = dict.fromkeys(row.evaluation for row in rows)
        scales = {name: work.case(name).campaign.rubric.scales for name in names}
        aside = count_set_aside(work.engine, dimension=options.dimension)
    records = _records(rows, scales, aside)
    if options.json:
        say_json(
            {
                name: {
                    "all": None if whole is None else whole.to_json(),
                    "evaluations": [record.to_json() for record in each],
                    "trend_on_gold": trend.to_json(),
                }
                for name, (whole, each, trend) in records.items()
            }
        )
    elif rater is None:
        _print_all(records)
    else:
        _print_one(rater, records)


def _check_rater(rater: str | None, known: "Sequence[str]") -> None:
    """Refuse somebody who has rated nothing."""
    if rater is not None and rater not in known:
        names = f"there are ratings of {', '.join(known)}" if known else "there is no rating yet"
        raise InputError(f"nobody called {rater} has rated anything; {names}.")


def _records(
    rows: "list[RecordRow]",
    scales: "Mapping[str, Scales]",
    aside: "Mapping[str, Mapping[str, int]]",
) -> "Records":
    """Record in all evaluations, in each, and the trend on gold, by rater."""
    from ocrjury.evaluation.performance import gold_trend, records_of, whole_record

    records: Records = {}
    for rater in sorted({row.rater for row in rows}):
        own = [row for row in rows if row.rater == rater]
        kept = {name: n for name, n in aside.get(rater, {}).items() if name in scales}
        each = records_of(own, scales, aside=kept)
        records[rater] = whole_record(own, scales, aside=kept), each, gold_trend(each)
    return records


def _print_all(records: "Records") -> None:
    lines = [
        (rater, str(len(whole.evaluations)), *_cells(whole), _points(trend))
        for rater, (whole, _, trend) in records.items()
        if whole is not None
    ]
    if not lines:
        say("no rating counts yet; simulated raters are shown with --simulated")
        return
    counts = right("evaluations", "ratings", "set aside")
    shares = ("right", "on gold", "severity", "trend on gold, per evaluation")
    table(("rater", *counts, *shares), lines)


def _print_one(rater: str, by_rater: "Records") -> None:
    whole, records, trend = by_rater.get(rater, (None, [], None))
    if whole is None or trend is None:
        say(f"no rating of {rater} counts yet; those of rehearsals are shown with --simulated")
        return
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
    say(f"Share right on gold, change from one evaluation to the next: {_points(trend)}")


def _cells(record: "RaterRecord") -> list[str]:
    """Ratings, those set aside, shares right and right on gold, and severity."""
    gold, inferred = record.gold, record.inferred
    on_gold = f"{estimate_text(gold.share_equal, share=True)} of {gold.n}"
    return [
        f"{record.n_ratings:,}",
        f"{record.n_set_aside:,}",
        estimate_text(inferred.share_equal, share=True) if inferred.n else UNLABELLED,
        on_gold if gold.n else "no gold rated",
        estimate_text(inferred.mean_deviation) if inferred.n else UNLABELLED,
    ]


def _points(trend: Estimate) -> str:
    if not trend.defined:
        return f"unknown ({reason_words(trend.reason)})"
    ends = " to ".join(signed(100 * end, 1) for end in (trend.low, trend.high))
    return f"{signed(100 * trend.value, 1)} points [{ends}]"
