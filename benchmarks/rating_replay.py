"""Worlds in which every rating is there to be asked for, and rounds that ask for some of them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.likert_worlds import RECIPES, SCALE, draw_world
from ocrjury import RatingTable
from ocrjury.adaptive import POLICIES, check_gain, next_ratings
from ocrjury.truth import calibrate, dawid_skene
from ocrjury.truth.labels import Truth

N_ITEMS, N_RATERS = 400, 10
START, BATCH, UNIFORM, MOST = 2, N_ITEMS // 20, 5, 5.5
GOLD = range(40)
LIKERT = tuple(one.name for one in RECIPES)
TASTE = ("subjective", "half taste", "no gain")

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Moment:
    """What is known when a batch is chosen."""

    truth: Truth
    table: RatingTable
    gold: dict[int, int]
    seed: int


Ask = Callable[[Moment], list[int]]


@dataclass(frozen=True)
class Ratings:
    """Raters and their ratings of every page in the order in which they would come, (N, M)."""

    rater: Integers
    rating: Floats
    true: Integers

    def table(self, have: Integers) -> RatingTable:
        """Return the first ratings of every page, as many as it has."""
        item, turn = np.nonzero(np.arange(N_RATERS) < have[:, None])
        matrix = np.full((N_ITEMS, N_RATERS), np.nan)
        matrix[item, self.rater[item, turn]] = self.rating[item, turn]
        return RatingTable.from_matrix(matrix, scale=SCALE)


def likert(name: str, seed: int) -> Ratings:
    """Return a world in which a page has a true level that raters see more or less well."""
    recipe = next(one for one in RECIPES if one.name == name)
    world = draw_world(recipe, seed, n_items=N_ITEMS)
    shape = (N_ITEMS, N_RATERS)
    rater = world.ratings["rater"].str[1:].astype(int).to_numpy().reshape(shape) - 1
    return Ratings(
        rater.astype(np.int64), world.ratings["rating"].to_numpy(float).reshape(shape), world.true
    )


def taste(name: str, seed: int) -> Ratings:
    """Return a world in which what counts as true is one more opinion.

    ``subjective``: pages differ in how far opinions spread, and the experts are another population.
    ``half taste``: half of the pages have no truth but opinions. ``no gain``: experts' opinions
    have so little to do with the raters' that no number of ratings helps.
    """
    rng = np.random.default_rng([seed, *name.encode()])
    level = rng.choice(5, N_ITEMS, p=RECIPES[0].shares) + 1 + rng.normal(0, 0.35, N_ITEMS)
    spread = rng.uniform(*{"no gain": (0.2, 2.5)}.get(name, (0.3, 1.6)), N_ITEMS)
    expert = rng.normal(0, {"no gain": 1.6}.get(name, 1.0), N_ITEMS)
    if name == "half taste":
        open_ended = rng.random(N_ITEMS) < 0.5
        level = np.where(open_ended, 3 + rng.normal(0, 0.5, N_ITEMS), level)
        spread = np.where(open_ended, 1.8, 0.7)
        expert = np.where(open_ended, rng.normal(0, 1.8, N_ITEMS), 0.0)
    own = rng.normal(0, 0.4, N_RATERS) + spread[:, None] * rng.uniform(
        0.6, 1.2, N_RATERS
    ) * rng.standard_normal((N_ITEMS, N_RATERS))
    rating = np.clip(np.floor(level[:, None] + own + 0.5), 1, 5)
    rater = rng.permuted(np.tile(np.arange(N_RATERS), (N_ITEMS, 1)), axis=1)
    true = np.clip(np.floor(level + expert + 0.5), 1, 5).astype(np.int64)
    return Ratings(rater, np.take_along_axis(rating, rater, axis=1), true)


def by_policy(name: str) -> Ask:
    """Return a preset policy."""

    def ask(now: Moment) -> list[int]:
        asked = POLICIES[name].ask(now.truth, now.table, budget=BATCH, cap=N_RATERS, seed=now.seed)
        return list(asked["item"])

    return ask


def by_information(*, explore: float, checked: bool = False) -> Ask:
    """Return next_ratings without a target; with a check, gold may make it ask evenly."""

    def ask(now: Moment) -> list[int]:
        check = check_gain(now.truth, now.table, now.gold) if checked else None
        asked = next_ratings(
            now.truth,
            now.table,
            budget=BATCH,
            target_confidence=1.0,
            cap=N_RATERS,
            explore=explore if check is None else check.explore(explore),
            seed=now.seed,
        )
        return list(asked["item"])

    return ask


def to_calibrated_target(now: Moment) -> list[int]:
    """Ask with the defaults: stop at calibrated confidence .9, six ratings at most."""
    sure = calibrate(now.truth, now.gold)
    return list(next_ratings(sure, now.table, budget=BATCH, seed=now.seed)["item"])


CHOICES: dict[str, Ask] = {
    "uniform": by_policy("uniform"),
    "information": by_information(explore=0.2),
    "with check": by_information(explore=0.2, checked=True),
    "no exploration": by_information(explore=0.0),
    "std": by_policy("disagreement"),
    "stop rule": to_calibrated_target,
}


def replay(world: Ratings, ask: Ask, *, seed: int, most: float = MOST) -> Floats:
    """Return ratings per page and share of right labels after every batch, shape (n, 2)."""
    have = np.full(N_ITEMS, START)
    gold = {item: int(world.true[item]) for item in GOLD}
    truth = None
    curve: list[tuple[float, float]] = []
    while True:
        table = world.table(have)
        truth = dawid_skene(table, warm_start=truth)
        curve.append((float(have.mean()), float((truth.label == world.true).mean())))
        asked = ask(Moment(truth, table, gold, seed + len(curve)))
        if not asked or have.mean() >= most:
            return np.array(curve)
        np.add.at(have, asked, 1)


def draw(name: str, seed: int) -> Ratings:
    """Return a world of that name."""
    return taste(name, seed) if name in TASTE else likert(name, seed)
