"""The scores of automatic judges in a file of ratings, apart from those of people.

A judge is a column of the file, whose cell counts for the item of its row, or one of the raters.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from ocrjury.cli.scale_option import rating_of
from ocrjury.errors import InputError
from ocrjury.ratings.files import MISSING, RatingFile
from ocrjury.scales import Scales, scale_of

Scores = dict[str, dict[Hashable, Any]]
"""Score of each item, by dimension."""


def split_judges(
    file: RatingFile, judges: Sequence[str], scale: Scales
) -> tuple[RatingFile, dict[str, Scores]]:
    """Ratings of people, and the scores of every judge.

    Raises
    ------
    InputError
        For a name that is neither column nor rater, if nobody but judges rated, or if a judge
        scores an item twice.
    """
    for name in judges:
        if name not in file.aside and name not in file.raters:
            raise InputError(
                f"there is no judge {name!r}: no column is called so, and no rater. The columns "
                f"are {', '.join(file.aside) or 'none but those of the ratings'}; the raters "
                f"{', '.join(file.raters)}."
            )
    people = file.kept([rater not in judges for rater in file.rater]) if judges else file
    if not people.rating:
        raise InputError("every rating is a judge's; name as --judge only those who are no people.")
    return people, {name: _scores(file, name, scale) for name in judges}


def _scores(file: RatingFile, judge: str, scale: Scales) -> Scores:
    cells = file.aside.get(judge)
    if cells is None:
        file = file.kept([rater == judge for rater in file.rater])
        cells = file.rating
    return _by_dimension(judge, zip(file.dimension, file.item, cells, strict=True), scale)


def _by_dimension(judge: str, cells: Iterable[tuple[str, str, str]], scale: Scales) -> Scores:
    """Scores; an item's must be one and the same wherever they stand."""
    scores: Scores = {}
    for dimension, item, cell in cells:
        if cell.lower() in MISSING:
            continue
        score = rating_of(cell, scale_of(scale, dimension))
        known = scores.setdefault(dimension, {}).setdefault(item, score)
        if known != score:
            raise InputError(
                f"judge {judge!r} scores item {item!r} on {dimension} twice: {known} and {score}. "
                "Give every item one score."
            )
    return scores
