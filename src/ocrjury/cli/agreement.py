"""``ocrjury agreement``: how well the raters of a CSV file agree."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ocrjury.cli.agreement_questions import add_questions, question_of, ratings_asked
from ocrjury.cli.count_tables import TABLES, read_count_table, read_crosstab_ratings
from ocrjury.cli.declaring import Commands, Parser, add_command, composed
from ocrjury.cli.printing import fields, say_json
from ocrjury.cli.scale_option import FORMS
from ocrjury.ratings.export_columns import CLUSTER
from ocrjury.scales import Scales
from ocrjury.statistics import grade, statistic

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.findings.ratings import RatingsFinding
    from ocrjury.ratings import RatingTable

AGREEMENT = """coefficients with intervals of any CSV of ratings

Do the raters of a CSV file agree? No campaign and no store needed.

The file is long (columns item, rater, rating and perhaps dimension; or item, rater and one
column for each dimension) or wide (one row per item, one column per rater, perhaps the items'
names in the first column). Empty cells, NA, * and . are missing ratings. A long file may have
columns session, position or submitted_at, which tell the order in which raters worked. A file whose
items stand in several rows and whose raters are in a column such as annotator or coder is long too;
the first line says how a file was read, and --item, --rater and --rating name columns.

Of an export of an evaluation, the ratings count that its gate uses: first-pass ratings of main
rounds, weighted as the items were drawn. What is left out is printed; --every-row takes all rows
alike, and --where others. Items that were drawn together, such as the outputs of one page, count
as one draw in every interval; in other files, --cluster names the column that tells. The bounds
of the verdict are those of the look that the gate took; other ratings that were judged before,
with fewer items, are at --look 2 of --looks 2.

With --table the file is a published table of counts. crosstab: rows are the categories of one
rater, named in the first column, columns those of the other; cells count items. counts: one row
per item, one column per category; cells count raters, and nothing that compares raters is known.

The scale is declared, never guessed from the values that happen to occur; --scale NAME=SCALE
declares that of one dimension, and may be repeated. docs/agreement.md
says what the numbers mean, and names every key of --json.

The exit code is that of the verdict: 0 PASS, 1 FAIL, 3 INCONCLUSIVE; 2 is bad input. --exit-zero
makes it 0 whatever the verdict is.

ocrjury agreement ratings.csv --scale likert:1:5
ocrjury agreement ratings.csv --scale likert:1:5 --full
ocrjury agreement ratings.csv --scale binary --ci bootstrap
ocrjury agreement ratings.csv --scale nominal:stamp,text,table
ocrjury agreement ratings.csv --scale likert:1:5 --dimension layout --json
ocrjury agreement ratings.csv --scale likert:1:5 --scale usable=binary --scale ease=interval:0:100
ocrjury agreement ratings.csv --scale likert:1:5 --policy strict --judge model-a
ocrjury agreement ratings.csv --scale likert:1:5 --cluster page
ocrjury agreement psychiatrists.csv --table crosstab --scale nominal
ocrjury agreement labels.csv --scale binary --item doc --rater annotator --rating label
ocrjury agreement exported.csv --scale likert:1:5                 # of `ocrjury ratings export`
ocrjury agreement exported.csv --scale likert:1:5 --where kind=adaptive"""


class Measured(NamedTuple):
    """Agreement in a file by a seed, its scale and shape, and whether it is an export."""

    finding: "RatingsFinding"
    scale: Scales
    shape: str
    seed: int
    exported: bool = False


EXIT_CODES: Final = {"PASS": 0, "FAIL": 1, "INCONCLUSIVE": 3}


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "agreement", AGREEMENT, run=run_agreement)
    parser.add_argument("file", type=Path, help="CSV, UTF-8 or CP949")
    add_file_options(parser)
    parser.add_argument("--table", choices=TABLES, help="the file counts ratings [it lists them]")
    add_questions(parser)
    parser.add_argument("--full", action="store_true", help="print every pair, item and form too")
    parser.add_argument(
        "--json", action="store_true", help="print JSON; undefined is null, intervals uncut"
    )
    add_exit_zero(parser)


def add_exit_zero(parser: Parser) -> None:
    """Add the option for callers that want no verdict as exit code."""
    parser.add_argument(
        "--exit-zero",
        action="store_true",
        help="exit with 0, not with 1 for FAIL and 3 for INCONCLUSIVE",
    )


def add_file_options(parser: Parser) -> None:
    """Add the options that say what the cells of a file mean."""
    parser.add_argument(
        "--scale",
        type=composed,
        action="append",
        metavar="[NAME=]SCALE",
        help=f"{FORMS}; needed; NAME= before it: of that dimension only",
    )
    for name in ("item", "rater", "rating"):
        parser.add_argument(
            f"--{name}", type=composed, metavar="COLUMN", help=f"column of the {name} [{name}]"
        )
    parser.add_argument(
        "--cluster",
        type=composed,
        metavar="COLUMN",
        help="column of the page, or of what else items were drawn in together "
        "[an export's own, else none]",
    )
    parser.add_argument(
        "--every-row", action="store_true", help="of an export: also rows that do not count"
    )


def run_agreement(options: argparse.Namespace) -> int:
    """Print what the ratings of a file agree on; the exit code is that of the verdict."""
    from ocrjury.cli.agreement_tables import print_finding

    measure = _measured_counts if options.table == "counts" else _measured
    finding, scale, shape, seed, exported = measure(options)
    if options.json:
        options_asked = {"ci": options.ci, "seed": seed}
        about = {
            "file": str(options.file),
            "shape": shape,
            "scale": _in_json(scale),
            **options_asked,
        }
        say_json({**about, **_body(finding)})
    else:
        fields([("file", shape), ("scale", _in_words(scale))])
        own = exported and (options.look, options.looks) == (None, None)
        print_finding(finding, scale, full=options.full, exported=exported, gates_look=own)
    return 0 if options.exit_zero else EXIT_CODES[finding.verdict.decision]


def _measured(options: argparse.Namespace) -> Measured:
    """Agreement of ratings, given one by one or as a cross table; their scale and shape."""
    from ocrjury.findings.measurement.ratings import measure_ratings

    counted = read_crosstab_ratings(options) if options.table == "crosstab" else None
    ratings = ratings_asked(options, options.file, counted=counted)
    finding = measure_ratings(
        ratings.frame,
        weighted_tables(ratings.frame, ratings.scale),
        scale=ratings.scale,
        question=ratings.question,
    )
    shape = ratings.shape if ratings.basis is None else f"{ratings.shape}; {ratings.basis}"
    seed = ratings.question.seed
    return Measured(finding, ratings.scale, shape, seed, exported=ratings.exported)


def _measured_counts(options: argparse.Namespace) -> Measured:
    """Agreement of raters of whom only counts are known; the scale and the file's shape."""
    from ocrjury.findings.measurement.ratings import measure_count_table

    table = read_count_table(options)
    question = question_of(options, {})
    finding = measure_count_table(table, question=question)
    shape = f"counts, {table.n_items} items by {len(table.scale.categories)} categories"
    return Measured(finding, table.scale, shape, question.seed)


def weighted_tables(frame: "pd.DataFrame", scale: Scales) -> "dict[str, RatingTable]":
    """Ratings by dimension, with the weights and clusters of items if there are any."""
    from ocrjury.ratings import rating_tables
    from ocrjury.ratings.export_columns import ITEM_WEIGHT

    weight, cluster = (name if name in frame.columns else None for name in (ITEM_WEIGHT, CLUSTER))
    return rating_tables(frame, scale=scale, item_weight=weight, cluster=cluster)


def _in_json(scale: Scales) -> str | dict[str, str]:
    """Scale in words, or that of each dimension."""
    if isinstance(scale, Mapping):
        return {name: str(own) for name, own in scale.items()}
    return str(scale)


def _in_words(scale: Scales) -> str:
    """Scale in words, or those of the dimensions in one line."""
    if isinstance(scale, Mapping):
        return "; ".join(f"{name}: {own}" for name, own in scale.items())
    return str(scale)


def _body(finding: "RatingsFinding") -> dict[str, Any]:
    """The finding as JSON, with name and grade of each coefficient, and what decides."""
    from ocrjury.cli.coefficient_tables import coefficients

    body = finding.to_json()
    body["verdict"]["worst_dimension"] = finding.verdict.worst
    for row, dimension in zip(body["dimensions"], finding.dimensions, strict=True):
        graded = {
            key: grade(key, estimate.value) for key, estimate in coefficients(dimension).items()
        }
        for key, estimate in row["estimates"].items():
            estimate["label"] = str(statistic(key).label)
        row["grades"] = {key: graded_row.common for key, graded_row in graded.items() if graded_row}
    body["dimensions"] = {row["dimension"]: row for row in body["dimensions"]}
    return body
