"""Estimates of ppi-python and samplics, each in its own process and from its own folder.

Neither belongs to the project, and what they need besides is large:

    pip install --no-deps --target FOLDER/ppi ppi-python==0.2.3 numba llvmlite
    pip install --no-deps --target FOLDER/samplics samplics==0.6.1 polars polars-runtime-32

They run on the installed numpy, pandas, scipy and statsmodels. What is asked and what is answered
goes through files, so that nothing of theirs is imported here.
"""

import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

Means = list[tuple[float, float, float]]
Arrays = Mapping[str, npt.NDArray[np.float64] | npt.NDArray[np.int64]]


def ask(peer: str, arrays: Arrays, *, folder: Path) -> Means:
    """Value, low and high of each sample by a peer.

    Parameters
    ----------
    peer
        ``"ppi"`` or ``"samplics"``.
    arrays
        For ppi: ``y`` and ``f`` (outcome and prediction of N documents) and ``rows`` (samples,
        shape (R, n)). For samplics: ``y`` and ``weight`` of samples, shape (R, n).
    folder
        What ``FOLDER`` is above.
    """
    with tempfile.TemporaryDirectory() as place:
        question = Path(place) / "question.npz"
        np.savez(question, **arrays)  # type: ignore[arg-type]  # the stub mixes up its options
        done = subprocess.run(  # noqa: S603  # ourselves
            [sys.executable, __file__, peer, str(question)],
            env={**os.environ, "PYTHONPATH": str(folder / peer)},
            check=True,
            capture_output=True,
            text=True,
            timeout=7200,
        )
    answers = json.loads(done.stdout.splitlines()[-1])
    return [(value, low, high) for value, low, high in answers]


def ppi(question: Arrays) -> Means:
    """Value, low and high of PPI++ means of simple random samples."""
    import ppi_py  # type: ignore[import-not-found]  # noqa: PLC0415  # only there in the child

    y, f, rows = question["y"], question["f"], question["rows"]
    intervals = []
    for drawn in rows:
        rest = np.ones(len(f), dtype=bool)
        rest[drawn] = False
        value = ppi_py.ppi_mean_pointestimate(y[drawn], f[drawn], f[rest])
        low, high = ppi_py.ppi_mean_ci(y[drawn], f[drawn], f[rest], alpha=0.05)
        intervals.append((_number(value), _number(low), _number(high)))
    return intervals


def _number(value: npt.ArrayLike) -> float:
    """The only number of an array."""
    return float(np.ravel(value)[0])


def samplics(question: Arrays) -> Means:
    """Value, low and high of linearised means of weighted samples."""
    from samplics import (  # type: ignore[import-not-found]  # noqa: PLC0415  # as above
        PopParam,
        TaylorEstimator,
    )

    intervals = []
    for y, weight in zip(question["y"], question["weight"], strict=True):
        estimator = TaylorEstimator(PopParam.mean)
        estimator.estimate(y=y, samp_weight=weight, psu=np.arange(len(y)))
        ends = estimator.lower_ci, estimator.upper_ci
        intervals.append((_number(estimator.point_est), _number(ends[0]), _number(ends[1])))
    return intervals


ANSWERS: Mapping[str, Callable[[Arrays], Means]] = {"ppi": ppi, "samplics": samplics}

if __name__ == "__main__":
    warnings.simplefilter("ignore")  # both warn of their own age
    sys.path.pop(0)  # numba looks for coverage, and means the package
    with np.load(sys.argv[2]) as given:
        print(json.dumps(ANSWERS[sys.argv[1]](dict(given))))
