from types import SimpleNamespace

import numpy as np
import pandas as pd
from scipy.stats import norm

from ocrjury import Estimate
from ocrjury.evaluation import routing
from ocrjury.evaluation.evidence import NO_RATINGS, Evidence

RISK = 0.1


def proven_share(monkeypatch, *, severity, seed, n=400):
    """Share that is proven where each rater calls a share of the confident documents wrong.

    Three fifths of the pool have the confidence .9. The draw is simple, with two raters an item.
    """
    rng = np.random.default_rng(seed)
    raters = len(severity)
    first = np.arange(n) % raters
    rater = np.r_[first, (first + 1 + rng.integers(0, raters - 1, n)) % raters]
    item = np.tile([f"d{number}" for number in range(n)], 2)
    sure = np.where(np.arange(n) < 0.6 * n, 0.9, 0.2)
    called = np.where(np.tile(sure, 2) == 0.2, 0.9, norm.cdf(-1.3 + severity[rater]))
    rating = np.where(rng.random(2 * n) < called, 1.0, 5.0)
    ratings = pd.DataFrame({"item": item, "rater": rater, "rating": rating})
    pool = pd.DataFrame({"doc_id": item[:n], "confidence": sure})
    sample = SimpleNamespace(
        items=pd.DataFrame(
            {
                "item": item[:n],
                "inclusion_probability": 0.05,
                "stratum": "page",
                "cluster": np.arange(n),
            }
        ),
        auxiliary=np.zeros((n, 0)),
    )
    costs = SimpleNamespace(risk=RISK, error=10.0, check=1.0, currency="")
    case = SimpleNamespace(campaign=SimpleNamespace(report=SimpleNamespace(costs=costs)))
    of_pool = SimpleNamespace(
        dimension="meaning", usable_level=4.0, usable=Estimate(0.6, 0.5, 0.7), gold=None
    )
    evidence = Evidence(ratings, NO_RATINGS, NO_RATINGS)
    monkeypatch.setattr(routing, "evidence_on", lambda *_: evidence)
    return routing.measure_routing(case, pool, sample, of_pool=of_pool).share.low


def test_what_lenient_raters_prove_is_seldom_wrong_for_others(monkeypatch):
    # All raters would call norm.cdf(-1.3 / sqrt(1 + .5 ** 2)) = 12 % of the confident ones wrong.
    drawn = np.random.default_rng(1)
    proven = sum(
        proven_share(monkeypatch, severity=drawn.normal(0, 0.5, 4), seed=seed) > 0
        for seed in range(40)
    )

    assert proven <= 3  # 2.5 % of 40, and two standard errors


def test_raters_who_agree_prove_what_they_did(monkeypatch):
    assert proven_share(monkeypatch, severity=np.full(4, -0.8), seed=1) == 0.6
