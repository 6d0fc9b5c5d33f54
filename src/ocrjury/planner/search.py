"""The best design for a budget, the cheapest one for a width, and what helps where none will do."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ocrjury.errors import InputError
from ocrjury.planner.precision import FEWEST_ITEMS, Components, Design, expected_precision

MOST_PER_ITEM = 6
GOLD_CHOICES = (0, 10, 20, 30, 40)
# An impossible width gets the cheapest plan that comes this close to the best there is.
_ALMOST = 1.05
_STEP = 1.15
_MOST_RATERS, _MOST_GOLD = 200, 1000


@dataclass(frozen=True, slots=True)
class Prices:
    """Cost of an item and of a rating."""

    item: float
    rating: float

    def of(self, design: Design, n_raters: int) -> float:
        """Cost of a design."""
        opened = design.items + design.gold_items
        return self.item * opened + self.rating * design.ratings(n_raters)


def _designs(of: Components) -> list[tuple[int, int]]:
    """Numbers of raters per item and of gold items to try."""
    gold = GOLD_CHOICES if of.rater_sd > 0 or of.n_raters == 1 else (0,)
    return [(m, g) for g in gold for m in range(1, min(MOST_PER_ITEM, of.n_raters) + 1)]


def best_for(of: Components, prices: Prices, budget: float) -> Design:
    """Design with the narrowest interval that the budget pays for."""
    if not np.isfinite(budget) or budget <= 0:
        raise InputError(f"budget must be a finite number above 0; found {budget!r}.")
    designs = [
        Design(n, m, g)
        for m, g in _designs(of)
        for n in _numbers_of_items(_most_items(of, prices, budget, per_item=m, gold=g), of)
    ]
    if not designs:
        least = prices.of(Design(min(FEWEST_ITEMS, of.population), 1), of.n_raters)
        raise InputError(
            f"A budget of {budget:g} pays for fewer than {FEWEST_ITEMS} items, which is no study; "
            f"{least:g} is the least."
        )
    return min(designs, key=lambda design: (width_of(of, design), prices.of(design, of.n_raters)))


def _numbers_of_items(most: int, of: Components) -> list[int]:
    """Numbers of items to try, the largest among them.

    More is not always better: with few raters, more items leave fewer degrees of freedom.
    """
    least = min(FEWEST_ITEMS, of.population)
    if most < least:
        return []
    steps = np.arange(np.log(most / least) / np.log(_STEP))
    return [*np.unique((least * _STEP**steps).astype(int)).tolist(), most]


def _most_items(of: Components, prices: Prices, budget: float, *, per_item: int, gold: int) -> int:
    """Largest number of items within a budget, 0 if not even one."""
    return _last(
        of.population,
        lambda n: prices.of(Design(n, per_item, gold), of.n_raters) <= budget,
    )


def cheapest_for(of: Components, prices: Prices, width: float) -> Design | None:
    """Cheapest design whose interval is at most so long, None if there is none."""
    designs = []
    for per_item, gold in _designs(of):
        n = _fewest_items(of, width, per_item=per_item, gold=gold)
        if n <= of.population:
            designs.append(Design(n, per_item, gold))
    return min(
        designs,
        key=lambda design: (prices.of(design, of.n_raters), design.gold_items),
        default=None,
    )


def _fewest_items(of: Components, width: float, *, per_item: int, gold: int) -> int:
    """Smallest number of items for a width, more than there are if it has none."""
    before = min(FEWEST_ITEMS, of.population) - 1
    for n in _numbers_of_items(of.population, of):
        if width_of(of, Design(n, per_item, gold)) <= width:
            break
        before = n
    else:
        return of.population + 1

    def too_few(more: int) -> bool:
        return width_of(of, Design(before + more, per_item, gold)) > width

    return before + 1 + _last(n - before - 1, too_few)


def narrowest(of: Components, prices: Prices) -> Design:
    """Design nearly as precise as the best possible with these raters, at far lower cost."""
    design = cheapest_for(of, prices, _ALMOST * best_width(of))
    return Design(of.population, min(MOST_PER_ITEM, of.n_raters)) if design is None else design


def best_width(of: Components) -> float:
    """Shortest interval possible with these raters and any amount of gold."""
    return min(narrowest_width(of, gold) for gold in GOLD_CHOICES)


def narrowest_width(of: Components, gold: int) -> float:
    """Shortest interval that any number of items and raters per item leads to."""
    return min(
        width_of(of, Design(n, per_item, gold))
        for n in _numbers_of_items(of.population, of)
        for per_item in range(1, min(MOST_PER_ITEM, of.n_raters) + 1)
    )


def _last(most: int, holds: Callable[[int], bool]) -> int:
    """Largest number from 1 to most at which something still holds, else 0."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


def _first(most: int, holds: Callable[[int], bool]) -> int | None:
    """Smallest number at which something that never ends holds, None up to most."""
    return bisect_left(range(most), x=True, lo=1, key=holds) if holds(most) else None


def width_of(of: Components, design: Design) -> float:
    """Expected length of the interval for other raters."""
    return expected_precision(of, design).width()


def why_impossible(of: Components, target: float) -> list[str]:
    """Whole sentences: the reason first, then what would help."""
    best = best_width(of)
    reason = (
        f"Impossible with these raters: whatever they are asked, with up to {GOLD_CHOICES[-1]} "
        f"gold items, the interval for other raters would still be {best:.2g} long; {target:.2g} "
        "was asked for."
    )
    sentences = [reason]
    raters = _first(_MOST_RATERS, lambda m: best_width(replace(of, n_raters=m)) <= target)
    if raters is not None:
        sentences.append(f"{raters} raters instead of {of.n_raters} would do.")
    items = _first(_MOST_GOLD, lambda g: narrowest_width(of, g) <= target)
    if items is not None:
        sentences.append(f"{items} gold items, each rated by all {of.n_raters} raters, would do.")
    if raters is None and items is None:
        sentences.append(
            f"Neither {_MOST_RATERS} raters nor {_MOST_GOLD:,} gold items would be enough."
        )
    everything = Design(of.population, min(MOST_PER_ITEM, of.n_raters))
    these = expected_precision(of, everything, whose="these").width()
    if these <= target:
        sentences.append(
            "The interval for these raters only can be as short as that; it says what they would "
            "say of the whole pool, not what others would."
        )
    sentences.append(f"A width of {_upwards(best)} or more is possible.")
    return sentences


def _upwards(width: float) -> str:
    """Width to two digits, rounded up.

    Examples
    --------
    >>> _upwards(0.1234), _upwards(1.2)
    ('0.13', '1.2')
    """
    digits = 1 - int(f"{width:e}".split("e")[1])
    step = 10.0**-digits
    return f"{-(-round(width / step, 6) // 1) * step:.{max(digits, 0)}f}"
