"""Simulated raters: their error profiles and their answers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.scales import Scale, Scales, scale_of
from ocrjury.simulation.levels import normals, on_scale, uniforms

_PREFIX = "latent_"


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


def simulate_ratings(
    truth: pd.DataFrame,
    assignments: pd.DataFrame,
    *,
    profiles: Mapping[str, RaterProfile],
    scale: Scales,
    seed: int | str,
) -> pd.DataFrame:
    """Ratings by simulated raters for their assignments.

    Parameters
    ----------
    truth
        Result of `true_scores`. Without its ``latent_`` columns the categories are rated.
    assignments
        One row per item and rater: ``item`` (a ``doc_id`` of the truth), ``rater``, and for
        repeated ratings ``repeat``.
    profiles
        Profile of each rater; ``"default"`` applies to all others.
    scale
        The scale of the truth, or of each dimension.
    seed
        Seed of the random errors.

    Returns
    -------
    DataFrame
        ``item``, ``rater``, ``dimension``, ``rating`` (and ``repeat`` if it was given), one row
        per assignment and dimension. Each rating depends only on the seed and on its item, rater,
        dimension and repeat, so repeated calls, in any order or in parts, give the same ratings.

    Examples
    --------
    >>> truth = pd.DataFrame({"doc_id": ["a", "b"], "meaning": [5, 2]})
    >>> assignments = pd.DataFrame({"item": ["a", "b"], "rater": ["R01", "R01"]})
    >>> exact = {"default": RaterProfile(noise=0, halo=0)}
    >>> simulate_ratings(truth, assignments, profiles=exact, scale=Scale.likert(1, 5), seed=1)
      item rater dimension  rating
    0    a   R01   meaning       5
    1    b   R01   meaning       2
    """
    dimensions = _dimensions(truth)
    rows = _truth_rows(truth, assignments)
    repeat = assignments["repeat"].tolist() if "repeat" in assignments.columns else None
    pairs = _keys(assignments, repeat)
    row_profiles = [
        profiles.get(str(rater), profiles.get("default")) for rater in assignments["rater"]
    ]
    _check_profiles(row_profiles, assignments)
    common = _column(row_profiles, "halo") * normals(pairs, seed=seed, purpose="halo")
    parts = []
    for dimension in dimensions:
        own = scale_of(scale, dimension)
        point = (own.high - own.low) / 4
        keys = [(*pair, dimension) for pair in pairs]
        error = common + _column(row_profiles, "noise") * normals(keys, seed=seed, purpose="noise")
        level = truth.get(f"{_PREFIX}{dimension}", truth[dimension]).to_numpy(dtype=float)
        latent = level[rows] + point * (_column(row_profiles, "severity") + error)
        guess = _random_answers(own, uniforms(keys, seed=seed, purpose="guess"))
        careless = uniforms(keys, seed=seed, purpose="careless") < _column(row_profiles, "careless")
        rating = np.where(careless, guess, on_scale(latent, own)).astype(
            float if own.kind == "interval" else int
        )
        part = assignments[["item", "rater"]].assign(dimension=dimension, rating=rating)
        parts.append(part if repeat is None else part.assign(repeat=repeat))
    together = pd.concat(parts, ignore_index=True)
    # One assignment's dimensions stand together, as a rater submits them.
    order = np.arange(len(together)).reshape(len(dimensions), -1).T.ravel()
    return together.iloc[order].reset_index(drop=True)


def _dimensions(truth: pd.DataFrame) -> list[str]:
    """Dimensions of the truth."""
    if "doc_id" not in truth.columns:
        raise InputError(f"truth has no column 'doc_id'; found {list(truth.columns)!r}.")
    names = [
        name for name in truth.columns if name != "doc_id" and not str(name).startswith(_PREFIX)
    ]
    if not names:
        raise InputError("truth holds no dimension; true_scores() makes one column for each.")
    return names


def _truth_rows(truth: pd.DataFrame, assignments: pd.DataFrame) -> npt.NDArray[np.intp]:
    """Row of the truth of each assignment."""
    absent = [name for name in ("item", "rater") if name not in assignments.columns]
    if absent:
        raise InputError(
            f"assignments has no column {', '.join(map(repr, absent))}; found "
            f"{list(assignments.columns)!r}."
        )
    places = pd.Index(truth["doc_id"])
    rows: npt.NDArray[np.intp] = places.get_indexer(pd.Index(assignments["item"]))
    unknown = assignments["item"][rows < 0]
    if len(unknown):
        raise InputError(
            f"{len(unknown)} assignment(s) are of items without a simulated truth; the first is "
            f"{unknown.iloc[0]!r}."
        )
    return rows


def _keys(assignments: pd.DataFrame, repeat: Sequence[object] | None) -> list[tuple[object, ...]]:
    """Key of each assignment; the key of a first rating is the same with and without repeats."""
    pairs = list(zip(assignments["item"], assignments["rater"], strict=True))
    if repeat is None:
        return list(pairs)
    return [
        pair if not again else (*pair, f"repeat {again}")
        for pair, again in zip(pairs, repeat, strict=True)
    ]


def _check_profiles(row_profiles: Sequence[RaterProfile | None], assignments: pd.DataFrame) -> None:
    """Raise if a rater has no profile."""
    without = [
        rater
        for rater, profile in zip(assignments["rater"], row_profiles, strict=True)
        if profile is None
    ]
    if without:
        raise InputError(
            f"{len(set(without))} rater(s) have no profile, the first is {without[0]!r}; add them "
            'to profiles, or a profile named "default".'
        )


def _column(row_profiles: Sequence[RaterProfile | None], name: str) -> Floats:
    """One parameter of each assignment's profile."""
    return np.array([getattr(profile, name) for profile in row_profiles], dtype=float)


def _random_answers(scale: Scale, uniform: Floats) -> Floats:
    """Random answers, uniform over the scale."""
    if scale.kind == "interval":
        return scale.low + uniform * (scale.high - scale.low)
    return scale.low + np.floor(uniform * len(scale.categories))
