"""How the next ratings are chosen unless a campaign or a notebook says otherwise."""

from typing import Final

TARGET_CONFIDENCE: Final = 0.9
"""Confidence from which on the label of an item is certain."""

EXPLORE: Final = 0.2
"""Share of the ratings for items drawn at random."""

CAP: Final = 6
"""Largest number of ratings of an item; a campaign asks for fewer."""
