"""``ocrjury agreement``: how well the raters of a CSV file agree."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.cli.declaring import add_command
from ocrjury.cli.rating_files import SINGLE
from ocrjury.cli.scale_option import FORMS
from ocrjury.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.cli.coefficients import Coefficients
    from ocrjury.cli.declaring import Commands, Parser
    from ocrjury.cli.rating_files import CellRow, RatingFile
    from ocrjury.scales import Scale

ABOUT = """Do the raters of a CSV file agree? No campaign and no store needed.

The file is long (columns item, rater, rating and perhaps dimension; or item, rater and one
column for each dimension) or wide (one row per item, one column per rater, perhaps the items'
names in the first column). Empty cells, NA, * and . are missing ratings.

The scale is declared, never guessed from the values that happen to occur."""
EXAMPLES = [
    "ocrjury agreement ratings.csv --scale likert:1:5",
    "ocrjury agreement ratings.csv --scale binary --ci bootstrap",
    "ocrjury agreement ratings.csv --scale nominal:stamp,text,table",
    "ocrjury agreement ratings.csv --scale likert:1:5 --dimension layout --json",
    "ocrjury agreement labels.csv --scale binary --item doc --rater annotator --rating label",
]


def add_to(commands: "Commands") -> None:
    """Declare the command."""
    parser = add_command(
        commands,
        "agreement",
        summary="coefficients with intervals of any CSV of ratings",
        about=ABOUT,
        examples=EXAMPLES,
        run=run_agreement,
    )
    parser.add_argument("file", type=Path, help="CSV, UTF-8 or CP949")
    add_file_options(parser)
    parser.add_argument("--dimension", help="only this one [all]")
    parser.add_argument(
        "--ci",
        choices=("jackknife", "bootstrap", "none"),
        default="jackknife",
        help="how intervals are made; none: published errors where there are any [jackknife]",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap [0]")
    parser.add_argument(
        "--json", action="store_true", help="print JSON; undefined is null, intervals uncut"
    )


def add_file_options(parser: "Parser") -> None:
    """Add the options that say what the cells of a file mean."""
    parser.add_argument("--scale", help=f"{FORMS}; needed")
    for name in ("item", "rater", "rating"):
        parser.add_argument(f"--{name}", metavar="COLUMN", help=f"column of the {name} [{name}]")


def run_agreement(options: argparse.Namespace) -> int:
    """Print what the ratings of a file agree on."""
    from ocrjury.cli.coefficients import measure
    from ocrjury.ratings import RatingTable

    file, scale = read_declared(options, options.file)
    dimensions = _chosen(file, options.dimension)
    ci = None if options.ci == "none" else options.ci
    found = {
        name: measure(
            RatingTable.from_long(rating_frame(file.of(name), scale), scale=scale),
            ci=ci,
            seed=options.seed,
        )
        for name in dimensions
    }
    if options.json:
        body = {
            "file": str(options.file),
            "shape": file.shape,
            "scale": str(scale),
            "ci": options.ci,
            "dimensions": {name: one.to_json() for name, one in found.items()},
        }
        print(json.dumps(body, ensure_ascii=False, indent=2, allow_nan=False))
        return 0
    _print_all(file, scale, found)
    return 0


def read_declared(options: argparse.Namespace, path: Path) -> "tuple[RatingFile, Scale]":
    """Return the ratings of a file and the scale that the command line declares for them."""
    from ocrjury.cli.rating_files import Names, read_ratings
    from ocrjury.cli.scale_option import declared_scale, scale_hint

    file = read_ratings(path, names=Names(options.item, options.rater, options.rating))
    if options.scale is None:
        raise InputError(f"Declare the scale with --scale; {scale_hint(file.values())}.")
    return file, declared_scale(options.scale, file.values())


def rating_frame(rows: "list[CellRow]", scale: "Scale") -> "pd.DataFrame":
    """Return ratings as a long frame item, rater, dimension, rating."""
    import pandas as pd

    from ocrjury.cli.rating_files import CellRow
    from ocrjury.cli.scale_option import rating_of

    frame = pd.DataFrame(rows, columns=list(CellRow._fields), dtype=object)
    ratings = [rating_of(row.rating, scale) for row in rows]
    return frame.assign(rating=pd.Series(ratings, dtype=object))


def _chosen(file: "RatingFile", dimension: str | None) -> list[str]:
    """Return the dimensions to print."""
    if dimension is None:
        return file.dimensions
    if dimension not in file.dimensions:
        raise InputError(
            f"there is no dimension {dimension!r} in the file; there is "
            f"{', '.join(file.dimensions)}."
        )
    return [dimension]


def _print_all(file: "RatingFile", scale: "Scale", found: "dict[str, Coefficients]") -> None:
    """Print every dimension."""
    from ocrjury.cli.coefficients import print_coefficients
    from ocrjury.cli.printing import fields, heading, say

    fields([("file", file.shape), ("scale", str(scale))])
    for name, one in found.items():
        if file.dimensions == [SINGLE]:
            say()
        else:
            heading(name)
        print_coefficients(one)
