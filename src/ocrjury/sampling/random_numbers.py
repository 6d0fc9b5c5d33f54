"""Permanent random numbers: each belongs to a document, whatever else is in the pool.

A document keeps its number in all draws with the same seed, so that samples of different sizes
overlap as much as possible (Ohlsson 1995, Coordination of samples using permanent random numbers).
"""

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np

from ocrjury.arrays import Floats


def permanent_numbers(ids: Iterable[object], *, seed: int | str, salt: str = "") -> Floats:
    """Permanent random number of each id, strictly between 0 and 1, uniform over seeds.

    Examples
    --------
    >>> permanent_numbers(["a", "b"], seed=1).round(4).tolist()
    [0.8382, 0.7799]
    """
    prefix = (f"{seed}|{salt}|" if salt else f"{seed}|").encode()
    digests = [blake2b(prefix + str(name).encode(), digest_size=8).digest() for name in ids]
    numbers = np.frombuffer(b"".join(digests), dtype=">u8")
    # 52 bits plus one half: never 0, never 1, exact in a float.
    return ((numbers >> np.uint64(12)).astype(float) + 0.5) / 2.0**52
