"""Number of items of a round that get two or more raters: the only definition of it."""

import math

DOUBLE_SHARE = 0.2
"""Recommended share of items rated by two or more raters."""
DOUBLE_ITEMS = 77
"""Items with two ratings that show a coefficient of agreement near .8 to within .08."""


def double_rated_items(items: int, *, share: float = DOUBLE_SHARE) -> int:
    """Number of items that get two or more raters.

    Parameters
    ----------
    items
        Items of the round.
    share
        Requested share. Any share above 0 means at least `DOUBLE_ITEMS`, or all items
        if there are fewer; 0 means none.

    Examples
    --------
    >>> double_rated_items(1000), double_rated_items(200), double_rated_items(50)
    (200, 77, 50)
    >>> double_rated_items(200, share=1.0), double_rated_items(200, share=0.0)
    (200, 0)
    """
    if share <= 0:
        return 0
    # 1e-9: a whole number must not become the next one by rounding.
    return min(items, max(math.ceil(share * items - 1e-9), DOUBLE_ITEMS))
