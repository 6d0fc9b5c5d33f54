from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ocrjury import RatingTable, Scale

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
def panel():
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
