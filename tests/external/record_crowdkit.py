"""Write what crowd-kit answers on fixed tables into tests/data/crowdkit.json.

    make peers
    .venv/bin/python tests/external/record_crowdkit.py

CI has no crowd-kit and compares with what is recorded; `make test-external` compares with the real
one, and whether it still gives what is recorded.
"""

import json
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.append(str(Path(__file__).parents[2] / "out" / "peers"))
DATA = Path(__file__).parents[1] / "data"
RECORD = DATA / "crowdkit.json"
ITERATIONS, LONG = 20, 60
NEVER = -np.inf  # as tolerance: never stop early


def main():
    """Write the record."""
    warnings.simplefilter("ignore")
    answers = {
        "about": "Made by tests/external/record_crowdkit.py; ratings by item, then rater",
        "versions": {name: version(name) for name in ("crowd-kit", "numpy", "pandas")},
        "tables": {name: answer(rows) for name, rows in tables().items()},
    }
    RECORD.write_text(json.dumps(answers, separators=(",", ":")) + "\n", encoding="utf-8")


def tables():
    """{name: ratings of shape (N, M)}; on both every rater uses every category."""
    return {
        "agreeing": draw(n_items=50, n_raters=5, n_categories=3, right=0.75, seed=1),
        "disagreeing": draw(n_items=80, n_raters=8, n_categories=5, right=0.45, seed=4),
    }


def draw(*, n_items, n_raters, n_categories, right, seed):
    """Ratings that are right with one probability, else any category."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, n_categories, (n_items, 1))
    knows = rng.random((n_items, n_raters)) < right
    return np.where(knows, true, rng.integers(0, n_categories, (n_items, n_raters)))


def answer(ratings):
    """What crowd-kit's two models of Dawid and Skene say."""
    from crowdkit.aggregation import DawidSkene, MajorityVote, OneCoinDawidSkene

    frame = long(ratings)
    usual, on = DawidSkene().fit(frame), DawidSkene(n_iter=LONG, tol=NEVER).fit(frame)
    return {
        "ratings": ["".join(map(str, row)) for row in ratings.tolist()],
        "majority_vote": numbers(MajorityVote().fit_predict_proba(frame)),
        "dawid_skene": numbers(DawidSkene(n_iter=ITERATIONS, tol=NEVER).fit_predict_proba(frame)),
        "one_coin": numbers(
            OneCoinDawidSkene(n_iter=ITERATIONS, tol=NEVER).fit_predict_proba(frame)
        ),
        "usual": {
            "n_iter": len(usual.loss_history_),
            "probabilities": numbers(usual.probas_),
            "class_prior": usual.priors_.sort_index().round(12).tolist(),
            # rater, observed, true -> rater, true, observed
            "confusion": usual.errors_.sort_index(axis=0)
            .sort_index(axis=1)
            .to_numpy()
            .reshape(ratings.shape[1], -1, usual.errors_.shape[1])
            .transpose(0, 2, 1)
            .round(12)
            .tolist(),
        },
        "losses": np.round(on.loss_history_, 12).tolist(),
    }


def long(ratings):
    """The ratings as crowd-kit takes them."""
    n_items, n_raters = ratings.shape
    return pd.DataFrame(
        {
            "task": np.repeat(np.arange(n_items), n_raters),
            "worker": np.tile(np.arange(n_raters), n_items),
            "label": ratings.ravel(),
        }
    )


def numbers(probabilities):
    """Probabilities of shape (N, K), in order of items and categories."""
    return probabilities.sort_index(axis=0).sort_index(axis=1).round(12).to_numpy().tolist()


if __name__ == "__main__":
    main()
