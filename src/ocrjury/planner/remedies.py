"""Why no number of items reaches a width, and what would help."""

from collections.abc import Callable
from dataclasses import replace

from ocrjury.planner.precision import Components, Design, expected_precision
from ocrjury.planner.search import GOLD_CHOICES, MOST_PER_ITEM, best_width, narrowest_width

_MOST_RATERS, _MOST_GOLD = 200, 1000


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


def _first(most: int, holds: Callable[[int], bool]) -> int | None:
    """Smallest number at which something that never ends holds, None up to most."""
    if not holds(most):
        return None
    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


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
