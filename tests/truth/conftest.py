from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.simulation import RaterProfile, simulate_ratings

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="session")
def anaesthetists():
    """Dawid and Skene (1979), table 1."""
    wide = pd.read_csv(DATA / "anaesthetists.csv", comment="#", dtype=str)
    long = wide.melt("patient", var_name="rater", value_name="said")
    rows = [
        (int(row.patient), row.rater, int(digit)) for row in long.itertuples() for digit in row.said
    ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    return RatingTable.from_long(frame, scale=Scale.likert(1, 4), repeats="keep")


@pytest.fixture
def team():
    """Draw ratings of items with a known category by raters who err by a step at most."""

    def draw(n_items=300, n_raters=6, per_item=3, *, right=0.7, seed=0):
        rng = np.random.default_rng(seed)
        true = rng.integers(1, 6, n_items)
        matrix = np.full((n_items, n_raters), np.nan)
        for item in range(n_items):
            raters = rng.choice(n_raters, per_item, replace=False)
            slip = rng.choice([-1, 0, 1], per_item, p=[(1 - right) / 2, right, (1 - right) / 2])
            matrix[item, raters] = np.clip(true[item] + slip, 1, 5)
        return RatingTable.from_matrix(matrix, scale=Scale.likert(1, 5)), true

    return draw


@pytest.fixture
def six_raters():
    """Simulate six raters of 200 items, two ratings per item; most items are perfect or useless."""

    def draw(profiles, *, n_items=200, per_item=2, seed=0):
        rng = np.random.default_rng(seed)
        level = rng.choice([1, 2, 3, 4, 5], n_items, p=[0.28, 0.13, 0.12, 0.07, 0.40])
        latent = level + rng.normal(0, 0.35, n_items)
        items = [f"item {place}" for place in range(n_items)]
        truth = pd.DataFrame({"doc_id": items, "latent_meaning": latent})
        truth.insert(1, "meaning", np.clip(np.floor(latent + 0.5), 1, 5).astype(int))
        names = np.array([f"R{place}" for place in range(1, 7)])
        rows = [(item, rater) for item in items for rater in rng.permutation(names)[:per_item]]
        ratings = simulate_ratings(
            truth,
            pd.DataFrame(rows, columns=["item", "rater"]),
            profiles={"default": RaterProfile(), **profiles},
            scale=Scale.likert(1, 5),
            seed=seed,
        )
        table = RatingTable.from_long(ratings.drop(columns="dimension"), scale=Scale.likert(1, 5))
        true = dict(zip(items, truth["meaning"], strict=True))
        return table, np.array([true[item] for item in table.items])

    return draw
