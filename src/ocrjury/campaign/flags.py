"""Flags: why a rater gives no rating on a dimension, and what is wrong with an item."""

from typing import Final, Literal, get_args

CannotJudge = Literal["cannot_judge"]
"""The flag that says something about a dimension, and nothing about the item."""
ItemProblem = Literal["unreadable", "wrong_image", "wrong_reference", "privacy", "other"]
"""Reasons why a rater reports an item, or a lead excludes it."""

CANNOT_JUDGE: Final[CannotJudge] = "cannot_judge"
ITEM_PROBLEMS: Final[tuple[ItemProblem, ...]] = get_args(ItemProblem)
FLAGS: Final[tuple[str, ...]] = (CANNOT_JUDGE, *ITEM_PROBLEMS)
"""Reasons why a dimension has no rating."""
