"""Which documents come next when a sample grows."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ocrjury.evaluation.draws import Draw, DrawOptions
from ocrjury.sampling.frame import SHARES


def draw_of(size, *, pages=False):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "doc_id": [f"d{place:04d}" for place in range(size)],
            "stratum": rng.choice(["bill", "note"], size),
            "risk": np.clip(rng.exponential(0.1, size), 0.002, 1),
        }
    )
    if pages:
        frame["page"] = [f"p{place // 2:04d}" for place in range(size)]
        frame["stratum"] = frame["stratum"].to_numpy()[np.arange(size) // 2]
    options = DrawOptions(shares=SHARES, floor=2, stratum="stratum", risk="risk", design="mixture")
    return Draw(frame, options, seed=5)


def as_items(drawn):
    return [SimpleNamespace(**row) for row in drawn.to_dict(orient="records")]


@pytest.mark.parametrize("pages", [False, True])
@pytest.mark.parametrize("share", [0.2, 0.5, 1.0])
def test_the_next_documents_come_first_in_the_order_of_growth(share, pages):
    draw = draw_of(900, pages=pages)
    sample = as_items(draw.sample(120))
    before = [item.doc_id for item in sample]

    order = draw.whole(sample)["doc_id"].tolist()
    larger = set(draw.enlarged(sample, more=int(share * 120))["doc_id"])

    assert sorted(order) == draw.frame["doc_id"].tolist()
    assert order[:120] == before
    assert larger <= set(order[:240])


def test_in_a_small_pool_twice_the_sample_comes_first():
    draw = draw_of(150)
    sample = as_items(draw.sample(20))

    order = draw.whole(sample)["doc_id"].tolist()

    assert set(order[:40]) == set(draw.enlarged(sample, more=20)["doc_id"])
