"""Ratings of a file that are not on the scale that the command line declares, by their rows."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from ocrjury.cli.printing import remark
from ocrjury.cli.scale_option import rating_of
from ocrjury.errors import InputError
from ocrjury.problem_lists import NAMED
from ocrjury.ratings.alike_names import alike_names, summary_names
from ocrjury.ratings.files import WIDE, RatingFile
from ocrjury.scales import Scale, Scales, scale_of

_NO_RATINGS: Final = (
    "The file was read as long, with a column for each dimension. If the column holds no ratings, "
    "remove it, or name one that does with --dimension."
)
_OTHER_NUMBER: Final = re.compile(r"[+-]?\d{1,3}(?:[.,\s]\d{3})*,\d+|[+-]?\d+,\d+")
_WORDS_OF_YES: Final = frozenset({"true", "yes", "y", "t", "wahr", "vrai", "예", "참", "是", "真"})
_NO_RATINGS_ELSEWHERE: Final = frozenset(
    {"-", "--", "–", "—", "?", "#n/a", "<na>", "nat", "null", "none", "missing", "없음"}
)


def check_on_scale(file: RatingFile, scale: Scales, *, source: Path) -> None:
    """Refuse ratings outside their scale, and name the first rows.

    A word among numbers may mean that the file was read the wrong way: a wide file may be long,
    with columns of other names; a column of a long one may hold no rating.

    Raises
    ------
    InputError
        Names file, rows and ratings, how the file was read, and what to do.
    """
    strange = {
        (name, cell)
        for name, cells in file.cells.items()
        for cell in cells
        if not _is_on(cell, scale_of(scale, name))
    }
    if not strange:
        return
    cells = zip(file.dimension, file.rating, strict=True)
    places = [place for place, cell in enumerate(cells) if cell in strange]
    _refuse_words(file, scale, places, source=source)
    words = " and ".join(sorted({str(scale_of(scale, name)) for name, _ in strange}))
    hint = _hint(cell for _, cell in strange)
    if len(places) == 1:
        raise InputError(
            f"{source}, {_rating(file, places[0])}, which is outside the scale ({words}). The "
            f"file was read as {file.shape}. Correct the rating, or declare its scale with --scale."
            f"{hint}"
        )
    lines = [f"\n- {_rating(file, place)}" for place in places[:NAMED]]
    lines += [f"\n- and {len(places) - NAMED:,} more"] * (len(places) > NAMED)
    raise InputError(
        f"{source} has {len(places):,} ratings outside the scale ({words}):{''.join(lines)}\n"
        f"The file was read as {file.shape}. Correct the ratings, or declare their scale with "
        f"--scale.{hint}"
    )


def tell_doubtful_names(file: RatingFile, *, source: Path) -> None:
    """Remark names of a file that may be one under two names, or none of what was rated."""
    kinds = {"item": file.item, "rater": file.rater, "dimension": file.dimensions}
    for what, names in kinds.items():
        for name in summary_names(names):
            remark(
                f"{source}: the {what} {name!r} counts like any other; if it holds totals or "
                "means, remove it."
            )
        pairs = alike_names(names)
        if pairs:
            (name, other), *_ = pairs
            remark(
                f"{source}: the {what}s {name!r:.60} and {other!r:.60} differ only in capitals, "
                f"spaces or zeros{_and_more(len(pairs) - 1)}. They count as different "
                f"{what}s; if they are one, write them alike."
            )


def _and_more(number: int) -> str:
    """Number of other pairs, empty without any."""
    return f", as do {number:,} more pairs" if number > 1 else ", as does one more" * number


def _hint(cells: Iterable[str]) -> str:
    """Sentence on how ratings are written, where strange cells show a usual other way."""
    lower = {cell.lower() for cell in cells}
    if any(_OTHER_NUMBER.fullmatch(cell) for cell in lower):
        return " Write a point before decimals, and nothing between thousands: 1234.5."
    if lower & _WORDS_OF_YES:
        return " On a binary scale write 1 for yes and 0 for no."
    if lower & _NO_RATINGS_ELSEWHERE:
        return " Where there is no rating, leave the cell empty."
    return ""


def _is_on(cell: str, scale: Scale) -> bool:
    """Whether a cell is a rating on a scale."""
    rating = rating_of(cell, scale)
    if scale.kind == "interval":
        return isinstance(rating, int | float) and scale.low <= rating <= scale.high
    return rating in scale.codes


def _rating(file: RatingFile, place: int) -> str:
    """A rating with its row, rater, item and dimension, as far as the file has several."""
    on = f" on {file.dimension[place]}" if len(file.dimensions) > 1 else ""
    return (
        f"row {file.row[place]}: {file.rater[place]} gave item {file.item[place]!r:.60} "
        f"{file.rating[place]!r:.60}{on}"
    )


def _refuse_words(file: RatingFile, scale: Scales, places: Sequence[int], *, source: Path) -> None:
    """Refuse a word among numbers in a column that the file's shape makes one of ratings."""
    wide = file.shape.startswith("wide")
    if not wide and not file.shape.startswith("long, with"):
        return
    for place in places:
        own, cell = scale_of(scale, file.dimension[place]), file.rating[place]
        if own.ordered and isinstance(rating_of(cell, own), str):
            column = file.rater[place] if wide else file.dimension[place]
            reading = WIDE if wide else _NO_RATINGS
            raise InputError(
                f"{source}, row {file.row[place]}: {cell!r:.60} in the column {column!r}, for item "
                f"{file.item[place]!r:.60}, is not on the scale ({own}). {reading}"
            )
