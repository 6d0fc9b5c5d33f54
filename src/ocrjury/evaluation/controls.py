"""Accuracy and steadiness of the raters, confidence of the truths, and cost of a round."""

import math
from collections import Counter
from typing import Any

import pandas as pd

from ocrjury.campaign.accuracy import measure_accuracy
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.inference import Inferred
from ocrjury.findings.raters import Accuracies, Accuracy, Control
from ocrjury.findings.rounds import RoundSummary
from ocrjury.store.results import Result

KEYS = ["item", "rater"]


def control_results(case: Case, inferred: Inferred | None, *, inputs: str) -> list[Result]:
    """Summarise the last round beside its truths and its verdict.

    A ``round`` with its size, cost and confidence; a ``calibration`` of every dimension that was
    checked against gold; and ``control``: accuracy on gold and steadiness of every rater.
    """
    number = case.rounds[-1].round
    results = [Result(number, "round", "*", summarize_round(case, inferred).to_json(), inputs)]
    if inferred is None:
        return results
    results += [
        Result(number, "calibration", name, truth.calibration.to_json(), inputs)
        for name, truth in inferred.truths.items()
        if truth.calibration is not None
    ]
    controls = {name: measure_control(case, name) for name in case.dimensions}
    return results + [
        Result(number, "control", name, control.to_json(), inputs)
        for name, control in controls.items()
        if control != Control()
    ]


def summarize_round(case: Case, inferred: Inferred | None) -> RoundSummary:
    """Size and cost of the last round, and the confidence of the labels after it."""
    number = case.rounds[-1].round
    done = [row for row in case.last_assignments if row.state == "done"]
    cost = {person.pseudonym: person.cost for person in case.raters}
    given = Counter(case.ratings.loc[case.ratings["round"] == number, "round_kind"])
    checks = given["gold"] + given["repeat"]
    return RoundSummary(
        items=len({row.item for row in done if row.reason not in {"gold", "repeat"}}),
        assignments=len(done),
        ratings=given.total() - checks,
        gold_ratings=given["gold"],
        second_ratings=given["repeat"],
        raters=len({row.rater for row in done}),
        cost=float(sum(cost.get(row.rater, 1.0) for row in done)),
        **_confidence(case, inferred),
    )


def measure_control(case: Case, dimension: str) -> Control:
    """Accuracy on gold and steadiness of the raters of a dimension."""
    of = case.ratings[case.ratings["dimension"] == dimension]
    known = case.gold.get(dimension, {})
    given = of[of["round_kind"].isin(["main", "gold"])]
    on_gold = given[given["item"].isin(list(known))]
    on_gold = on_gold.assign(known=on_gold["item"].map(known))
    first = given[[*KEYS, "rating"]].rename(columns={"rating": "known"})
    again = of[of["round_kind"] == "repeat"].merge(first, on=KEYS)
    return Control(gold=_accuracies(case, on_gold), second=_accuracies(case, again))


def _accuracies(case: Case, rows: pd.DataFrame) -> Accuracies | None:
    """Accuracy of all raters and of each, None without a rating."""
    if rows.empty:
        return None
    by_rater = {str(rater): _accuracy(case, own) for rater, own in rows.groupby("rater")}
    return Accuracies(_accuracy(case, rows), by_rater)


def _accuracy(case: Case, rows: pd.DataFrame) -> Accuracy:
    """Nearness of ratings to known values."""
    scale = case.campaign.rubric.scale
    return measure_accuracy(
        rows["rating"].tolist(),
        rows["known"].tolist(),
        scale=scale,
        tolerance=case.campaign.rounds.pilot.criterion.tolerance_on(scale),
    )


def _confidence(case: Case, inferred: Inferred | None) -> dict[str, Any]:
    """Share of uncertain labels and their mean confidence over all dimensions."""
    labelled = [] if inferred is None else inferred.labelled
    if inferred is None or not labelled:
        return {"uncertain_share": math.nan, "confidence": math.nan, "calibrated": None}
    truths = [inferred.truths[name] for name in labelled]
    target = case.campaign.truth.target_confidence
    unsure = inferred.uncertain_items(target)
    confident = [float(truth.confidence.mean()) for truth in truths if truth.items]
    n_items = len({item for truth in truths for item in truth.items})
    return {
        "uncertain_share": len(unsure) / n_items if n_items else math.nan,
        "confidence": sum(confident) / len(confident) if confident else math.nan,
        "calibrated": all(truth.calibration is not None for truth in truths),
    }
