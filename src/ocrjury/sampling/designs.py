"""Designs of a sample, the components of which each is made, and rules for the risk."""

from typing import Final, Literal, get_args

Design = Literal["mixture", "stratified", "target"]
Risk = Literal["auto", "cer", "confidence", "judge", "borderline", "combined"]
Component = Literal["random", "stratified", "error_focused"]
COMPONENTS: Final[tuple[Component, ...]] = get_args(Component)
