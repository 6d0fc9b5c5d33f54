"""Types of NumPy arrays, and their values in errors."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


def as_written(value: object) -> object:
    """Value of a NumPy array as Python writes it in an error.

    Examples
    --------
    >>> as_written(np.float64(0.5)), as_written("x")
    (0.5, 'x')
    """
    return value.item() if isinstance(value, np.generic) else value
