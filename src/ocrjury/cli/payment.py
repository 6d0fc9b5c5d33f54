"""``ocrjury raters payment``: items, hours and cost by rater and round, as CSV."""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import IO, TYPE_CHECKING
from zoneinfo import ZoneInfo

from ocrjury.cli.actors import note
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import money, remark, tell_replaced
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError
from ocrjury.pages.numbers import listing, plural
from ocrjury.ratings.csv_tables import write_table
from ocrjury.whole_files import whole_text

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Work
    from ocrjury.evaluation.payment import Payment
    from ocrjury.store.working_time import Period

PAYMENT = """items, hours and cost by rater and round, as CSV

Write what each rater did, and what it costs: one row for each rater and round.

Counted: every item that was submitted, once, also practice, gold, repeated items, decisions of
adjudicators, votes of experts, and ratings that were set aside or withdrawn later. Submitting an
item again counts no further item; its time is in the hours.

hours: time at work on the rating page, without idle time and without what only waited to be sent;
at most ten minutes for each time an item is submitted, and never more than an item was open.
Workbooks, files and Label Studio measure none: the cell is empty. cost: items x price (cost in
raters.csv, as the evaluation read it). Without a price, or a currency (raters.currency in
campaign.yaml), the cell is empty; `lacks` says why.

--since and --until are days in the time zone of the newest evaluation; --until is the last one.
Without a name, all evaluations with real raters that had an open round then.

ocrjury raters payment claims-2026w47 --out payment.csv
ocrjury raters payment --since 2026-11-01 --until 2026-11-30 --names --out november.csv
ocrjury raters payment claims-2026w47 --currency EUR"""


def add_to(group: Commands) -> None:
    """Declare the command."""
    payment = add_command(group, "payment", PAYMENT, run=run_payment)
    payment.add_argument("evaluations", nargs="*", metavar="evaluation", help="[all, by --since]")
    payment.add_argument("--since", type=_day, metavar="DATE", help="first day, as 2026-11-01")
    payment.add_argument("--until", type=_day, metavar="DATE", help="last day [today]")
    payment.add_argument("--names", action="store_true", help="people's names beside pseudonyms")
    payment.add_argument("--currency", help="of campaigns that name none")
    payment.add_argument("--out", type=Path, help="file to write [standard output]")


def run_payment(options: argparse.Namespace) -> None:
    """Write the sheet."""
    from ocrjury.evaluation.payment import list_payments
    from ocrjury.store.evaluations import read_evaluation
    from ocrjury.store.working_time import list_at_work

    if not options.evaluations and options.since is None:
        raise InputError("name an evaluation, or a first day with --since.")
    with open_existing() as work, work.snapshot():
        period = _period(work, options)
        names = list(dict.fromkeys(options.evaluations)) or list_at_work(work.engine, period)
        simulated = [name for name in names if read_evaluation(work.engine, name).simulated]
        payments = list_payments(work.engine, names, period=period, currency=options.currency)
        people = _names(work, payments) if options.names else None
        for name in names:
            note(work, "export", f"{name} payment{' with names' * options.names}")
    if options.out is None:
        _write(sys.stdout, payments, people)
    else:
        tell_replaced(options.out)
        with whole_text(options.out, encoding="utf-8-sig") as file:
            _write(file, payments, people)
    _remark(payments, len(names), simulated=simulated, out=options.out)


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.max
    if not date.min.year < day.year < date.max.year:  # their ends may lie beyond in another zone
        raise argparse.ArgumentTypeError(f"{text!r} is no date such as 2026-11-01")
    return day


def _period(work: "Work", options: argparse.Namespace) -> "Period":
    """Period from the beginning of the first day to the end of the last."""
    from datetime import timedelta

    from ocrjury.store.evaluations import usual_zone
    from ocrjury.store.working_time import Period

    zone = ZoneInfo(usual_zone(work.engine))
    if options.since and options.until and options.until < options.since:
        raise InputError(f"--until {options.until} is before --since {options.since}.")

    def begins(day: date) -> datetime:
        return datetime.combine(day, time(), zone).astimezone(UTC)

    return Period(
        None if options.since is None else begins(options.since),
        None if options.until is None else begins(options.until + timedelta(days=1)),
    )


def _names(work: "Work", payments: "Sequence[Payment]") -> dict[str, str]:
    """Names of people by pseudonym; empty where raters.csv has none."""
    from ocrjury.store.raters import list_raters

    return {
        entry.pseudonym: entry.name
        for entry in list_raters(work.engine, {payment.rater for payment in payments})
    }


def _write(file: IO[str], payments: "Sequence[Payment]", people: dict[str, str] | None) -> None:
    """Write a row for each rater and round."""
    from ocrjury.evaluation.payment import COLUMNS

    columns = list(COLUMNS)
    if people is not None:
        columns.insert(columns.index("rater") + 1, "name")
    rows = []
    for payment in payments:
        cells = payment.cells | {"name": (people or {}).get(payment.rater, "")}
        rows.append([cells[column] for column in columns])
    write_table(file, columns, rows)


def _remark(
    payments: "Sequence[Payment]", count: int, *, simulated: Sequence[str], out: Path | None
) -> None:
    """Say what was written, and what is missing in it."""
    from ocrjury.evaluation.payment import totals

    rows, of = plural(len(payments), "row"), plural(count, "evaluation")
    sums = [f"{money(total)} {currency}" for currency, total in totals(payments).items()]
    where = "" if out is None else f" written to {out}"
    remark(f"{rows} on {of}{where}; {listing(sums) if sums else 'no cost is known'}.")
    lacking = sum(payment.cost is None for payment in payments)
    if lacking:
        remark(
            f"{plural(lacking, 'row')} without a cost: no price in raters.csv, or no currency "
            "(raters.currency in campaign.yaml, or --currency)."
        )
    if simulated:
        remark(f"Nobody is owed for simulated raters: {listing(simulated)}.")
