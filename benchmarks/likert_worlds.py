"""Simulated worlds for the benchmarks of truth: pages of known quality and raters of five kinds.

The quality of a page is a level of 1 to 5, plus or minus a little; its true rating is the nearest
level. Pages between two levels are hard for every rater, so errors of raters on one page are not
independent, as in reality and unlike in any model that is compared here.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury import RatingTable, Scale
from ocrjury.simulation import RaterProfile, simulate_ratings

SCALE = Scale.likert(1, 5)
N_RATERS = 10
_BETWEEN = 0.35  # standard deviation of pages around their level

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Recipe:
    """Parameters of a world.

    Attributes
    ----------
    severity
        Standard deviation of the raters' shifts, in points.
    spread
        Least and largest standard deviation of a rater's errors, in points.
    careless
        Share of random answers of the last raters.
    shares
        Shares of the levels 1 to 5.
    """

    name: str
    severity: float = 0.1
    spread: tuple[float, float] = (0.45, 0.45)
    careless: tuple[float, ...] = ()
    shares: tuple[float, ...] = (0.10, 0.15, 0.20, 0.25, 0.30)


RECIPES = (
    Recipe("alike"),
    Recipe("severe", severity=0.45),
    Recipe("uneven", spread=(0.2, 1.0)),
    Recipe("careless", severity=0.2, careless=(0.3, 0.6, 0.6)),
    Recipe(
        "mostly perfect",
        severity=0.3,
        spread=(0.3, 0.8),
        careless=(0.4,),
        shares=(0.05, 0.05, 0.10, 0.20, 0.60),
    ),
)


@dataclass(frozen=True)
class World:
    """One draw of a recipe: true ratings, and one rating per page and rater."""

    recipe: Recipe
    seed: int
    true: Integers
    ratings: pd.DataFrame

    def table(self, per_item: int) -> RatingTable:
        """First ratings of every page."""
        first = self.ratings[self.ratings["turn"] < per_item]
        return RatingTable.from_long(first, scale=SCALE)


def worlds(seeds: int, *, n_items: int = 400) -> Iterator[World]:
    """Yield every recipe with every seed."""
    for recipe in RECIPES:
        for seed in range(seeds):
            yield draw_world(recipe, seed, n_items=n_items)


def draw_world(recipe: Recipe, seed: int, *, n_items: int = 400) -> World:
    """One world; raters come in random order to every page."""
    rng = np.random.default_rng([seed, *recipe.name.encode()])
    latent = rng.choice(5, n_items, p=recipe.shares) + 1 + rng.normal(0, _BETWEEN, n_items)
    true = np.clip(np.floor(latent + 0.5), 1, 5).astype(np.int64)
    pages = pd.DataFrame({"doc_id": range(n_items), "quality": true, "latent_quality": latent})
    turns = rng.permuted(np.tile(np.arange(N_RATERS), (n_items, 1)), axis=1)
    assigned = pd.DataFrame(
        {
            "item": np.repeat(np.arange(n_items), N_RATERS),
            "rater": [f"R{rater + 1:02d}" for rater in turns.ravel()],
        }
    )
    ratings = simulate_ratings(
        pages, assigned, profiles=_profiles(recipe, rng), scale=SCALE, seed=seed
    )
    turn = np.tile(np.arange(N_RATERS), n_items)
    return World(recipe, seed, true, ratings.drop(columns="dimension").assign(turn=turn))


def _profiles(recipe: Recipe, rng: np.random.Generator) -> dict[str, RaterProfile]:
    """Raters, the careless ones last."""
    careless = [0.0] * (N_RATERS - len(recipe.careless)) + list(recipe.careless)
    spreads = np.linspace(*recipe.spread, N_RATERS)
    rng.shuffle(spreads)
    return {
        f"R{place + 1:02d}": RaterProfile(
            severity=float(severity), noise=float(noise), halo=0.0, careless=share
        )
        for place, (severity, noise, share) in enumerate(
            zip(rng.normal(0, recipe.severity, N_RATERS), spreads, careless, strict=True)
        )
    }
