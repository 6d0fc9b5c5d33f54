"""Places where raters worked, with what was missing there and images that were not as drawn."""

from ocrjury.campaign.capabilities import NEEDED
from ocrjury.language import phrase, tr, trn
from ocrjury.pages.image_words import image_texts
from ocrjury.pages.numbers import listing, paragraph
from ocrjury.report.sections.rounds import PrintedRound, Rounds

_PLACES = {
    "web": phrase("on the rating page"),
    "sheets": phrase("in spreadsheets"),
    "labelstudio": phrase("in Label Studio"),
}
_CANNOT = {
    "blind": phrase("hide raters’ work from each other"),
    "per_rater_assignment": phrase("keep raters to the items that are theirs"),
    "order": phrase("hold raters to the order of the items"),
    "timing": phrase("tell how long a rating took"),
    "image": phrase("show the page"),
    "diff": phrase("mark where the texts differ"),
    "server_validation": phrase("check a rating while it is given"),
}


def texts(rounds: Rounds) -> list[str]:
    """A paragraph for every place that lacks something, or of which nothing is known.

    Another is about page images that changed after the draw.

    Simulated raters need no place; the report says on every page that they are not people.
    """
    rows: dict[str, list[PrintedRound]] = {}
    for row in rounds.rows:
        if row.frontend == "file" or (row.frontend in _PLACES and row.lacking):
            rows.setdefault(row.frontend, []).append(row)
    places = [_of_file(of) if name == "file" else _of(of) for name, of in rows.items()]
    return [*places, *image_texts(rounds.images)]


def _of_file(rows: list[PrintedRound]) -> str:
    return trn(
        "The ratings of round {rounds} came in files: where the raters worked, and whether they "
        "saw each other’s ratings, is not known.",
        "The ratings of rounds {rounds} came in files: where the raters worked, and whether they "
        "saw each other’s ratings, is not known.",
        len(rows),
        rounds=_numbers(rows),
    )


def _of(rows: list[PrintedRound]) -> str:
    """Capabilities that a place lacks, and the effect on the numbers."""
    place, lacking = _PLACES[str(rows[0].frontend)], rows[0].lacking
    needed = [_CANNOT[missing] for missing in lacking if missing in NEEDED]
    others = [_CANNOT[missing] for missing in lacking if missing not in NEEDED]
    if not needed:
        return trn(
            "Round {rounds} was rated {place}, which cannot {lacking}.",
            "Rounds {rounds} were rated {place}, which cannot {lacking}.",
            len(rows),
            rounds=_numbers(rows),
            place=place,
            lacking=listing(others, "or"),
        )
    shared = trn(
        "Round {rounds} was rated {place}, which cannot {lacking}; the campaign allowed that. The "
        "ratings may not be independent, so raters may agree more than they would by themselves, "
        "and the ranges may be too narrow.",
        "Rounds {rounds} were rated {place}, which cannot {lacking}; the campaign allowed that. "
        "The ratings may not be independent, so raters may agree more than they would by "
        "themselves, and the ranges may be too narrow.",
        len(rows),
        rounds=_numbers(rows),
        place=place,
        lacking=listing(needed, "or"),
    )
    nor = tr("Nor can it {lacking}.", lacking=listing(others, "or")) if others else ""
    return paragraph([shared, nor])


def _numbers(rows: list[PrintedRound]) -> str:
    return listing([str(row.number) for row in rows])
