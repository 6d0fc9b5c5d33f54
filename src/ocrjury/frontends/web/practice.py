"""Lessons of practice: a rater's distance from known ratings by dimension, and its certainty."""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from ocrjury.campaign.guideline import guideline
from ocrjury.frontends.web.access.guests import Guest
from ocrjury.pages.catalogues import Say
from ocrjury.scales import Scale
from ocrjury.store.database import Connection
from ocrjury.store.practice import PracticeAnswer, list_practice

FEW = 3
"""Items below which nothing is said of how strict somebody is, or became."""
CLEAR = 0.25
"""Steps of a scale from which a mean difference is worth a word."""
STEPS = 10
"""Parts of a continuous scale that stand for its levels."""


class Lesson(NamedTuple):
    """A dimension and the sentences about it."""

    title: str
    sentences: Sequence[str]


def lessons_of(connection: Connection, guest: Guest) -> list[Lesson]:
    """Lessons of a rater's practice, dimension by dimension; empty without any."""
    answers = list_practice(connection, guest.link)
    rubric = guest.campaign.rubric
    practised = {answer.dimension for answer in answers}
    names = [dimension.name for dimension in rubric.dimensions if dimension.name in practised]
    guide = guideline(rubric, names, language=guest.language)
    return [
        Lesson(
            about.title,
            sentences_of(
                [answer for answer in answers if answer.dimension == about.name],
                rubric.scales[about.name],
                say=guest.say,
            ),
        )
        for about in guide.dimensions
    ]


def sentences_of(answers: Sequence[PracticeAnswer], scale: Scale, *, say: Say) -> list[str]:
    """Sentences about the answers on one dimension, the oldest first.

    Of an item that was practised several times the newest answer counts, and how that moved against
    the first.

    Examples
    --------
    >>> from ocrjury.pages.catalogues import speaker
    >>> four = [PracticeAnswer(f"d{n}", "layout", 3.0, 4.0) for n in range(4)]
    >>> sentences_of(four, Scale.likert(1, 5), say=speaker("rating", "en"))
    ['4 of 4 within one level', 'Too strict: 1.0 lower than expected on average']
    """
    first = {answer.item: answer for answer in reversed(answers)}
    last = {answer.item: answer for answer in answers}
    step = (scale.high - scale.low) / STEPS if scale.kind == "interval" else 1.0
    reach = step if scale.ordered and len(scale.categories) != 2 else 0.0
    near = sum(abs(sentence_.value - sentence_.expected) <= reach for sentence_ in last.values())
    key = "practice_exact" if not reach else "practice_near" if step == 1 else "practice_within"
    sentences = [say(key, near=near, count=len(last), step=f"{step:g}")]
    if scale.ordered:
        again = [item for item in last if last[item] is not first[item]]
        lean = [sentence_.value - sentence_.expected for sentence_ in last.values()]
        moved = [last[item].value - first[item].value for item in again]
        sentences += _leaning(lean, step, say, keys=("practice_strict", "practice_lenient"))
        sentences += _leaning(moved, step, say, keys=("practice_lower", "practice_higher"))
    return sentences


def _leaning(
    differences: Sequence[float], step: float, say: Say, *, keys: tuple[str, str]
) -> list[str]:
    """Sentence about a mean difference that is clear enough, by whether it is below or above 0."""
    if len(differences) < FEW or abs(mean := fmean(differences)) < CLEAR * step:
        return []
    return [say(keys[mean > 0], points=f"{abs(mean):.1f}", count=len(differences))]
