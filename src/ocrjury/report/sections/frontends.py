"""Where raters worked, and what a round had to do without there."""

from ocrjury.campaign.capabilities import NEEDED
from ocrjury.pages.numbers import listing
from ocrjury.report.sections.rounds import Round, Rounds

_PLACES = {
    "web": "on the rating page",
    "sheets": "in spreadsheets",
    "labelstudio": "in Label Studio",
}
_CANNOT = {
    "blind": "hide raters’ work from each other",
    "per_rater_assignment": "keep raters to the items that are theirs",
    "order": "hold raters to the order of the items",
    "timing": "tell how long a rating took",
    "image": "show the page",
    "diff": "mark where the texts differ",
    "server_validation": "check a rating while it is given",
}


def texts(rounds: Rounds) -> list[str]:
    """A paragraph for every place that lacks something, or of which nothing is known.

    Simulated raters need no place; the report says on every page that they are not people.
    """
    rows: dict[str, list[Round]] = {}
    for row in rounds.rows:
        if row.frontend == "file" or (row.frontend in _PLACES and row.lacking):
            rows.setdefault(row.frontend, []).append(row)
    return [_of_file(of) if name == "file" else _of(of) for name, of in rows.items()]


def _of_file(rows: list[Round]) -> str:
    return (
        f"The ratings of {_numbers(rows)} came in files: where the raters worked, and whether they "
        "saw each other’s ratings, is not known."
    )


def _of(rows: list[Round]) -> str:
    """Capabilities that a place lacks, and the effect on the numbers."""
    lacking = rows[0].lacking
    needed = [_CANNOT[missing] for missing in lacking if missing in NEEDED]
    others = [_CANNOT[missing] for missing in lacking if missing not in NEEDED]
    place = f"{_numbers(rows).capitalize()} {'was' if len(rows) == 1 else 'were'} rated "
    place += _PLACES[str(rows[0].frontend)]
    if not needed:
        return f"{place}, which cannot {listing(others, 'or')}."
    sentence = (
        f"{place}, which cannot {listing(needed, 'or')}; the campaign allowed that. The ratings "
        "may not be independent, so raters may agree more than they would by themselves, and the "
        "ranges may be too narrow."
    )
    return f"{sentence} Nor can it {listing(others, 'or')}." if others else sentence


def _numbers(rows: list[Round]) -> str:
    numbers = [str(row.number) for row in rows]
    return f"round{'' if len(rows) == 1 else 's'} {listing(numbers)}"
