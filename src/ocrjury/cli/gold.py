"""``ocrjury gold``: ratings that people settled, as gold for the next campaign."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ocrjury.cli.actors import note
from ocrjury.cli.declaring import Commands, add_command, add_group
from ocrjury.cli.printing import say, table
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError
from ocrjury.pages.numbers import plural
from ocrjury.scales import Scale, Scales, scale_of
from ocrjury.whole_files import whole_text

if TYPE_CHECKING:
    from ocrjury.campaign.gold_file import GoldLine
    from ocrjury.store.ratings import RatingRow


GROUP = """make gold of ratings that people settled

ocrjury gold promote claims-2026w47                          # print, write nothing
ocrjury gold promote claims-2026w47 --out claims/gold.csv"""
PROMOTE = """adjudicated ratings and those all raters agree on, as lines of a gold file

Write ratings that people settled as gold: those that an adjudicator or a panel decided,
and those on which several raters agree without exception.

Without --out it prints them and writes nothing. A line that the file holds already is never written
again, also if it has another value there; taking lines out of the file undoes it. Read them before
you trust them: raters of campaigns that name the file in raters.gold are judged by them. Settled
items are easier or harder than most, so that gold whose source is adjudicated or consensus neither
corrects estimates nor calibrates confidence.

ocrjury gold promote claims-2026w47                          # print, write nothing
ocrjury gold promote claims-2026w47 --out claims/gold.csv
ocrjury gold promote claims-2026w47 --out claims/gold.csv --min-raters 4
ocrjury gold promote claims-2026w47 --adjudicated --out claims/gold.csv"""
INDEPENDENT = ("main", "adaptive")
MOST_SHOWN = 20
"""Lines that are printed of those that a file gets."""


class Promotion(NamedTuple):
    """Known ratings that are new to a gold file, and those that it holds already.

    `differ` are of the latter those whose value is another one in the file.
    """

    new: "list[GoldLine]"
    there: "list[GoldLine]"
    differ: "list[GoldLine]"


def add_to(commands: Commands) -> None:
    """Declare the commands."""
    group = add_group(commands, "gold", GROUP)
    promote = add_command(group, "promote", PROMOTE, run=run_promote)
    promote.add_argument("evaluation", help="its name")
    promote.add_argument(
        "--out", "--to", type=Path, metavar="FILE", help="CSV, made or added to [print]"
    )
    promote.add_argument(
        "--min-raters", type=int, default=3, metavar="N", help="agreeing raters of a consensus [3]"
    )
    promote.add_argument(
        "--adjudicated", action="store_true", help="leave out what raters merely agree on"
    )


def run_promote(options: argparse.Namespace) -> None:
    """Print what may become gold, and write what the file lacks."""
    from ocrjury.campaign.gold_file import read_gold
    from ocrjury.store.documents import list_gold
    from ocrjury.store.ratings import list_ratings

    path = options.out
    if options.min_raters < 2:
        raise InputError(f"--min-raters must be 2 or more; found {options.min_raters}.")
    if path is not None and path.suffix.lower() != ".csv":
        raise InputError(f"--out: {path} does not end in .csv, and a gold file is CSV.")
    with open_existing() as work:
        case = work.case(options.evaluation)
        rubric = case.campaign.rubric
        ratings = list_ratings(work.engine, case.name)
        known = {(g.item, g.dimension): g.value for g in list_gold(work.engine, case.name)}
        if path is not None:
            note(work, "export", f"{case.name} gold")
    if any(rating.source == "simulated" for rating in ratings):
        raise InputError(f"{case.name} was rated by simulated raters, whose ratings are no gold.")
    settled = promotable(
        ratings, evaluation=case.name, scale=rubric.scales, least_raters=options.min_raters
    )
    if options.adjudicated:
        settled = [line for line in settled if line.source == "adjudicated"]
    lines: list[GoldLine] = []
    if path is not None and path.exists():
        lines += read_gold(path, rubric)
    known |= {(line.doc_id, line.dimension): line.value for line in lines}
    promotion = compare_with_file(settled, known)
    _print(promotion, rubric.scales, most=None if path is None else MOST_SHOWN)
    _end(path, promotion, lines=lines, scale=rubric.scales)


def _print(promotion: Promotion, scale: Scales, *, most: int | None) -> None:
    from ocrjury.campaign.gold_file import level_text

    if promotion.new:
        table(
            ("document", "dimension", "value", "source", "because"),
            [
                (
                    *(
                        line.doc_id,
                        line.dimension,
                        level_text(line.value, scale_of(scale, line.dimension)),
                    ),
                    *(line.source, line.explanation),
                )
                for line in promotion.new[:most]
            ],
        )
        if more := len(promotion.new[len(promotion.new[:most]) :]):
            say(f"and {more:,} more")
        say()
    if promotion.there:
        verb = "is" if len(promotion.there) == 1 else "are"
        say(f"{plural(len(promotion.there), 'more rating')} {verb} gold already.")
    for line in promotion.differ:
        say(
            f"  {line.doc_id} on {line.dimension} has another value there than "
            f"{level_text(line.value, scale_of(scale, line.dimension))} ({line.explanation})"
        )


def _end(
    path: Path | None, promotion: Promotion, *, lines: "list[GoldLine]", scale: Scales
) -> None:
    from ocrjury.campaign.gold_file import write_gold

    new = plural(len(promotion.new), "rating")
    if path is None:
        say(f"{new} could become gold; --out FILE writes them.")
        return
    if not promotion.new:
        say(f"Nothing is new; {path} was not {'changed' if path.exists() else 'written'}.")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_text(path, encoding="utf-8-sig") as file:
        write_gold(file, [*lines, *promotion.new], scale)
    say(f"{new} added to {path}, which now holds {len(lines) + len(promotion.new)}.")


def promotable(
    rows: "Sequence[RatingRow]", *, evaluation: str, scale: Scales, least_raters: int
) -> "list[GoldLine]":
    """Settled ratings of an evaluation: first what was adjudicated, then consensus.

    Parameters
    ----------
    evaluation
        Its name, for the explanations; they hold no text of a document.
    least_raters
        From how many independent raters on, all of one opinion, a rating is a consensus.
    """
    import pandas as pd

    from ocrjury.adaptive import settled_values
    from ocrjury.campaign.gold_file import GoldLine
    from ocrjury.store.ratings import RatingRow

    frame = pd.DataFrame(rows, columns=list(RatingRow._fields)).rename(columns={"value": "rating"})
    names = {row.dimension for row in rows}
    settled = settled_values(frame, ordered={name: scale_of(scale, name).ordered for name in names})
    by_item: dict[tuple[str, str], list[RatingRow]] = {}
    for row in rows:
        by_item.setdefault((row.item, row.dimension), []).append(row)
    adjudicated, agreed = [], []
    for (item, dimension), given in sorted(by_item.items()):
        value = settled.get(dimension, {}).get(item)
        if value is not None:
            why = _why_settled(given, scale=scale_of(scale, dimension), evaluation=evaluation)
            adjudicated.append(GoldLine(item, dimension, value, why, "adjudicated"))
            continue
        independent = [row for row in given if row.round_kind in INDEPENDENT]
        values = {row.value for row in independent}
        if len(values) == 1 and len({row.rater for row in independent}) >= least_raters:
            who = ", ".join(sorted(row.rater for row in independent))
            why = f"{len(independent)} raters agree in {evaluation}: {who}"
            agreed.append(GoldLine(item, dimension, values.pop(), why, "consensus"))
    return [*adjudicated, *agreed]


def compare_with_file(
    settled: "Iterable[GoldLine]", known: Mapping[tuple[str, str], float]
) -> Promotion:
    """Lines that a gold file lacks, and those that it holds.

    Parameters
    ----------
    known
        Values that are gold already, by document and dimension.
    """
    result = Promotion([], [], [])
    for line in settled:
        key = (line.doc_id, line.dimension)
        if key not in known:
            result.new.append(line)
            continue
        result.there.append(line)
        if known[key] != line.value:
            result.differ.append(line)
    return result


def _why_settled(given: "Sequence[RatingRow]", *, scale: Scale, evaluation: str) -> str:
    """Explanation of a settled rating: who settled it, and every rating given."""
    from ocrjury.campaign.gold_file import level_text

    panel = [row for row in given if row.round_kind == "panel"]
    kind = "panel" if panel else "adjudication"
    ratings = [row for row in given if row.round_kind in {*INDEPENDENT, kind}]
    by_value: dict[float, list[str]] = {}
    for row in sorted(ratings, key=lambda row: (row.value, row.rater)):
        by_value.setdefault(row.value, []).append(row.rater)
    words = "; ".join(
        f"{', '.join(who)} said {level_text(value, scale)}" for value, who in by_value.items()
    )
    return f"{'settled by a panel' if panel else 'adjudicated'} in {evaluation}: {words}"
