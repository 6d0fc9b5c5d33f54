"""The colour of a score, always said with a word."""

from typing import Final, Literal, NamedTuple

from ocrjury.frontends.web.desk.bodies import Colour
from ocrjury.pages.bands import band

Score = Literal["human_agreement", "exact_agreement"]
FLOORS: Final[tuple[tuple[float, Colour], ...]] = (
    (0.75, "green"),
    (0.60, "yellow"),
    (0.50, "orange"),
)


class Tone(NamedTuple):
    """A colour, and the word that says the same."""

    colour: Colour
    word: str


def tone(score: float | None, statistic: Score = "human_agreement") -> Tone:
    """Return the colour and the word of a score.

    Examples
    --------
    >>> tone(0.75), tone(0.749), tone(0.5).colour, tone(0.2)
    (Tone(colour='green', word='good'), Tone(colour='yellow', word='moderate'), 'orange', \
Tone(colour='red', word='poor'))
    >>> tone(None)
    Tone(colour='none', word='undefined')
    """
    found = None if score is None else band(statistic, score)
    if score is None or found is None:
        return Tone("none", "undefined")
    colour = next((name for floor, name in FLOORS if score >= floor), "red")
    return Tone(colour, found.word)  # type: ignore[arg-type]  # next() forgets the literals
