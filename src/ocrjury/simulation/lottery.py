"""Random numbers that depend on keys alone, not on earlier calls.

A repeated call, in another order or after a crash, returns the same numbers.
"""

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from scipy.special import ndtri

from ocrjury.arrays import Floats


def uniforms(keys: Iterable[tuple[object, ...]], *, seed: int | str, purpose: str) -> Floats:
    """Uniform number strictly between 0 and 1 for each key.

    Examples
    --------
    >>> uniforms([("a", 1), ("b", 1)], seed=7, purpose="noise").round(3).tolist()
    [0.146, 0.306]
    """
    digests = b"".join(
        blake2b(repr((str(seed), purpose, *map(str, key))).encode(), digest_size=8).digest()
        for key in keys
    )
    numbers = np.frombuffer(digests, dtype=">u8")
    return ((numbers >> np.uint64(12)).astype(float) + 0.5) / 2.0**52


def normals(keys: Iterable[tuple[object, ...]], *, seed: int | str, purpose: str) -> Floats:
    """Standard normal number for each key."""
    return np.asarray(ndtri(uniforms(keys, seed=seed, purpose=purpose)), dtype=float)
