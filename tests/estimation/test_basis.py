"""Columns that are no combinations of earlier ones."""

import numpy as np
import pandas as pd

from ocrjury.estimation import auxiliaries, auxiliary
from ocrjury.estimation.basis import Basis


def test_a_combination_of_earlier_columns_adds_nothing():
    rng = np.random.default_rng(1)
    first, second = rng.normal(size=(2, 50))
    basis = Basis(rng.uniform(0.5, 2, size=50))

    assert basis.add(first)
    assert basis.add(second)
    assert not basis.add(3 * first - second)
    assert basis.add(first * second)


def test_each_auxiliary_is_orthogonalized_once(monkeypatch):
    added = []

    class Counted(Basis):
        def add(self, column):
            added.append(len(column))
            return super().add(column)

    monkeypatch.setattr(auxiliary, "Basis", Counted)
    pool = pd.DataFrame(
        {"cer": np.linspace(0, 1, 60), "doc_type": [f"type {place % 12}" for place in range(60)]}
    )

    _, names = auxiliaries(pool)

    dropped = 1  # every document has a reference
    assert len(added) == len(names) + dropped
