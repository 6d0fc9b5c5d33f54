"""Pools with known true values: a large simulated one with a heavy tail, and the bundled one.

The simulated pool has the shape of archives: nearly half of the documents without an error, a few
beyond repair, difficult types rare. People's scores follow the error rate, but not only: a wrong
amount or code costs a point or two and hardly moves the error rate. A stamp over the text has
nothing to do with either.
"""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury import Scale
from ocrjury.estimation import auxiliaries
from ocrjury.readers import read_pool
from ocrjury.sampling import risk_scores
from ocrjury.simulation import true_scores
from ocrjury.text import score_texts

Floats = npt.NDArray[np.float64]

BUNDLED = Path(__file__).parents[1] / "examples" / "korean-claims" / "fields.jsonl"
TYPES = pd.DataFrame(
    {
        "name": ["letter", "invoice", "form", "table", "receipt", "handwriting"],
        "share": [0.34, 0.24, 0.16, 0.12, 0.09, 0.05],
        "clean": [0.62, 0.50, 0.42, 0.35, 0.22, 0.10],  # documents without an error
        "median": [0.008, 0.012, 0.020, 0.030, 0.050, 0.090],  # error rate of the others
        "shift": [0.10, 0.05, 0.00, -0.05, -0.10, -0.30],  # points of the score
    }
)


@dataclass(frozen=True)
class KnownPool:
    """A scored pool with the true outcomes of every document.

    Attributes
    ----------
    frame
        ``doc_id``, ``doc_type``, ``cer``, ``confidence``, ``risk``.
    outcomes
        One column for each of what is estimated, in the order of ``frame``.
    kept
        Auxiliaries by sample size, once they were asked for.
    """

    name: str
    frame: pd.DataFrame
    outcomes: pd.DataFrame
    kept: dict[int, tuple[Floats, Floats]] = field(default_factory=dict)

    @cached_property
    def index(self) -> "pd.Index[Any]":
        """Ids of the documents in order."""
        index: pd.Index[Any] = pd.Index(self.frame["doc_id"])
        return index

    def places(self, ids: "pd.Series[str]") -> npt.NDArray[np.intp]:
        """Places of documents."""
        return self.index.get_indexer(pd.Index(ids))

    @property
    def truth(self) -> "pd.Series[float]":
        """Mean of each outcome over the pool."""
        return self.outcomes.mean()

    def known(self, n: int) -> tuple[Floats, Floats]:
        """Auxiliary columns that a sample of n documents can use, and their means."""
        if n not in self.kept:
            matrix = auxiliaries(self.frame, n=n)[0]
            self.kept[n] = matrix, matrix.mean(axis=0)
        return self.kept[n]


def simulated_pool(size: int = 100_000, *, seed: int = 1) -> KnownPool:
    """Large pool."""
    rng = np.random.default_rng(seed)
    of = TYPES.iloc[rng.choice(len(TYPES), size, p=TYPES["share"])].reset_index(drop=True)
    clean = rng.random(size) < of["clean"]
    spread = np.exp(1.3 * rng.normal(size=size))
    cer = np.where(clean, 0.0, np.minimum(of["median"] * spread, 1.6))
    steps = np.log10(1 + 100 * cer)
    confidence = 1 / (1 + np.exp(2.0 * steps - 3.2 - rng.normal(size=size)))
    wrong = rng.random(size) < np.minimum(0.6, 0.015 + 4 * cer)
    stamped = rng.random(size) < 0.004
    level = 4.95 - 1.85 * steps + of["shift"] + 0.45 * rng.normal(size=size)
    level -= wrong * rng.choice([1.0, 2.0], size)
    score = np.clip(np.round(level), 1, 5)
    frame = pd.DataFrame(
        {
            "doc_id": [f"page-{place:06d}" for place in range(size)],
            "doc_type": of["name"],
            "cer": cer,
            "confidence": confidence,
        }
    )
    outcomes = _outcomes(score).assign(
        **{
            "wrong field": wrong * 1.0,
            "unusable letter": (score <= 1) * (of["name"] == "letter").to_numpy() * 1.0,
            "stamped": stamped * 1.0,
        }
    )
    return KnownPool("simulated", frame.assign(risk=risk_scores(frame)), outcomes)


def scrambled(pool: KnownPool, *, share: float = 0.7, seed: int = 2) -> KnownPool:
    """Pool in which the error rates of some documents belong to others."""
    rng = np.random.default_rng(seed)
    moved = np.flatnonzero(rng.random(len(pool.frame)) < share)
    frame = pool.frame.copy()
    columns = ["cer", "confidence", "risk"]
    frame.loc[moved, columns] = frame.loc[rng.permutation(moved), columns].to_numpy()
    return KnownPool("scrambled", frame, pool.outcomes)


def bundled_pool() -> KnownPool:
    """Pool of the example; its error rates are real, its scores simulated."""
    pool = read_pool(BUNDLED)
    scores = score_texts(
        pool["reference"].tolist(), pool["hypothesis"].tolist(), metrics=["cer", "ned"]
    )
    frame = pool.assign(cer=scores["cer"].to_numpy(), ned=scores["ned"].to_numpy())
    frame["risk"] = risk_scores(frame)
    truth = true_scores(frame, dimensions=["meaning"], scale=Scale.likert(1, 5), seed=1)
    return KnownPool("bundled", frame, _outcomes(truth["meaning"].to_numpy(dtype=float)))


def _outcomes(score: Floats) -> pd.DataFrame:
    """Score and the two shares that follow from it."""
    return pd.DataFrame(
        {"score": score, "usable": (score >= 4) * 1.0, "unusable": (score <= 1) * 1.0}
    )
