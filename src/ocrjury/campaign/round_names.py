"""Kinds of rounds as they are printed."""

from collections.abc import Callable, Mapping
from typing import Final, Literal

from ocrjury.campaign.history import RoundKind
from ocrjury.language import Phrase, counted, phrase

RoundForm = RoundKind | Literal["expert"]
"""A kind of round; a panel of one person is an expert."""

ROUND_NAMES: Final[Mapping[RoundForm, Phrase]] = {
    "pilot": phrase("pilot"),
    "main": phrase("main"),
    "adaptive": phrase("adaptive"),
    "adjudication": phrase("adjudication"),
    "panel": phrase("panel"),
    "expert": phrase("one expert"),
}
COUNTED_ROUNDS: Final[Mapping[RoundForm, Callable[[int], Phrase]]] = {
    "pilot": lambda n: counted(n, "pilot round"),
    "main": lambda n: counted(n, "main round"),
    "adaptive": lambda n: counted(n, "adaptive round"),
    "adjudication": lambda n: counted(n, "adjudication round"),
    "panel": lambda n: counted(n, "panel round"),
    "expert": lambda n: counted(n, "round of one expert", "rounds of one expert"),
}
"""Number of rounds of each kind, in words."""
