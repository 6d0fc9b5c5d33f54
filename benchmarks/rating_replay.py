"""Worlds in which every rating is available, and rounds that ask for some of them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.likert_worlds import RECIPES, SCALE, draw_world
from ocrjury import RatingTable
from ocrjury.adaptive import POLICIES, check_gain, choose_raters, next_ratings
from ocrjury.truth import calibrate, dawid_skene
from ocrjury.truth.labels import Truth
from ocrjury.truth.method_names import Prior

N_ITEMS, N_RATERS = 400, 10
START, BATCH, UNIFORM, MOST = 2, N_ITEMS // 20, 5, 5.5
GOLD = range(40)
LIKERT = tuple(one.name for one in RECIPES)
TASTE = ("subjective", "half taste", "no gain")

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Moment:
    """State when a batch is chosen; `true` is for the clairvoyant only."""

    truth: Truth
    table: RatingTable
    gold: dict[int, int]
    seed: int
    true: Integers


@dataclass(frozen=True)
class Batch:
    """Pages to ask about, one per rating, and the raters to ask if chance does not choose them."""

    items: list[int]
    raters: dict[int, list[int]]


Ask = Callable[[Moment], Batch]


@dataclass(frozen=True)
class Ratings:
    """Ratings of every page by every rater, the order in which raters would come, (N, M)."""

    rating: Floats
    order: Integers
    true: Integers

    def start(self) -> Booleans:
        """First ratings of every page, shape (N, M)."""
        have = np.zeros((N_ITEMS, N_RATERS), dtype=bool)
        np.put_along_axis(have, self.order[:, :START], values=True, axis=1)
        return have

    def table(self, have: Booleans) -> RatingTable:
        """Table of the ratings given so far."""
        return RatingTable.from_matrix(np.where(have, self.rating, np.nan), scale=SCALE)

    def give(self, have: Booleans, batch: Batch) -> None:
        """Mark the ratings that a batch brings, in place."""
        left = {item: list(raters) for item, raters in batch.raters.items()}
        for item in batch.items:
            chosen = left.get(item)
            rater = (
                chosen.pop(0) if chosen else next(r for r in self.order[item] if not have[item, r])
            )
            have[item, rater] = True


def likert(name: str, seed: int) -> Ratings:
    """World in which a page has a true level that raters see more or less well."""
    recipe = next(recipe for recipe in RECIPES if recipe.name == name)
    world = draw_world(recipe, seed, n_items=N_ITEMS)
    shape = (N_ITEMS, N_RATERS)
    order = (
        world.ratings["rater"].str[1:].astype(int).to_numpy().reshape(shape).astype(np.int64) - 1
    )
    rating = np.empty(shape)
    np.put_along_axis(rating, order, world.ratings["rating"].to_numpy(float).reshape(shape), axis=1)
    return Ratings(rating, order, world.true)


def taste(name: str, seed: int) -> Ratings:
    """World in which the truth is one more opinion.

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
    order = rng.permuted(np.tile(np.arange(N_RATERS), (N_ITEMS, 1)), axis=1)
    true = np.clip(np.floor(level + expert + 0.5), 1, 5).astype(np.int64)
    return Ratings(rating, order, true)


def by_policy(name: str) -> Ask:
    """Preset policy."""

    def ask(now: Moment) -> Batch:
        batch = POLICIES[name].ask(now.truth, now.table, budget=BATCH, cap=N_RATERS, seed=now.seed)
        return Batch(list(batch["item"]), {})

    return ask


def by_gain(*, explore: float, checked: bool = False, raters: bool = False) -> Ask:
    """`next_ratings` without a target.

    Parameters
    ----------
    checked
        Gold may make it ask evenly.
    raters
        `choose_raters` says who is asked.
    """

    def ask(now: Moment) -> Batch:
        check = check_gain(now.truth, now.table, now.gold) if checked else None
        batch = next_ratings(
            now.truth,
            now.table,
            budget=BATCH,
            target_confidence=1.0,
            cap=N_RATERS,
            explore=explore if check is None else check.explore(explore),
            seed=now.seed,
        )
        evenly = check is not None and check.decision == "uniform"
        return _with_raters(now, list(batch["item"]), chosen=raters and not evenly)

    return ask


def _with_raters(now: Moment, items: list[int], *, chosen: bool) -> Batch:
    """Batch of ratings, with the raters who tell most if raters are chosen."""
    if not chosen:
        return Batch(items, {})
    counts = {item: items.count(item) for item in items}
    return Batch(items, choose_raters(now.truth, now.table, counts))


def seeing_through(now: Moment) -> Batch:
    """Ask about pages whose label is wrong, the least rated first: nobody can know which."""
    number = np.bincount(now.table.item, minlength=N_ITEMS)
    luck = np.random.default_rng(now.seed).random(N_ITEMS)
    right = now.truth.label == now.true
    order = np.lexsort((luck, number, right))
    return Batch(order[number[order] < N_RATERS][:BATCH].tolist(), {})


def to_calibrated_target(now: Moment) -> Batch:
    """Ask with the defaults: stop at calibrated confidence .9, six ratings at most."""
    sure = calibrate(now.truth, now.gold)
    items = list(next_ratings(sure, now.table, budget=BATCH, seed=now.seed)["item"])
    return _with_raters(now, items, chosen=True)


AS_THE_CHAIN, CLAIRVOYANT = "items and raters", "clairvoyant"
CHOICES: dict[str, Ask] = {
    "uniform": by_policy("uniform"),
    AS_THE_CHAIN: by_gain(explore=0.2, raters=True),
    "with check": by_gain(explore=0.2, raters=True, checked=True),
    "no exploration": by_gain(explore=0.0, raters=True),
    "items only": by_gain(explore=0.2),
    "std": by_policy("disagreement"),
    CLAIRVOYANT: seeing_through,
    "stop rule": to_calibrated_target,
}


def replay(
    world: Ratings, ask: Ask, *, seed: int, most: float = MOST, prior: Prior = "kinds"
) -> Floats:
    """Ratings per page and share of right labels after every batch, shape (n, 2)."""
    have = world.start()
    gold = {item: int(world.true[item]) for item in GOLD}
    truth = None
    curve: list[tuple[float, float]] = []
    while True:
        table = world.table(have)
        truth = dawid_skene(table, prior=prior, warm_start=truth)
        per_page = float(have.sum()) / N_ITEMS
        curve.append((per_page, float((truth.label == world.true).mean())))
        batch = ask(Moment(truth, table, gold, seed + len(curve), world.true))
        if not batch.items or per_page >= most:
            return np.array(curve)
        world.give(have, batch)


def draw(name: str, seed: int) -> Ratings:
    """World by its name."""
    return taste(name, seed) if name in TASTE else likert(name, seed)
