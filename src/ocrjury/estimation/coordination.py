"""Covariance of means over two samples that were drawn with the same seed.

Pools under 200 documents are drawn systematically, so that another pool or other risks shift the
whole draw, and fewer documents are in both samples than their random numbers would bring.
"""

import numpy as np

from ocrjury.estimation.linear_estimate import LinearMean, deville_covariance

# The weights of a sample tell the size of its pool up to a tenth.
_LARGE_POOL = 220


def coordinated_covariance(
    first: LinearMean, second: LinearMean, *, places: tuple[list[int], list[int]]
) -> float:
    """Covariance of two means, as `deville_covariance`, which this is for larger pools.

    Parameters
    ----------
    first, second, places
        As in `deville_covariance`.

    Notes
    -----
    Of the smaller sample the share s is in both, and chance alone would bring c. Documents then
    come together with a probability that lies (s - c) / (1 - c) of the way from independent to
    coordinated draws, and the covariance is summed over a share s of the documents already.
    """
    units = [mean.units for mean in (first, second)]
    pools = [float((1 / pi).sum()) for _, _, pi in units]
    covariance = deville_covariance(first, second, places=places)
    if min(pools) >= _LARGE_POOL:
        return covariance
    numbers = [len(pi) for _, _, pi in units]
    smaller = int(np.argmin(numbers))
    share = len(np.unique(units[smaller][0][places[smaller]])) / numbers[smaller]
    chance = numbers[1 - smaller] / pools[1 - smaller]
    if share == 1:
        return covariance
    return covariance * (share - chance) / (1 - chance) / share if share > chance else 0.0
