"""``ocrjury gold``: ratings that people settled, as gold for the next campaign."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.cli.declaring import add_command, add_group
from ocrjury.errors import InputError

if TYPE_CHECKING:
    from ocrjury.campaign.gold_file import GoldLine
    from ocrjury.campaign.rubric import Rubric
    from ocrjury.cli.declaring import Commands
    from ocrjury.cli.promotion import Promotion
    from ocrjury.scales import Scale

PROMOTE = [
    "ocrjury gold promote claims-2026w47                          # print, write nothing",
    "ocrjury gold promote claims-2026w47 --out claims/gold.csv",
    "ocrjury gold promote claims-2026w47 --out claims/gold.csv --min-raters 4",
    "ocrjury gold promote claims-2026w47 --adjudicated --out claims/gold.csv",
]
ABOUT = """Write ratings that people settled as gold: those that an adjudicator or a panel decided,
and those on which several raters agree without exception.

Without --out it prints them and writes nothing. A line that the file holds already is never written
again, also if it has another value there; taking lines out of the file undoes it. Read them before
you trust them: raters of campaigns that name the file in raters.gold are judged by them. Settled
items are easier or harder than most, so that gold whose source is adjudicated or consensus neither
corrects estimates nor calibrates confidence."""


def add_to(commands: "Commands") -> None:
    """Declare the commands."""
    group = add_group(
        commands,
        "gold",
        summary="make gold of ratings that people settled",
        examples=PROMOTE[:2],
    )
    promote = add_command(
        group,
        "promote",
        summary="adjudicated ratings and those all raters agree on, as lines of a gold file",
        about=ABOUT,
        examples=PROMOTE,
        run=run_promote,
    )
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


def run_promote(options: argparse.Namespace) -> int:
    """Print what may become gold, and write what the file lacks."""
    from ocrjury.cli.actors import note
    from ocrjury.cli.promotion import compare_with_file, promotable
    from ocrjury.cli.stored import open_existing
    from ocrjury.store.documents import list_gold
    from ocrjury.store.ratings import list_ratings

    if options.min_raters < 2:
        raise InputError(f"--min-raters must be 2 or more; found {options.min_raters}.")
    with open_existing() as work:
        case = work.case(options.evaluation)
        rubric = case.campaign.rubric
        ratings = list_ratings(work.engine, case.name)
        known = {(g.item, g.dimension): g.value for g in list_gold(work.engine, case.name)}
        if options.out is not None:
            note(work, "export", f"{case.name} gold")
    if any(rating.source == "simulated" for rating in ratings):
        raise InputError(f"{case.name} was rated by simulated raters, whose ratings are no gold.")
    settled = promotable(
        ratings, evaluation=case.name, scale=rubric.scale, least_raters=options.min_raters
    )
    if options.adjudicated:
        settled = [line for line in settled if line.source == "adjudicated"]
    lines = _read(options.out, rubric)
    known |= {(line.doc_id, line.dimension): line.value for line in lines}
    promotion = compare_with_file(settled, known)
    _print(promotion, rubric.scale)
    _end(options.out, promotion, lines=lines, scale=rubric.scale)
    return 0


def _read(path: Path | None, rubric: "Rubric") -> "list[GoldLine]":
    """Lines of the file that is added to, none if there is no file yet."""
    from ocrjury.campaign.gold_file import read_gold

    if path is None or not path.exists():
        return []
    if path.suffix.lower() != ".csv":
        raise InputError(f"{path} is there and is no CSV file; name one that ends in .csv.")
    return list(read_gold(path, rubric))


def _print(promotion: "Promotion", scale: "Scale") -> None:
    """Print the lines that are new."""
    from ocrjury.campaign.gold_file import level_text
    from ocrjury.cli.printing import say, table

    if promotion.new:
        table(
            ("document", "dimension", "value", "source", "because"),
            [
                (
                    line.doc_id,
                    line.dimension,
                    level_text(line.value, scale),
                    line.source,
                    line.explanation,
                )
                for line in promotion.new
            ],
        )
        say()


def _end(
    path: Path | None, promotion: "Promotion", *, lines: "list[GoldLine]", scale: "Scale"
) -> None:
    """Write the file if one is named, and say what was done."""
    from ocrjury.campaign.gold_file import level_text
    from ocrjury.cli.printing import say
    from ocrjury.pages.numbers import plural

    new = plural(len(promotion.new), "rating")
    if promotion.there:
        say(f"{plural(len(promotion.there), 'rating')} more are gold already.")
    for line in promotion.differ:
        say(
            f"  {line.doc_id} on {line.dimension} has another value there than "
            f"{level_text(line.value, scale)} ({line.explanation})"
        )
    if path is None:
        say(f"{new} could become gold; --out FILE writes them.")
    elif promotion.new:
        _write(path, [*lines, *promotion.new], scale)
        say(f"{new} added to {path}, which now holds {len(lines) + len(promotion.new)}.")
    else:
        say(f"Nothing is new; {path} was not changed.")


def _write(path: Path, lines: "list[GoldLine]", scale: "Scale") -> None:
    """Write a gold file; a reader sees the old one or the new one, whole."""
    from ocrjury.campaign.gold_file import write_gold

    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    with part.open("w", encoding="utf-8-sig", newline="") as file:
        write_gold(file, lines, scale)
    part.replace(path)
