"""Random numbers that depend on names alone, never on what was asked before.

Whoever repeats a call, in another order or after a crash, gets the same numbers.
"""

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

Floats = npt.NDArray[np.float64]


def uniforms(keys: Iterable[tuple[object, ...]], *, seed: int | str, what: str) -> Floats:
    """Number strictly between 0 and 1 for each key.

    Examples
    --------
    >>> uniforms([("a", 1), ("b", 1)], seed=7, what="noise").round(3).tolist()
    [0.146, 0.306]
    """
    digests = b"".join(
        blake2b(repr((str(seed), what, *map(str, key))).encode(), digest_size=8).digest()
        for key in keys
    )
    numbers = np.frombuffer(digests, dtype=">u8")
    return ((numbers >> np.uint64(12)).astype(float) + 0.5) / 2.0**52


def normals(keys: Iterable[tuple[object, ...]], *, seed: int | str, what: str) -> Floats:
    """Standard normal number for each key."""
    return np.asarray(ndtri(uniforms(keys, seed=seed, what=what)), dtype=float)
