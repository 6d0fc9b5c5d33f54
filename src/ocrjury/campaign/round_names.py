"""Kinds of rounds as they are printed."""

from collections.abc import Callable, Mapping
from typing import Final

from ocrjury.campaign.history import RoundKind
from ocrjury.language import Phrase, counted, phrase

ROUND_NAMES: Final[Mapping[RoundKind, Phrase]] = {
    "pilot": phrase("pilot"),
    "main": phrase("main"),
    "adaptive": phrase("adaptive"),
    "adjudication": phrase("adjudication"),
    "panel": phrase("panel"),
}
COUNTED_ROUNDS: Final[Mapping[RoundKind, Callable[[int], Phrase]]] = {
    "pilot": lambda n: counted(n, "pilot round"),
    "main": lambda n: counted(n, "main round"),
    "adaptive": lambda n: counted(n, "adaptive round"),
    "adjudication": lambda n: counted(n, "adjudication round"),
    "panel": lambda n: counted(n, "panel round"),
}
"""Number of rounds of each kind, in words."""
