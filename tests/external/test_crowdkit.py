"""Against the real crowd-kit."""

import json
from pathlib import Path

import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.truth import aggregate
from tests.external import record_crowdkit

RECORD = json.loads((Path(__file__).parents[1] / "data" / "crowdkit.json").read_text())
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("name", RECORD["tables"])
def test_crowd_kit_still_answers_what_is_recorded(name):
    recorded = RECORD["tables"][name]

    now = record_crowdkit.answer(record_crowdkit.tables()[name])

    assert now["ratings"] == recorded["ratings"]
    for key in ("majority_vote", "dawid_skene", "one_coin", "losses"):
        assert np.array(now[key]) == pytest.approx(np.array(recorded[key]), abs=1e-9)
    assert now["usual"]["n_iter"] == recorded["usual"]["n_iter"]


@pytest.mark.parametrize(
    "method", ["MajorityVote", "DawidSkene", "OneCoinDawidSkene", "GLAD", "MACE", "MMSR"]
)
def test_its_aggregators_answer_by_name(method):
    ratings = record_crowdkit.tables()["agreeing"]
    table = RatingTable.from_matrix(ratings, scale=Scale.likert(0, 2))

    truth = aggregate(table, method=f"crowdkit:{method}")

    assert truth.probabilities.sum(axis=1) == pytest.approx(1)
    majority = aggregate(table, method="majority_vote")
    assert (truth.label == majority.label).mean() > 0.85


def test_dawid_skene_learns_from_gold():
    ratings = record_crowdkit.tables()["disagreeing"]
    table = RatingTable.from_matrix(ratings, scale=Scale.likert(0, 4))

    truth = aggregate(table, method="crowdkit:DawidSkene", gold={0: 3, 1: 2}, n_iter=50)

    assert truth.label[:2].tolist() == [3, 2]
    assert truth.confidence[:2].tolist() == [1.0, 1.0]
