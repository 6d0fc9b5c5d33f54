"""Sample size for a share, before anything is known about the pool."""

import math
from statistics import NormalDist

from ocrjury.errors import InputError


def sample_size(
    *,
    p: float = 0.5,
    error: float = 0.05,
    confidence: float = 0.95,
    population: int | None = None,
    design_effect: float = 1.0,
    response_rate: float = 1.0,
) -> int:
    """Documents to draw so that a share ``p`` is known within plus or minus ``error``, by Cochran.

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
    design_effect
        Variance under the design over that of a simple random sample of the same size, above 0:
        clusters such as pages need more, strata fewer.
    response_rate
        Share of the documents drawn that will be rated, in (0, 1].

    Notes
    -----
    Cochran (1977), Sampling Techniques, section 4.4: n0 = z^2 p (1 - p) / error^2, and
    n = n0 / (1 + (n0 - 1) / N), n0 times the design effect (Kish 1965, Survey Sampling, section
    8.2) before the pool's size counts. The result is divided by the response rate. One rating
    without error per document is assumed; an auxiliary such as CER needs fewer, noisy raters need
    more.

    Examples
    --------
    >>> sample_size()
    385
    >>> sample_size(population=1000)
    278
    >>> sample_size(population=1000, design_effect=1.5, response_rate=0.8)
    458
    """
    for name, number in (("p", p), ("error", error), ("confidence", confidence)):
        if not 0 < number < 1:
            raise InputError(f"{name} must lie strictly between 0 and 1; found {number!r}.")
    if population is not None and population < 1:
        raise InputError(f"population must be at least 1 document; found {population!r}.")
    if not 0 < design_effect < math.inf:
        raise InputError(f"design_effect must be a finite number above 0; found {design_effect!r}.")
    if not 0 < response_rate <= 1:
        raise InputError(f"response_rate must lie in (0, 1]; found {response_rate!r}.")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    n = design_effect * z**2 * p * (1 - p) / error**2
    if population is not None:
        n = min(n / (1 + (n - 1) / population), population) if n > 1 else 1.0
    # 1e-9: a rounding error must not raise a whole number to the next.
    drawn = max(1, math.ceil(n / response_rate - 1e-9))
    return drawn if population is None else min(drawn, population)
