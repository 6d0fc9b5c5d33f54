from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ocrjury.evaluation import field_errors as module
from ocrjury.evaluation.field_errors import field_errors

CASE = SimpleNamespace(
    campaign=SimpleNamespace(
        sampling=SimpleNamespace(stratum="doc_type"), rubric=None, auxiliaries_on=lambda _: []
    )
)


@pytest.fixture(autouse=True)
def _judged_by_a_column(monkeypatch):
    """Let the column ``wrong`` tell what a rule of the rubric would."""
    monkeypatch.setattr(module, "ruled_kinds", lambda *_: frozenset({"amount", "date"}))
    monkeypatch.setattr(
        module, "_wrong", lambda _, fields, **__: fields["wrong"].astype(float).tolist()
    )


def fields(seed, *, known):
    """Amounts and dates on shared pages, some without a reference."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "page_id": rng.integers(0, 15, 30),
            "doc_type": rng.choice(["x", "y", "z"], 30),
            "kind": rng.choice(["amount", "date"], 30),
            "confidence": rng.random(30),
            "wrong": rng.random(30) < 0.95,
            "reference": np.where(rng.random(30) < known, "r", None),
            "hypothesis": "h",
        }
    )


@pytest.mark.parametrize("seed", range(30))
def test_no_share_contradicts_what_was_counted(seed):
    pool = fields(seed, known=0.5)

    errors = field_errors(CASE, pool, "meaning")

    judged = pool["reference"].notna()
    wrong = (pool["wrong"] & judged).sum()
    least, most = wrong / 30, (wrong + (~judged).sum()) / 30
    share = errors.share
    assert least - 1e-9 <= share.low <= share.value <= share.high <= most + 1e-9


def test_a_share_that_was_counted_has_no_error():
    pool = fields(0, known=1.0)

    share = field_errors(CASE, pool, "meaning").share

    assert share.value == share.low == share.high == pytest.approx(pool["wrong"].mean())


def test_a_kind_without_any_reference_is_named_and_left_out():
    pool = fields(0, known=1.0)
    pool.loc[pool["kind"] == "date", "reference"] = None

    errors = field_errors(CASE, pool, "meaning")

    assert errors.unjudged == ("date",)
    assert [row.kind for row in errors.by_kind] == ["amount"]
    assert errors.share == errors.by_kind[0].estimate
    assert field_errors(CASE, pool[pool["kind"] == "date"], "meaning") is None
