"""Simulated ratings on two categories and on names, by ten raters or by a crowd of eighty.

Raters differ in accuracy and in the wrong answers that they prefer. On a hard item everybody is
drawn to the same wrong answer, so that ratings of one item are not independent.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ocrjury import RatingTable, Scale

N_ITEMS, MOST_RATINGS = 400, 10
HARD_RIGHT, HARD_DECOY = 0.45, 0.35  # shares of answers on hard items

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Names:
    """Parameters of a world.

    Attributes
    ----------
    accuracy
        Least and largest share of right answers of a rater.
    shares
        Shares of the categories.
    hard
        Share of hard items.
    careless
        Share of raters who answer at random.
    preference
        Concentration of a rater's wrong answers; the lower, the more one of them is preferred.
    """

    name: str
    shares: tuple[float, ...]
    accuracy: tuple[float, float]
    n_raters: int = 10
    hard: float = 0.0
    careless: float = 0.0
    preference: float = 50.0

    @property
    def scale(self) -> Scale:
        """Two categories, or names."""
        if len(self.shares) == 2:
            return Scale.binary()
        return Scale.nominal(list("abcdef"[: len(self.shares)]))


TWO, FOUR = (0.5, 0.5), (0.25, 0.25, 0.25, 0.25)
NAMES = (
    Names("two, clean", TWO, (0.65, 0.95)),
    Names("two, one rare", (0.85, 0.15), (0.7, 0.95)),
    Names("two, hard", TWO, (0.8, 0.95), hard=0.3),
    Names("two, crowd", TWO, (0.55, 0.95), n_raters=80, careless=0.1),
    Names("three, one common", (0.7, 0.2, 0.1), (0.6, 0.95), preference=6.0),
    Names("four, clean", FOUR, (0.5, 0.9), preference=4.0),
    Names("four, hard", FOUR, (0.7, 0.95), hard=0.35, preference=4.0),
    Names("four, crowd", FOUR, (0.45, 0.9), n_raters=80, careless=0.15, preference=4.0),
)


@dataclass(frozen=True)
class NamesDrawn:
    """One draw: true categories, shape (N,); raters and answers in order, shape (N, 10)."""

    world: Names
    true: Integers
    rater: Integers
    answer: Integers

    def table(self, per_item: int) -> RatingTable:
        """First ratings of every item."""
        item = np.repeat(np.arange(N_ITEMS), per_item)
        rater, answer = (columns[:, :per_item].ravel() for columns in (self.rater, self.answer))
        people, place = np.unique(rater, return_inverse=True)
        categories = np.array(self.world.scale.categories)
        return RatingTable(
            self.world.scale,
            tuple(range(N_ITEMS)),
            tuple(people.tolist()),
            item,
            place,
            categories[answer],
            categories,
            answer,
        )


def draw_names(world: Names, seed: int) -> NamesDrawn:
    """One draw of a world."""
    rng = np.random.default_rng([seed, *world.name.encode()])
    n_categories = len(world.shares)
    true = rng.choice(n_categories, N_ITEMS, p=world.shares)
    everyone = np.tile(np.arange(world.n_raters), (N_ITEMS, 1))
    rater = rng.permuted(everyone, axis=1)[:, :MOST_RATINGS]
    chance = _answer_shares(world, true, rng)
    upto = chance[np.arange(N_ITEMS)[:, None], rater].cumsum(axis=2)
    answer = (rng.random((*rater.shape, 1)) > upto).sum(axis=2)
    return NamesDrawn(world, true, rater, np.minimum(answer, n_categories - 1))


def _answer_shares(world: Names, true: Integers, rng: np.random.Generator) -> Floats:
    """Probability of each answer of each rater to each item, shape (N, M, K)."""
    n_categories = len(world.shares)
    accuracy = rng.uniform(*world.accuracy, world.n_raters)
    wrong = rng.dirichlet(np.full(n_categories, world.preference), world.n_raters)
    careless = rng.random(world.n_raters) < world.careless
    is_hard = rng.random(N_ITEMS) < world.hard
    decoy = (true + rng.integers(1, n_categories, N_ITEMS)) % n_categories
    right = np.eye(n_categories)[true][:, None, :]
    others = wrong[None] * (1 - right)
    others /= others.sum(axis=2, keepdims=True)
    shares = accuracy[None, :, None] * right + (1 - accuracy[None, :, None]) * others
    guess = (1 - HARD_RIGHT - HARD_DECOY) / n_categories
    hard = HARD_RIGHT * right + HARD_DECOY * np.eye(n_categories)[decoy][:, None, :] + guess
    shares = np.where(is_hard[:, None, None], hard, shares)
    return np.where(careless[None, :, None], wrong[None], shares)
