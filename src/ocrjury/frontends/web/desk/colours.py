"""The colour of a score, always said with a word."""

from typing import Final, Literal, NamedTuple

from ocrjury.frontends.web.desk.bodies import Colour
from ocrjury.statistics import grade

Score = Literal["human_agreement", "exact_agreement"]
COLOURS: Final[tuple[Colour, ...]] = ("red", "orange", "yellow", "green", "green")
"""By the level of a grade."""


class Tone(NamedTuple):
    """A colour, and the word that says the same."""

    colour: Colour
    word: str


def tone(score: float | None, statistic: Score = "human_agreement") -> Tone:
    """Colour and word of a score.

    Examples
    --------
    >>> tone(0.75), tone(0.749), tone(0.5).colour, tone(0.2)
    (Tone(colour='green', word='good'), Tone(colour='yellow', word='moderate'), 'orange', \
Tone(colour='red', word='poor'))
    >>> tone(None)
    Tone(colour='none', word='undefined')
    """
    graded = None if score is None else grade(statistic, score)
    return Tone("none", "undefined") if graded is None else Tone(COLOURS[graded.level], graded.word)
