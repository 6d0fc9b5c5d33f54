"""Ratings of a file, by the scales and columns that the command line declares."""

import argparse
from collections.abc import Mapping, Sequence
from itertools import chain
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ocrjury.cli.scale_option import declared_scales, rating_of, scale_hint
from ocrjury.errors import InputError
from ocrjury.plain_numbers import plain_number
from ocrjury.ratings.export_columns import CLUSTER, HEADLINE, LOOK, LOOKS, ROUND, SEED, SESSION
from ocrjury.ratings.files import ORDER, Names, RatingFile, read_ratings
from ocrjury.scales import Scales, scale_of

if TYPE_CHECKING:
    import pandas as pd

_EXACT: Final = 1 << 53  # whole numbers below this are floats without rounding


def read_declared(
    options: argparse.Namespace,
    path: Path,
    *,
    aside: Sequence[str] = (),
    where: Mapping[str, str] | None = None,
    dimension: str | None = None,
) -> tuple[RatingFile, Scales]:
    """Ratings of a file, or of one dimension, and the scales that the command line declares."""
    names = Names(options.item, options.rater, options.rating)
    every, aside = options.every_row, [*aside, *([options.cluster] if options.cluster else [])]
    whole = read_ratings(path, names=names, aside=aside, where=where, every_row=every)
    file = _of_dimension(whole, dimension)
    if options.scale is None:
        raise InputError(f"Declare the scale with --scale; {scale_hint(file.rating)}.")
    return file, declared_scales(options.scale, file.cells, others=whole.dimensions)


def rating_frame(file: RatingFile, scale: Scales) -> "pd.DataFrame":
    """Ratings as a long frame item, rater, dimension, rating."""
    import pandas as pd

    values = {
        name: {cell: rating_of(cell, scale_of(scale, name)) for cell in cells}
        for name, cells in file.cells.items()
    }
    every = chain.from_iterable(own.values() for own in values.values())
    whole = all(type(value) is int and abs(value) < _EXACT for value in every)
    columns = {"item": file.item, "rater": file.rater, "dimension": file.dimension}
    if len(values) == 1:
        (own,) = values.values()
        ratings = [own[cell] for cell in file.rating]
    else:
        pairs = zip(file.dimension, file.rating, strict=True)
        ratings = [values[name][cell] for name, cell in pairs]
    return pd.DataFrame(columns, dtype=object).assign(
        rating=pd.Series(ratings, dtype=int if whole else object)
    )


def with_context(
    file: RatingFile, scale: Scales, *, weight: str | None = None, cluster: str | None = None
) -> "pd.DataFrame":
    """Ratings with their order and the weights and clusters of their items, as far as known.

    Without ``weight`` and ``cluster`` an export of an evaluation has those that its gate uses, and
    the looks that it took.
    """
    import pandas as pd

    from ocrjury.ratings.export_columns import ITEM_WEIGHT

    weight, cluster = weight or file.weight, cluster or file.cluster
    frame = rating_frame(file, scale)
    for name, cells in file.aside.items():
        if name.lower() in ORDER:
            frame[name.lower()] = [cell or None for cell in cells]
    if file.exported and {ROUND, SESSION} <= file.aside.keys():
        # Sessions are counted anew in every round.
        pairs = zip(file.aside[ROUND], file.aside[SESSION], strict=True)
        frame[SESSION] = ["/".join(pair) for pair in pairs]
    if weight is not None:
        frame[ITEM_WEIGHT] = _weights(file, weight)
    if cluster is not None:
        # Without a cell an item is a cluster of its own.
        pairs = zip(_beside(file, cluster), file.item, strict=True)
        frame[CLUSTER] = [cell or f"{item} alone" for cell, item in pairs]
    if file.weight is not None and {LOOK, LOOKS} <= file.aside.keys():
        for name in (LOOK, LOOKS):
            frame[name] = pd.to_numeric(pd.Series(file.aside[name]), errors="coerce")
    return frame


def seed_of(file: RatingFile) -> int:
    """Seed with which an evaluation tested what it exported, 0 where that is not known."""
    seeds = set(file.aside.get(SEED, ())) if file.exported else set()
    return int(seeds.pop()) if len(seeds) == 1 and all(map(str.isdecimal, seeds)) else 0


def headline_of(file: RatingFile) -> str | None:
    """Dimension of the headline of an evaluation that exported the file, None if nothing says."""
    marks = file.aside.get(HEADLINE, ()) if file.exported else ()
    return next(
        (name for name, mark in zip(file.dimension, marks, strict=False) if mark == "1"), None
    )


def _weights(file: RatingFile, column: str) -> list[float]:
    """Weight of each rating's item; names the row of one that is none, or differs from another."""
    cells = _beside(file, column)
    number = {cell: plain_number(cell) for cell in set(cells)}
    wrong = {cell for cell, weight in number.items() if weight is None or not 0 <= weight < inf}
    if wrong:
        place = next(place for place, cell in enumerate(cells) if cell in wrong)
        raise InputError(
            f"row {file.row[place]}: the column {column!r} holds weights, numbers of 0 or more; "
            f"found {cells[place]!r:.60} for item {file.item[place]!r:.60}."
        )
    weights = [number[cell] or 0.0 for cell in cells]
    if not any(weights):
        raise InputError(f"every weight in the column {column!r} is 0, so that no item counts.")
    first: dict[tuple[str, str], int] = {}
    keys = zip(file.dimension, file.item, strict=True)
    for place, key in enumerate(keys):
        before = first.setdefault(key, place)
        if weights[before] != weights[place]:
            raise InputError(
                f"row {file.row[place]}: item {file.item[place]!r:.60} has the weight "
                f"{cells[place]!r:.60} in the column {column!r}, but {cells[before]!r:.60} in row "
                f"{file.row[before]}. An item has one weight."
            )
    return weights


def _beside(file: RatingFile, column: str) -> list[str]:
    """Cells of a column that holds no ratings, one for each rating."""
    if column not in file.aside:
        raise InputError(
            f"there is no column {column!r} beside the ratings; there is "
            f"{', '.join(file.aside) or 'none'}."
        )
    return file.aside[column]


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
