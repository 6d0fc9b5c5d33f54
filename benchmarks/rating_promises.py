"""Expected and actual information of ratings, in the worlds of `rating_replay`."""

import numpy as np

from benchmarks.rating_replay import LIKERT, N_ITEMS, Booleans, Floats, Integers, Ratings, draw
from ocrjury.adaptive.information import entropy, information_gain, weakened
from ocrjury.truth import Truth, dawid_skene
from ocrjury.truth.rating_weight import rating_weights

PARTS = 8
TITLES = (
    "expected about the label",
    "told about the label",
    "expected about the level",
    "told about the level",
    "expected about the label if ratings were independent",
)


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
    """Bits of one more rating per page, shape (N, 5); the columns are `TITLES`.

    Pages have two to five ratings; who comes next is chance, and the parameters stay as they were.
    """
    number = 2 + np.arange(N_ITEMS, dtype=np.int64) % 4
    have = np.zeros(world.rating.shape, dtype=bool)
    for page, n_ratings in enumerate(number.tolist()):
        have[page, world.order[page, :n_ratings]] = True
    truth = dawid_skene(world.table(have))
    rater = world.order[np.arange(N_ITEMS), number]
    weights = rating_weights(number + 1, dependence=truth.dependence, bounded=truth.bounded)
    label, level = _expected(truth, rater, weights=weights)
    alone, _ = _expected(truth, rater, weights=np.ones(N_ITEMS))
    told_label, told_level = _told(truth, world, have=have, rater=rater)
    return np.column_stack([label, told_label, level, told_level, alone])


def _expected(truth: Truth, rater: Integers, *, weights: Floats) -> tuple[Floats, Floats]:
    """Bits expected about whether each label is right, and about the level, shape (N,) each."""
    found = []
    for shares, place, weight in zip(truth.probabilities, rater, weights, strict=True):
        answers = weakened(truth.confusion[place], weight, class_prior=truth.class_prior)
        level = entropy(shares @ answers) - shares @ entropy(answers)
        found.append((information_gain(shares[None], answers)[0], level))
    label, level = np.array(found).T
    return label, level


def _told(
    truth: Truth, world: Ratings, *, have: Booleans, rater: Integers
) -> tuple[Floats, Floats]:
    """Bits that the next rating told about whether each label is right, and about the level."""
    pages, level = np.arange(N_ITEMS), world.true - 1
    more = have.copy()
    more[pages, rater] = True
    before, after = truth.probabilities, _posterior(truth, world, more)
    label = before.argmax(axis=1)
    right = [
        np.where(label == level, shares[pages, label], 1 - shares[pages, label])
        for shares in (before, after)
    ]
    return np.log2(right[1] / right[0]), np.log2(after[pages, level] / before[pages, level])


def _posterior(truth: Truth, world: Ratings, have: Booleans) -> Floats:
    """Probabilities that the truth's parameters give, shape (N, K)."""
    logs = np.zeros_like(truth.probabilities)
    page, rater = np.nonzero(have)
    observed = world.rating[page, rater].astype(np.int64) - 1
    np.add.at(logs, page, np.log(truth.confusion[rater, :, observed]))
    weights = rating_weights(have.sum(axis=1), dependence=truth.dependence, bounded=truth.bounded)
    joint = np.exp(weights[:, None] * (np.log(truth.class_prior) + logs))
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))
