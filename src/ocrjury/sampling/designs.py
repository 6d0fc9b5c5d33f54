"""Designs of a sample, the components of which each is made, and rules for the risk."""

from collections.abc import Mapping
from typing import Final, Literal, get_args

from ocrjury.language import Phrase, phrase

Design = Literal["mixture", "stratified", "target"]
Risk = Literal["auto", "cer", "confidence", "judge", "borderline", "combined"]
Component = Literal["random", "stratified", "error_focused"]
COMPONENTS: Final[tuple[Component, ...]] = get_args(Component)
PART_NAMES: Final[Mapping[Component, Phrase]] = {
    "random": phrase("Random"),
    "stratified": phrase("Stratified"),
    "error_focused": phrase("Error-focused"),
}
