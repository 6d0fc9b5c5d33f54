"""Designs of a sample, and the components of which each is made."""

from typing import Final, Literal, get_args

Design = Literal["mixture", "stratified", "target"]
Component = Literal["random", "stratified", "error_focused"]
COMPONENTS: Final[tuple[Component, ...]] = get_args(Component)
