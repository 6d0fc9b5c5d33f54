import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def make_pool():
    def make(size=300, *, types=4, seed=0):
        rng = np.random.default_rng(seed)
        share = np.array([0.5 ** min(place + 1, types - 1) for place in range(types)])
        return pd.DataFrame(
            {
                "doc_id": [f"d{place:04d}" for place in range(size)],
                "doc_type": rng.choice([f"type {k}" for k in range(types)], size, p=share),
                "risk": np.round(rng.lognormal(-3, 1.5, size), 4) + 0.001,
            }
        )

    return make
