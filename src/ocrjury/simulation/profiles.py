"""Error profile of a simulated rater."""

import math
from dataclasses import dataclass

from ocrjury.errors import InputError


@dataclass(frozen=True, slots=True)
class RaterProfile:
    """One simulated rater; lengths are in points of a five-point scale.

    Attributes
    ----------
    severity
        Shift of all ratings: -0.4 is a strict rater, 0.4 a lenient one.
    noise
        Standard deviation of the error of each rating.
    halo
        Standard deviation of the error that is common to all dimensions of an item.
    careless
        Probability that an answer is random, uniform over the categories.

    Examples
    --------
    >>> RaterProfile(severity=-0.4)
    RaterProfile(severity=-0.4, noise=0.35, halo=0.2, careless=0.0)
    """

    severity: float = 0.0
    noise: float = 0.35
    halo: float = 0.2
    careless: float = 0.0

    def __post_init__(self) -> None:
        """Raise on an invalid value."""
        numbers = (self.severity, self.noise, self.halo, self.careless)
        if not (
            all(math.isfinite(number) for number in numbers)
            and self.noise >= 0
            and self.halo >= 0
            and 0 <= self.careless <= 1
        ):
            raise InputError(
                "a RaterProfile needs finite numbers, noise and halo of at least 0 and careless "
                f"between 0 and 1; found {self!r}."
            )
