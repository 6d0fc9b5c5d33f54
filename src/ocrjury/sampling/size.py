"""Sample size for a share, before anything is known about the pool."""

import math
from statistics import NormalDist

from ocrjury.errors import InputError


def sample_size(
    *, p: float = 0.5, error: float = 0.05, confidence: float = 0.95, population: int | None = None
) -> int:
    """Sample size that estimates a share ``p`` to within plus or minus ``error``, by Cochran.

    Parameters
    ----------
    p
        Expected share, strictly between 0 and 1; one half is the most cautious.
    error
        Half width of the confidence interval, strictly between 0 and 1.
    confidence
        Level of the interval, strictly between 0 and 1.
    population
        Size of the pool; a finite pool needs fewer. None: infinite.

    Notes
    -----
    Cochran (1977), Sampling Techniques, section 4.4: n0 = z^2 p (1 - p) / error^2, and
    n = n0 / (1 + (n0 - 1) / N). The formula holds for a simple random sample and one rating
    without error per document; an auxiliary such as CER needs fewer, noisy raters need more.

    Examples
    --------
    >>> sample_size()
    385
    >>> sample_size(population=1000)
    278
    """
    for name, number in (("p", p), ("error", error), ("confidence", confidence)):
        if not 0 < number < 1:
            raise InputError(f"{name} must lie strictly between 0 and 1; found {number!r}.")
    if population is not None and population < 1:
        raise InputError(f"population must be at least 1 document; found {population!r}.")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    n = z**2 * p * (1 - p) / error**2
    if population is not None:
        n = min(n / (1 + (n - 1) / population), population) if n > 1 else 1.0
    # 1e-9: a rounding error must not raise a whole number to the next.
    return max(1, math.ceil(n - 1e-9))
