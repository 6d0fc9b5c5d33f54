import numpy as np
import pandas as pd
import pytest

from ocrjury.bias import measurement
from ocrjury.bias.measurement import DETECTORS


@pytest.fixture
def simulate():
    return simulated_ratings


@pytest.fixture
def only(monkeypatch):
    """Let `measure_bias` test some kinds of bias alone, for simulations that read no other."""

    def choose(*kinds):
        chosen = {kind: detector for kind, detector in DETECTORS.items() if kind in kinds}
        monkeypatch.setattr(measurement, "DETECTORS", chosen)

    return choose


def simulated_ratings(  # noqa: PLR0913  # one argument for each bias
    seed,
    *,
    items=100,
    raters=6,
    per_item=3,
    dimensions=3,
    halo=0.0,
    anchor=0.0,
    trend=0.0,
    severity=0.0,
    compressed=1.0,
    scatter=0.5,
    sessions=1,
):
    """Simulated ratings; severity, compression and scatter are those of the first rater."""
    rng = np.random.default_rng(seed)
    shared, own = rng.normal(size=(items, 1)), rng.normal(size=(items, dimensions))
    quality = np.sqrt(0.6) * shared + np.sqrt(0.4) * own
    drawn = rng.random((items, raters)).argsort(axis=1)[:, :per_item]
    frames = []
    for rater in range(raters):
        mine = rng.permutation(np.flatnonzero((drawn == rater).any(axis=1)))
        session = np.arange(len(mine)) * sessions // len(mine)
        length = np.bincount(session)
        place = np.arange(len(mine)) - (length.cumsum() - length)[session]
        first = rater == 0
        latent = (compressed if first else 1.0) * quality[mine] + (severity if first else 0.0)
        latent += trend * (place / length[session] - 0.5)[:, None]
        latent += halo * rng.normal(size=(len(mine), 1))
        latent += (scatter if first else 0.5) * rng.normal(size=latent.shape)
        ratings, before = [], 0.0
        for row in latent:
            ratings.append(np.clip(np.round(3 + row + anchor * before), 1, 5))
            before = ratings[-1].mean() - 3
        frames.append(
            pd.DataFrame(
                {
                    "item": [f"d{item:03d}" for item in mine for _ in range(dimensions)],
                    "rater": f"R{rater + 1:02d}",
                    "dimension": [f"q{d + 1}" for d in range(dimensions)] * len(mine),
                    "rating": np.array(ratings, dtype=int).ravel(),
                    "session": [
                        f"R{rater + 1:02d}-{s}" for s in session for _ in range(dimensions)
                    ],
                    "position": np.repeat(place + 1, dimensions),
                }
            )
        )
    return pd.concat(frames, ignore_index=True)
