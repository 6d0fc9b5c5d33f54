"""Numbers rounded as people round them, and in print with a true minus."""

from decimal import ROUND_HALF_UP, Decimal

MINUS = "−"
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


def fixed(number: float, places: int) -> str:
    """A finite number with a fixed count of decimals; zero has no sign.

    Examples
    --------
    >>> fixed(-0.356, 2), fixed(-0.001, 2), fixed(83, 0)
    ('−0.36', '0.00', '83')
    """
    text = f"{to_places(number, places):f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def given(number: float) -> str:
    """A number that somebody chose, such as a limit, with no more decimals than it has.

    Examples
    --------
    >>> given(0.8), given(-0.25), given(75.0)
    ('0.8', '−0.25', '75')
    """
    return f"{number:g}".replace("-", MINUS)
