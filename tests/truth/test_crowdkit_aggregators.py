"""Crowd-kit's answers were recorded by tests/external/record_crowdkit.py."""

import json
import sys
import types
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.truth import aggregate, calibrated_truth, dawid_skene, majority_vote, one_coin
from ocrjury.truth.fitting import gather_evidence
from ocrjury.truth.labels import Parameters
from ocrjury.truth.likelihood import posterior

RECORD = json.loads((Path(__file__).parents[1] / "data" / "crowdkit.json").read_text())["tables"]
CLASSIC = {"prior": "none", "class_prior": "estimated"}
PLAIN = {"accelerate": False, "tol": 0.0, "max_iter": 20}

every_table = pytest.mark.parametrize("name", RECORD)


def table_of(name):
    matrix = [[int(digit) for digit in row] for row in RECORD[name]["ratings"]]
    return RatingTable.from_matrix(matrix, scale=Scale.likert(0, int(np.max(matrix))))


@pytest.mark.oracle
@every_table
def test_majority_and_dawid_skene_equal_crowd_kits_at_twenty_iterations(name):
    table, theirs = table_of(name), RECORD[name]

    truth = dawid_skene(table, **CLASSIC, **PLAIN)

    assert truth.probabilities == pytest.approx(np.array(theirs["dawid_skene"]), abs=1e-9)
    assert majority_vote(table).probabilities == pytest.approx(np.array(theirs["majority_vote"]))


@pytest.mark.oracle
@every_table
def test_one_coin_equals_crowd_kits_at_twenty_iterations(name):
    truth = one_coin(table_of(name), strength=0.0, class_prior="estimated", **PLAIN)

    assert truth.probabilities == pytest.approx(np.array(RECORD[name]["one_coin"]), abs=1e-8)


# Crowd-kit stops where its "evidence lower bound" rises by less than 1e-5, or falls. It counts the
# class prior once per rating instead of once per item, so that it is no bound: correct steps, which
# never lower the likelihood, lower it.
@pytest.mark.oracle
def test_crowd_kit_stops_because_its_bound_falls_while_the_likelihood_rises():
    theirs = RECORD["disagreeing"]
    table, losses = table_of("disagreeing"), np.array(theirs["losses"])

    steps = dawid_skene(table, **CLASSIC, **{**PLAIN, "max_iter": len(losses)})

    stopped = theirs["usual"]["n_iter"]
    assert stopped == 9
    assert losses[stopped - 1] < losses[stopped - 2]
    assert (np.diff(losses) < 0).sum() > len(losses) / 2
    assert (np.diff(steps.objective) > -1e-9).all()
    assert steps.objective[-1] > steps.objective[stopped - 1] + 3.5  # nats


@pytest.mark.oracle
def test_where_crowd_kit_stops_its_labels_are_not_those_of_the_optimum():
    table, theirs = table_of("disagreeing"), RECORD["disagreeing"]["usual"]
    blocks = gather_evidence(table, caller="test", gold=None, warm_start=None).blocks
    parameters = Parameters(np.array(theirs["confusion"]), np.array(theirs["class_prior"]))

    _, reached = posterior(blocks, parameters)
    best = dawid_skene(table, **CLASSIC, tol=1e-9, max_iter=2000)

    assert best.log_likelihood > reached + 3.5
    others = np.array(theirs["probabilities"]).argmax(axis=1) != best.label
    assert others.sum() == 6  # of 80


class Doubtful:
    """An aggregator that knows majorities, halfway."""

    __module__ = "crowdkit.aggregation.classification.doubtful"

    def __init__(self, doubt=0.5):
        self.doubt = doubt

    def fit(self, data):
        shares = pd.crosstab(data["task"], data["label"], normalize="index")
        self.probas_ = shares * (1 - self.doubt) + self.doubt / shares.shape[1]
        return self

    def fit_predict(self, data):
        return self.fit(data).probas_.idxmax(axis="columns")


class Taught(Doubtful):
    """One that has labels only, and wants to know some."""

    __module__ = "crowdkit.aggregation.classification.taught"

    def fit(self, data, true_labels):
        self.known = true_labels
        return self

    def fit_predict(self, data, true_labels):
        Taught.told = self.fit(data, true_labels).known.to_dict()
        return data.groupby("task")["label"].max()


class Broken(Doubtful):
    __module__ = "crowdkit.aggregation.classification.broken"

    def fit_predict(self, data):
        raise AttributeError("no tags")


class Chooses(Doubtful):
    """One with options that are called like our own, as crowd-kit's MACE has ``method``."""

    __module__ = "crowdkit.aggregation.classification.chooses"

    def __init__(self, method="vb", gold=None, doubt=0.5):
        super().__init__(doubt)
        Chooses.chosen = method, gold


class Texts(Doubtful):
    __module__ = "crowdkit.aggregation.texts"


@pytest.fixture
def crowdkit(monkeypatch):
    """Pretend that a small crowd-kit is installed."""
    package = types.ModuleType("crowdkit.aggregation")
    for aggregator in (Doubtful, Taught, Broken, Chooses, Texts):
        setattr(package, aggregator.__name__, aggregator)
    monkeypatch.setitem(sys.modules, "crowdkit", types.ModuleType("crowdkit"))
    monkeypatch.setitem(sys.modules, "crowdkit.aggregation", package)


MATRIX = [[2, 2, 3], [1, 1, 1], [None, None, None], [3, 3, None]]
TABLE = RatingTable.from_matrix(MATRIX, scale=Scale.likert(1, 5), items=list("abcd"))


def test_probabilities_are_on_our_categories_and_items(crowdkit):
    truth = aggregate(TABLE, method="crowdkit:Doubtful", doubt=0.0)

    assert truth.items == ("a", "b", "c", "d")
    assert truth.label.tolist() == [2, 1, 1, 3]
    assert truth.probabilities[0] == pytest.approx([0, 2 / 3, 1 / 3, 0, 0])
    assert truth.probabilities[2] == pytest.approx([3 / 8, 2 / 8, 3 / 8, 0, 0])
    assert truth.confusion.shape == (3, 5, 5)


def test_what_is_known_is_certain_and_told_to_those_who_listen(crowdkit):
    gold = {"a": 3, "b": 2, "elsewhere": 1}

    truth = aggregate(TABLE, method="crowdkit:Taught", gold=gold)
    deaf = aggregate(TABLE, method="crowdkit:Doubtful", gold=gold)

    assert Taught.told == {0: 2, 1: 1}
    assert truth.label.tolist() == [3, 2, 1, 3]
    assert deaf.label[:2].tolist() == [3, 2]
    assert truth.known.tolist() == [True, True, False, False]
    assert truth.confidence[:2].tolist() == deaf.confidence[:2].tolist() == [1.0, 1.0]


def test_it_can_be_calibrated_like_any_other(crowdkit):
    matrix = [[1, 1, 1], [2, 2, 2], [1, 2, 2]] * 20
    table = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 2))
    gold = {item: matrix[item][2] for item in range(40)}

    truth = calibrated_truth(table, gold, method="crowdkit:Doubtful", doubt=0.5)

    assert truth.calibration.applied
    assert truth.temperature < 1
    assert truth.confidence[:40].tolist() == [1.0] * 40


def test_without_crowd_kit_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "crowdkit", None)

    with pytest.raises(InputError, match=r"'crowdkit:GLAD' needs crowd-kit.*pip install crowd-kit"):
        aggregate(TABLE, method="crowdkit:GLAD")


def test_other_names_are_refused_with_those_there_are(crowdkit):
    with pytest.raises(InputError, match=r"no aggregator .* named 'Texts'; it has Broken, Choos"):
        aggregate(TABLE, method="crowdkit:Texts")


def test_other_options_are_refused_with_those_there_are(crowdkit):
    with pytest.raises(InputError, match="Doubtful has no option 'n_iter'; it has doubt"):
        aggregate(TABLE, method="crowdkit:Doubtful", n_iter=3)


def test_options_called_like_ours_have_an_underscore(crowdkit):
    gold = {"a": 3}

    truth = aggregate(TABLE, method="crowdkit:Chooses", gold=gold, method_="em", gold_=1, doubt=0.0)

    assert Chooses.chosen == ("em", 1)
    assert truth.label.tolist() == [3, 1, 1, 3]
    calibrated_truth(TABLE, gold, method="crowdkit:Chooses", method_="vb")
    assert Chooses.chosen == ("vb", None)
    with pytest.raises(InputError, match="no option 'metod_'; it has method_, gold_, doubt"):
        aggregate(TABLE, method="crowdkit:Chooses", metod_="em")


def test_an_error_inside_crowd_kit_says_where_it_came_from(crowdkit):
    with pytest.raises(AttributeError, match="no tags") as caught:
        aggregate(TABLE, method="crowdkit:Broken")

    assert caught.value.__notes__ == ["This was raised inside crowd-kit's Broken."]


def test_a_continuous_scale_is_refused(crowdkit):
    continuous = RatingTable.from_matrix([[0.5]], scale=Scale.interval(0, 1))

    with pytest.raises(InputError, match="crowdkit:Doubtful needs categories"):
        aggregate(continuous, method="crowdkit:Doubtful")


def test_a_table_without_ratings_needs_no_aggregator(crowdkit):
    silent = RatingTable.from_matrix([[None, None]], scale=Scale.likert(1, 2))

    truth = aggregate(silent, method="crowdkit:Broken")

    assert truth.probabilities.tolist() == [[0.5, 0.5]]
