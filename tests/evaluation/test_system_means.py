import numpy as np
import pandas as pd
import pytest

from ocrjury.estimation import RatedSample
from ocrjury.evaluation.system_means import SystemSample


def sampled(*, apart, pages=40):
    """Two systems that read the same pages, hard or easy for both, of a pool of twice as many."""
    rng = np.random.default_rng(1)
    items = pd.DataFrame(
        {
            "item": [f"{system}{page}" for page in range(pages) for system in "ab"],
            "system": ["a", "b"] * pages,
            "page": np.repeat(np.arange(pages), 2),
            "inclusion_probability": 0.5,
        }
    )
    items["cluster"] = np.arange(2 * pages) if apart else items["page"]
    score = np.repeat(rng.normal(3, 1, pages), 2) + rng.normal(0, 0.2, 2 * pages)
    ratings = pd.concat(
        pd.DataFrame({"item": items["item"], "rater": rater, "rating": score + move})
        for rater, move in (("R1", rng.normal(0, 0.2, 2 * pages)), ("R2", 0.0))
    )
    none = np.zeros((2 * pages, 0))
    return SystemSample(RatedSample(ratings, items, none, []), items, none)


def test_outputs_of_a_page_that_were_drawn_apart_are_no_pair():
    together, apart = sampled(apart=False), sampled(apart=True)

    pairs = together.difference("a", "b", together=True).these
    by_chance = apart.difference("a", "b", together=True).these
    single = apart.difference("a", "b", together=False).these

    assert by_chance.se == pytest.approx(single.se)
    assert pairs.se < 0.7 * single.se
