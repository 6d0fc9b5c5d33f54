"""Reading guide to the numbers of a report."""

from typing import NamedTuple

from ocrjury.grades import COMMON
from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import NOTHING, decimal, percent, plural
from ocrjury.report.data import ReportData
from ocrjury.report.sections.sampling import Sampling
from ocrjury.statistics import statistic


class Reading(NamedTuple):
    """Meaning of a range or a word."""

    name: str
    text: str


RANGE = Reading(
    phrase("95% range"),
    phrase(
        "contains the true value in about 95 of 100 such evaluations. We give two: for comparable "
        "raters and for these."
    ),
)
OTHERS = Reading(
    phrase("Other raters like these"),
    phrase(
        "the average rating of the whole pool by comparable raters; a rater who scatters far more "
        "than the others counts less. The range covers the choice of items and of raters, and the "
        "chance in ratings."
    ),
)
THESE = Reading(
    phrase("These raters"),
    phrase(
        "the average rating of the whole pool by these raters, each counting alike, without gold. "
        "The range covers the choice of items and the chance in these raters’ ratings, and says "
        "nothing about other raters."
    ),
)
ONLY = Reading(
    phrase("95% interval"),
    phrase(
        "contains the value of all items like these in about 95 of 100 such sets of items. Nobody "
        "knows how these were chosen, so it says nothing about any other pool."
    ),
)
AGREEMENT = Reading(
    phrase("Agreement"),
    phrase("its range counts the choice of items, for the raters who rated them."),
)
RATING = Reading(
    phrase("Rating"), phrase("the value that one rater gave one item on one dimension.")
)
ASSIGNMENT = Reading(
    phrase("Assignment"),
    phrase("one item given to one rater, who rates it on every dimension."),
)
SILENCE = phrase(
    "Where the data have no answer, the reason is printed in place of a number. A colour only "
    "repeats what a word or a shape says."
)


def readings(report: ReportData) -> list[Reading]:
    """Meaning of the ranges and words of this report."""
    if report.get(Sampling) is None:
        return [ONLY, AGREEMENT, RATING]
    return [RANGE, OTHERS, THESE, AGREEMENT, RATING, ASSIGNMENT]


GRADES = phrase(
    "A grade is one of five words, from the value in its column on; below all of them it is poor. "
    "Sources say almost perfect or reliable for excellent, substantial for good, tentative for "
    "moderate, and slight or unreliable for poor."
)


def excerpt_text(excerpt: tuple[int, int]) -> str:
    """Note on sections that were left out.

    >>> excerpt_text((3, 14))
    'An excerpt: 3 of the 14 sections of the report. Sections that the text names may be missing.'
    """
    printed, whole = excerpt
    return tr(
        "An excerpt: {printed} of the {sections} of the report. Sections that the text names may "
        "be missing.",
        printed=printed,
        sections=plural(whole, "section"),
    )


def legend() -> list[tuple[int, str]]:
    """Grades with their levels, which colours repeat, the best first."""
    return list(reversed(list(enumerate(COMMON))))


def lowest(key: str | None) -> list[str]:
    """Value from which a statistic has each grade but the lowest, the best grade first.

    None is for what nobody grades.

    >>> lowest("krippendorff_alpha")
    ['0.80', '—', '0.667', '—']
    """
    row = None if key is None else statistic(key)
    if row is None or row.grades is None:
        return [NOTHING] * (len(COMMON) - 1)
    ends = {grade.level: low for low, grade in row.grades.steps if grade.level}
    return [_end(ends.get(level), share=row.is_share) for level in range(len(COMMON) - 1, 0, -1)]


def _end(value: float | None, *, share: bool) -> str:
    if value is None or share:
        return percent(value, 0)
    return decimal(value, 2 if round(value, 2) == value else 3)
