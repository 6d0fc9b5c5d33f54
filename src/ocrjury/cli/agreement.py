"""``ocrjury agreement``: how well the raters of a CSV file agree."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ocrjury.cli.declaring import Commands, Parser, add_command
from ocrjury.cli.judge_scores import split_judges
from ocrjury.cli.printing import fields, say_json
from ocrjury.cli.scale_option import FORMS, declared_scale, rating_of, scale_hint, weight_of
from ocrjury.errors import InputError
from ocrjury.ratings.files import ORDER, Names, RatingFile, read_ratings
from ocrjury.scales import Scale
from ocrjury.statistics import grade

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.findings.ratings import RatingsFinding
    from ocrjury.ratings import RatingTable

AGREEMENT = """coefficients with intervals of any CSV of ratings

Do the raters of a CSV file agree? No campaign and no store needed.

The file is long (columns item, rater, rating and perhaps dimension; or item, rater and one
column for each dimension) or wide (one row per item, one column per rater, perhaps the items'
names in the first column). Empty cells, NA, * and . are missing ratings. A long file may have
columns session, position or submitted_at, which tell the order in which raters worked.

The scale is declared, never guessed from the values that happen to occur. docs/agreement.md
says what the numbers mean, and names every key of --json.

The exit code is that of the verdict: 0 PASS, 1 FAIL, 3 INCONCLUSIVE; 2 is bad input. --exit-zero
makes it 0 whatever the verdict is.

ocrjury agreement ratings.csv --scale likert:1:5
ocrjury agreement ratings.csv --scale likert:1:5 --full
ocrjury agreement ratings.csv --scale binary --ci bootstrap
ocrjury agreement ratings.csv --scale nominal:stamp,text,table
ocrjury agreement ratings.csv --scale likert:1:5 --dimension layout --json
ocrjury agreement ratings.csv --scale likert:1:5 --policy strict --judge model-a
ocrjury agreement labels.csv --scale binary --item doc --rater annotator --rating label
ocrjury agreement exported.csv --scale likert:1:5 --where kind=main --where repeat=0"""
POLICIES: Final = ("default", "strict", "kappa", "gdpval", "anytime")
EXIT_CODES: Final = {"PASS": 0, "FAIL": 1, "INCONCLUSIVE": 3}
_EXACT: Final = 1 << 53  # whole numbers below this are floats without rounding
COMPOSITES: Final = ("mean", "weighted", "pca")


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "agreement", AGREEMENT, run=run_agreement)
    parser.add_argument("file", type=Path, help="CSV, UTF-8 or CP949")
    add_file_options(parser)
    parser.add_argument("--dimension", help="only this one [all]")
    parser.add_argument(
        "--ci",
        choices=("jackknife", "bootstrap", "none"),
        default="jackknife",
        help="how intervals are made; none: published errors where there are any [jackknife]",
    )
    parser.add_argument("--seed", type=int, default=0, help="of bootstrap and bias tests [0]")
    _add_questions(parser)
    parser.add_argument("--full", action="store_true", help="print every pair, item and form too")
    parser.add_argument(
        "--json", action="store_true", help="print JSON; undefined is null, intervals uncut"
    )
    add_exit_zero(parser)


def _add_questions(parser: Parser) -> None:
    """Add the options that ask for more than coefficients."""
    parser.add_argument(
        "--policy", choices=POLICIES, default="default", help="of the gate [default]"
    )
    parser.add_argument(
        "--threshold",
        type=float,
        metavar="POINTS",
        help="list items whose ratings lie so far apart [2 on likert, half of interval, else any]",
    )
    parser.add_argument(
        "--judge",
        action="append",
        default=[],
        metavar="NAME",
        help="an automatic judge: a column with its scores, or one of the raters",
    )
    parser.add_argument(
        "--item-weight",
        metavar="COLUMN",
        help="weight of the row's item, such as one over its inclusion probability [all alike]",
    )
    parser.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="COLUMN=CELL",
        help="only the rows with this cell",
    )
    parser.add_argument(
        "--composite",
        choices=COMPOSITES,
        default="mean",
        help="how several dimensions become one score [mean]",
    )
    parser.add_argument(
        "--dimension-weights",
        metavar="NAME=WEIGHT,...",
        help="of the composite score; implies --composite weighted",
    )


def add_exit_zero(parser: Parser) -> None:
    """Add the option for callers that want no verdict as exit code."""
    parser.add_argument(
        "--exit-zero",
        action="store_true",
        help="exit with 0, not with 1 for FAIL and 3 for INCONCLUSIVE",
    )


def add_file_options(parser: Parser) -> None:
    """Add the options that say what the cells of a file mean."""
    parser.add_argument("--scale", help=f"{FORMS}; needed")
    for name in ("item", "rater", "rating"):
        parser.add_argument(f"--{name}", metavar="COLUMN", help=f"column of the {name} [{name}]")


def run_agreement(options: argparse.Namespace) -> int:
    """Print what the ratings of a file agree on; the exit code is that of the verdict."""
    from ocrjury.cli.agreement_tables import print_finding
    from ocrjury.findings.measurement.ratings import Question, measure_ratings

    if options.seed < 0:
        raise InputError(f"--seed is 0 or more; found {options.seed}.")
    file, scale = read_declared(
        options,
        options.file,
        aside=[*options.judge, *([options.item_weight] if options.item_weight else [])],
        where=dict(_pair(text, "--where COLUMN=CELL") for text in options.where),
    )
    people, judges = split_judges(_of_dimension(file, options.dimension), options.judge, scale)
    weights = None
    if options.dimension_weights is not None:
        parts = options.dimension_weights.split(",")
        pairs = (_pair(part, "--dimension-weights NAME=WEIGHT,...") for part in parts)
        weights = {name: weight_of(cell, name) for name, cell in pairs}
    question = Question(
        ci=None if options.ci == "none" else options.ci,
        seed=options.seed,
        policy=options.policy,
        threshold=options.threshold,
        methods=(options.composite if weights is None else "weighted",),
        dimension_weights=weights,
        variants=True,
        divided_kept=None,
        judges=judges,
    )
    frame = with_context(people, scale, weight=options.item_weight)
    tables = _tables(frame, scale)
    finding = measure_ratings(frame, tables, scale=scale, question=question)
    if options.json:
        asked = {"ci": options.ci, "seed": options.seed}
        about = {"file": str(options.file), "shape": file.shape, "scale": str(scale), **asked}
        say_json({**about, **_body(finding)})
    else:
        fields([("file", file.shape), ("scale", str(scale))])
        print_finding(finding, scale, full=options.full)
    return 0 if options.exit_zero else EXIT_CODES[finding.verdict.decision]


def _tables(frame: "pd.DataFrame", scale: Scale) -> "dict[str, RatingTable]":
    """Ratings by dimension, with the weights of items if there are any."""
    from ocrjury.findings.measurement.ratings import WEIGHT
    from ocrjury.ratings import RatingTable

    weight = WEIGHT if WEIGHT in frame.columns else None
    return {
        str(name): RatingTable.from_long(rows, scale=scale, item_weight=weight)
        for name, rows in frame.groupby("dimension", sort=False)
    }


def _body(finding: "RatingsFinding") -> dict[str, Any]:
    """The finding as JSON, with the grade of each coefficient and the dimension that decides."""
    from ocrjury.cli.coefficient_tables import coefficients

    body = finding.to_json()
    body["verdict"]["worst_dimension"] = finding.verdict.worst
    for row, dimension in zip(body["dimensions"], finding.dimensions, strict=True):
        graded = {
            key: grade(key, estimate.value) for key, estimate in coefficients(dimension).items()
        }
        row["grades"] = {key: found.word for key, found in graded.items() if found}
    body["dimensions"] = {row["dimension"]: row for row in body["dimensions"]}
    return body


def read_declared(
    options: argparse.Namespace,
    path: Path,
    *,
    aside: Sequence[str] = (),
    where: Mapping[str, str] | None = None,
) -> tuple[RatingFile, Scale]:
    """Ratings of a file and the scale that the command line declares for them."""
    names = Names(options.item, options.rater, options.rating)
    file = read_ratings(path, names=names, aside=aside, where=where)
    if options.scale is None:
        raise InputError(f"Declare the scale with --scale; {scale_hint(file.rating)}.")
    return file, declared_scale(options.scale, file.rating)


def rating_frame(file: RatingFile, scale: Scale) -> "pd.DataFrame":
    """Ratings as a long frame item, rater, dimension, rating."""
    import pandas as pd

    values = {cell: rating_of(cell, scale) for cell in set(file.rating)}
    whole = all(type(value) is int and abs(value) < _EXACT for value in values.values())
    columns = {"item": file.item, "rater": file.rater, "dimension": file.dimension}
    ratings = [values[cell] for cell in file.rating]
    return pd.DataFrame(columns, dtype=object).assign(
        rating=pd.Series(ratings, dtype=int if whole else object)
    )


def with_context(file: RatingFile, scale: Scale, *, weight: str | None = None) -> "pd.DataFrame":
    """Ratings with their order and the weights of their items, as far as known."""
    from ocrjury.findings.measurement.ratings import WEIGHT

    frame = rating_frame(file, scale)
    for name, cells in file.aside.items():
        if name.lower() in ORDER:
            frame[name.lower()] = [cell or None for cell in cells]
    if weight is not None:
        if weight not in file.aside:
            raise InputError(
                f"there is no column {weight!r} beside the ratings; there is "
                f"{', '.join(file.aside) or 'none'}."
            )
        frame[WEIGHT] = [weight_of(cell, weight) for cell in file.aside[weight]]
    return frame


def _of_dimension(file: RatingFile, dimension: str | None) -> RatingFile:
    """Ratings of one dimension, of all without a name."""
    if dimension is None:
        return file
    if dimension not in file.dimensions:
        raise InputError(
            f"there is no dimension {dimension!r} in the file; there is "
            f"{', '.join(file.dimensions)}."
        )
    return file.kept([name == dimension for name in file.dimension])


def _pair(text: str, form: str) -> tuple[str, str]:
    name, equals, cell = text.partition("=")
    if not equals or not name.strip():
        raise InputError(f"{form} has a name and a cell around its equals sign; found {text!r}.")
    return name.strip(), cell.strip()
