"""Tables of counts, as publications print them, for ``ocrjury agreement --table``."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ocrjury.cli.scale_option import declared_scale, rating_of, scale_hint
from ocrjury.errors import InputError
from ocrjury.ratings.count_margins import check_no_ids, check_no_totals
from ocrjury.ratings.files import RatingFile
from ocrjury.ratings.published_counts import Counts, crosstab_ratings, read_counts, read_crosstab
from ocrjury.scales import Scale

if TYPE_CHECKING:
    from ocrjury.ratings import RatingTable

TABLES: Final = ("crosstab", "counts")
_OF_RATINGS: Final = ("rater", "rating", "dimension", "judge", "item_weight", "cluster", "where")


def read_crosstab_ratings(options: argparse.Namespace) -> tuple[RatingFile, Scale]:
    """Ratings behind a cross table, and the scale that the command line declares."""
    _refuse(options, (*_OF_RATINGS, "item"))
    counts = read_crosstab(options.file)
    if _takes_names(options):
        check_no_totals(counts.columns, counts.numbers, source=options.file, crosstab=True)
    scale = _scale(options, [*counts.columns, *counts.rows])
    return crosstab_ratings(counts, source=str(options.file)), scale


def read_count_table(options: argparse.Namespace) -> "RatingTable":
    """Table of counts on the scale that the command line declares."""
    from ocrjury.ratings import RatingTable

    _refuse(options, (*_OF_RATINGS, "dimension_weights"))
    counts = read_counts(options.file, item=options.item)
    if _takes_names(options):
        check_no_totals(counts.columns, counts.numbers, source=options.file, crosstab=False)
        check_no_ids(counts.columns, counts.numbers, source=options.file)
    scale = _scale(options, counts.columns)
    if set(counts.rows) == set(counts.columns):
        raise InputError(
            f"{options.file}: rows and columns bear the same names, as in a cross table of two "
            "raters. Use --table crosstab, or rename the items."
        )
    return RatingTable.from_counts(
        _by_category(counts, scale, source=str(options.file)), scale=scale, items=counts.rows
    )


def _takes_names(options: argparse.Namespace) -> bool:
    """Whether the names of the table are to be the categories, whatever they are."""
    return options.scale is None or options.scale == ["nominal"]


def _refuse(options: argparse.Namespace, names: Sequence[str]) -> None:
    """Refuse options that speak of single ratings."""
    given = [f"--{name.replace('_', '-')}" for name in names if getattr(options, name)]
    if given:
        raise InputError(
            f"--table {options.table} reads counts, not ratings one by one; leave out "
            f"{', '.join(given)}."
        )


def _scale(options: argparse.Namespace, labels: Sequence[str]) -> Scale:
    """Declared scale; every label is one of its categories."""
    names = list(dict.fromkeys(labels))
    if options.scale is None:
        raise InputError(f"Declare the scale with --scale; {scale_hint(names)}.")
    if len(options.scale) > 1:
        raise InputError(
            f"--table {options.table} has one dimension; give one --scale. Found "
            f"{', '.join(options.scale)}."
        )
    scale = declared_scale(options.scale[0], names)
    unknown = [name for name in names if rating_of(name, scale) not in scale.codes]
    if unknown:
        raise InputError(
            f"{options.file}: {', '.join(map(repr, unknown))} is no category of the scale ({scale})"
            ". Rows and columns of a cross table, and columns of counts, are categories; --item "
            "names the column of the items."
        )
    return scale


def _by_category(counts: Counts, scale: Scale, *, source: str) -> list[list[int]]:
    """Counts with a column for every category of the scale, in its order."""
    places = {scale.codes[rating_of(name, scale)]: k for k, name in enumerate(counts.columns)}
    if len(places) < len(counts.columns):
        raise InputError(f"{source} has two columns for one category of the scale ({scale}).")
    order = [places.get(code) for code in range(len(scale.categories))]
    return [[0 if k is None else row[k] for k in order] for row in counts.numbers]
