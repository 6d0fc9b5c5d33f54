"""Numbers rounded as people round them."""

from decimal import ROUND_HALF_UP, Decimal

_HUGE = 1e12  # beyond, all fifteen digits stand before the point
_UNITS = [Decimal(1).scaleb(-places) for places in range(16)]


def rounded(number: float, places: int) -> float:
    """A number as it is printed: halves away from zero, as people count them.

    Binary fractions lie beside the decimal that was meant: 115 of 400 is 28.749999999999996 %.

    Examples
    --------
    >>> rounded(100 * 115 / 400, 1), rounded(2.675, 2), rounded(-0.5, 0)
    (28.8, 2.68, -1.0)
    """
    return float(to_places(number, places))


def to_places(number: float, places: int) -> Decimal:
    """Decimal that fifteen digits tell, rounded; a float has no more."""
    if abs(number) >= _HUGE:
        return Decimal(f"{number:.{places}f}")
    return Decimal(f"{number:.15g}").quantize(_UNITS[places], ROUND_HALF_UP)
