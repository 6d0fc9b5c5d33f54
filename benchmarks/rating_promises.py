"""Expected and actual information of ratings, in the worlds of `rating_replay`."""

import numpy as np

from benchmarks.rating_replay import LIKERT, N_ITEMS, Booleans, Floats, Integers, Ratings, draw
from ocrjury.adaptive.information import information_gain, weakened
from ocrjury.truth import Truth, dawid_skene
from ocrjury.truth.rating_weight import rating_weights

PARTS = 8
TITLES = ("expected", "told", "expected if ratings were independent")


def promise_table(first_seed: int, seeds: int) -> list[str]:
    """Table of expected and told bits, with ratings in eight parts by what was expected."""
    worlds = [draw(name, first_seed + seed) for name in LIKERT for seed in range(seeds)]
    bits = np.concatenate([promises(world) for world in worlds])
    parts = np.array_split(bits[np.argsort(bits[:, 0], kind="stable")], PARTS)
    numbers = " | ".join(map(str, range(1, PARTS + 1)))
    lines = [f"| bits | {numbers} | all |", "|---|" + "--:|" * (PARTS + 1)]
    for column, title in enumerate(TITLES):
        means = " | ".join(f"{part[:, column].mean():.3f}" for part in (*parts, bits))
        lines.append(f"| {title} | {means} |")
    return lines


def promises(world: Ratings) -> Floats:
    """Bits of one more rating per page: expected, told, and expected if ratings were independent.

    Pages have two to five ratings; who comes next is chance, and the parameters stay as they were.
    Shape (N, 3), in bits.
    """
    number = 2 + np.arange(N_ITEMS, dtype=np.int64) % 4
    have = np.zeros(world.rating.shape, dtype=bool)
    for page, n_ratings in enumerate(number.tolist()):
        have[page, world.order[page, :n_ratings]] = True
    truth = dawid_skene(world.table(have))
    rater = world.order[np.arange(N_ITEMS), number]
    weights = rating_weights(number + 1, dependence=truth.dependence, bounded=truth.bounded)
    columns = [
        [
            _expected(truth, page, rater=int(place), weights=weight)
            for page, place in enumerate(rater)
        ]
        for weight in (weights, np.ones(N_ITEMS))
    ]
    return np.column_stack([columns[0], _told(truth, world, have=have, rater=rater), columns[1]])


def _expected(truth: Truth, page: int, *, rater: int, weights: Floats) -> float:
    """Bits that a rating is expected to tell about whether the label is right."""
    answers = weakened(truth.confusion[rater], weights[page], class_prior=truth.class_prior)
    return float(information_gain(truth.probabilities[[page]], answers)[0])


def _told(truth: Truth, world: Ratings, *, have: Booleans, rater: Integers) -> Floats:
    """Bits about the true level that the next rating told."""
    pages = np.arange(N_ITEMS)
    more = have.copy()
    more[pages, rater] = True
    after = _posterior(truth, world, more)[pages, world.true - 1]
    return np.asarray(np.log2(after / truth.probabilities[pages, world.true - 1]))


def _posterior(truth: Truth, world: Ratings, have: Booleans) -> Floats:
    """Probabilities that the truth's parameters give, shape (N, K)."""
    logs = np.zeros_like(truth.probabilities)
    page, rater = np.nonzero(have)
    observed = world.rating[page, rater].astype(np.int64) - 1
    np.add.at(logs, page, np.log(truth.confusion[rater, :, observed]))
    weights = rating_weights(have.sum(axis=1), dependence=truth.dependence, bounded=truth.bounded)
    joint = np.exp(weights[:, None] * (np.log(truth.class_prior) + logs))
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))
