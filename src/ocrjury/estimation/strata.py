"""Samples drawn stratum by stratum from a pool of known size.

Symbols: stratum h has N_h documents (or clusters) in the pool, n_h of which were drawn.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.arrays import Floats, Integers
from ocrjury.errors import InputError
from ocrjury.estimation.linear_estimate import LinearMean
from ocrjury.language import phrase

Population = int | Mapping[Hashable, int]


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Strata of n documents.

    Attributes
    ----------
    code
        Place of each document's stratum among ``names``, shape (n,).
    names
        Names of the strata.
    size
        N_h, shape (H,); None if not given.
    """

    code: Integers
    names: tuple[Hashable, ...]
    size: Floats | None

    def of(self, rows: Integers) -> "Strata":
        """Strata of some of the documents."""
        return replace(self, code=self.code[rows])

    def stratify(self, fit: LinearMean) -> LinearMean:
        """Mean whose variance is summed over strata, each with its finite population correction.

        With N_h the correction is 1 - n_h / N_h, otherwise 1 - pi of each document.
        """
        place = fit.units[0]
        _, first = np.unique(place, return_index=True)
        of_unit = self.code[first]
        if (of_unit[place] != self.code).any():
            raise InputError(
                "the documents of a cluster lie in different strata; clusters are drawn within a "
                "stratum. Name the stratum of the cluster, or leave strata out."
            )
        n = np.bincount(of_unit, minlength=len(self.names))
        pi = fit.pi if self.size is None else self._fractions(n)[self.code]
        sampled = np.bincount(self.code, pi < 1, len(n)) > 0
        lone = np.flatnonzero((n == 1) & sampled) if len(n) > 1 else ()
        warnings = tuple(
            phrase(
                "Stratum {stratum} has one draw, which does not show how its items differ: "
                "there is no interval. Merge it with a similar stratum.",
                stratum=repr(self.names[h]),
            )
            for h in lone
        )
        return replace(
            fit,
            pi=pi,
            stratum=self.code,
            df=max(fit.df - int((n > 0).sum()) + 1, 1),
            warnings=(*fit.warnings, *warnings),
        )

    def _fractions(self, n: Integers) -> Floats:
        """Share n_h / N_h of each stratum that was drawn, shape (H,)."""
        size = np.asarray(self.size)
        for h in np.flatnonzero(n > size):
            of = "" if len(self.names) == 1 else f" in stratum {self.names[h]!r}"
            raise InputError(f"population: {n[h]} were drawn{of}, from only {size[h]:.0f}.")
        return np.asarray(n / size)


def checked_strata(
    strata: npt.ArrayLike | None, population: Population | None, n: int
) -> Strata | None:
    """Strata of n documents and their sizes, checked; None without both."""
    if strata is None:
        return None if population is None else _one_stratum(population, n)
    code, names = pd.factorize(np.asarray(strata, dtype=object).ravel())
    if code.shape != (n,) or (code < 0).any():
        raise InputError(
            f"strata needs one name or number for each of the {n} documents; found {len(code)}, "
            f"of which {int((code < 0).sum())} are missing."
        )
    if population is None:
        return Strata(code.astype(np.int64), tuple(names), None)
    if not isinstance(population, Mapping):
        raise InputError(
            "population needs the number of documents of each stratum, as {'form': 400, "
            f"'letter': 1200}}; found {population!r}. The strata are "
            f"{', '.join(map(repr, names))}."
        )
    absent = [name for name in names if name not in population]
    if absent:
        raise InputError(f"population: no number for stratum {', '.join(map(repr, absent))}.")
    size = np.array([_checked_size(population[name]) for name in names])
    return Strata(code.astype(np.int64), tuple(names), size)


def _one_stratum(population: Population, n: int) -> Strata:
    """The whole sample as one stratum."""
    if isinstance(population, Mapping):
        raise InputError(
            "population by stratum needs strata, the stratum of each document; found none. "
            "Without strata, population is the number of documents in the pool."
        )
    size = np.array([_checked_size(population)])
    return Strata(np.zeros(n, dtype=np.int64), ("",), size)


def _checked_size(size: object) -> float:
    """Size of a population as a number; raise unless it is a whole number from 1."""
    whole = isinstance(size, int | np.integer) and not isinstance(size, bool)
    if not whole or int(size) < 1:  # type: ignore[call-overload]  # whole numbers only
        raise InputError(f"population must be a whole number from 1; found {size!r}.")
    return float(size)  # type: ignore[arg-type]  # a whole number
