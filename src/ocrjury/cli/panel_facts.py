"""What is known of all dimensions of a file together: verdict, raters, bias, composite score."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ocrjury.bias import measure_bias, rater_profiles
from ocrjury.cli.coefficients import Resampling
from ocrjury.cli.dimension_facts import DimensionFacts, examine_dimension
from ocrjury.cli.judge_scores import Scores, scores_of
from ocrjury.cli.plain_values import plain, rows_of
from ocrjury.dimensions import Method, composite_score, dimension_correlation
from ocrjury.errors import InputError
from ocrjury.estimation.plain import plain_mean
from ocrjury.gate import Diagnosis, GatePolicy, judge
from ocrjury.gate.policy import PresetName
from ocrjury.ratings import RatingTable
from ocrjury.ratings.files import ORDER

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.bias import BiasFinding
    from ocrjury.estimate import Estimate
    from ocrjury.gate import Verdict
    from ocrjury.scales import Scale

WEIGHT = "item_weight"
"""Column of a long frame with the weight of the item, where there is one."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a command line asks of ratings."""

    ci: Resampling | None = "jackknife"
    seed: int = 0
    policy: PresetName = "default"
    threshold: float | None = None
    composite: Method = "mean"
    dimension_weights: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Bias:
    """What the tests for bias found, and why they did not use the order of the ratings."""

    findings: "list[BiasFinding]"
    order_refused: str | None = None


@dataclass(frozen=True, slots=True)
class Together:
    """Several dimensions as one: how they go together, and one score for each item and rater."""

    correlation: "pd.DataFrame"
    composite: "pd.DataFrame"
    mean: "Estimate"

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "correlation": rows_of(self.correlation),
            "composite": {
                **plain(self.composite.attrs),
                "plain_mean": self.mean.to_json(),
                "scores": rows_of(self.composite),
            },
        }


@dataclass(frozen=True, slots=True)
class PanelFacts:
    """Everything that `ocrjury agreement` has to say.

    Attributes
    ----------
    dimensions
        By name, in the file's order.
    verdict
        Of the gate under the policy; overall that of the worst dimension.
    worst
        The dimension that decides it.
    means
        Mean over the dimensions of every coefficient that all of them have.
    profiles
        `rater_profiles`.
    together
        None with one dimension, or names without an order.
    """

    dimensions: dict[str, DimensionFacts]
    verdict: "Verdict"
    worst: str
    means: dict[str, float]
    profiles: "pd.DataFrame"
    bias: Bias
    together: Together | None

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        together = None if self.together is None else self.together.to_json()
        return {
            "verdict": {
                **self.verdict.to_json(),
                "worst_dimension": self.worst,
                "mean_over_dimensions": plain(self.means),
            },
            "dimensions": {name: one.to_json() for name, one in self.dimensions.items()},
            "raters": {
                "profiles": rows_of(self.profiles),
                "differences": plain(self.profiles.attrs["differences"]),
            },
            "bias": {
                "findings": [finding.to_json() for finding in self.bias.findings],
                "order_refused": self.bias.order_refused,
            },
            "together": together,
        }


def examine(
    frame: "pd.DataFrame", judges: Mapping[str, Scores], *, scale: "Scale", question: Question
) -> PanelFacts:
    """Return everything about ratings.

    Parameters
    ----------
    frame
        Long frame item, rater, dimension, rating; optionally the columns of `ORDER` and `WEIGHT`.
    judges
        Scores of automatic judges by name.
    """
    names = list(dict.fromkeys(frame["dimension"]))
    weight = WEIGHT if WEIGHT in frame.columns else None
    tables = {
        name: RatingTable.from_long(
            frame[frame["dimension"] == name], scale=scale, item_weight=weight
        )
        for name in names
    }
    dimensions = {
        name: examine_dimension(
            tables[name],
            scores_of(judges, name),
            ci=question.ci,
            seed=question.seed,
            threshold=question.threshold,
        )
        for name in names
    }
    bias = _bias(frame, scale=scale, seed=question.seed)
    verdict = _verdict(dimensions, bias, question)
    together = len(names) > 1 and scale.ordered
    return PanelFacts(
        dimensions,
        verdict,
        worst=_worst(verdict),
        means=mean_over(dimensions),
        profiles=rater_profiles(frame, scale=scale),
        bias=bias,
        together=_together(frame, question) if together else None,
    )


def mean_over(dimensions: Mapping[str, DimensionFacts]) -> dict[str, float]:
    """Return the mean over the dimensions of every coefficient, ``nan`` where one has none."""
    parts = [one.found.coefficients for one in dimensions.values()]
    shared = [key for key in parts[0] if all(key in part for part in parts)]
    return {key: float(np.mean([part[key].value for part in parts])) for key in shared}


def _bias(frame: "pd.DataFrame", *, scale: "Scale", seed: int) -> Bias:
    """Return the findings; where the order of the ratings is nonsense, those without it."""
    try:
        return Bias(measure_bias(frame, scale=scale, seed=seed))
    except InputError as error:
        ordered = [name for name in ORDER if name in frame.columns]
        if not ordered:
            raise
        return Bias(measure_bias(frame.drop(columns=ordered), scale=scale, seed=seed), str(error))


def _verdict(dimensions: Mapping[str, DimensionFacts], bias: Bias, question: Question) -> "Verdict":
    """Return what the gate says; it needs standard errors, also where none are printed."""
    from ocrjury.agreement import measure_agreement

    estimates = {
        name: one.found.coefficients
        if question.ci is not None
        else measure_agreement(one.found.table, seed=question.seed)
        for name, one in dimensions.items()
    }
    diagnosis = Diagnosis(
        findings=cast("Any", bias.findings),
        without_rater={name: one.gains for name, one in dimensions.items()},
        patterns={name: one.patterns for name, one in dimensions.items()},
    )
    return judge(estimates, GatePolicy.preset(question.policy), diagnosis=diagnosis)


def _worst(verdict: "Verdict") -> str:
    """Return the dimension whose decision is that of all, and whose value is the lowest."""
    deciding = {
        name: one.value
        for name, one in verdict.by_dimension.items()
        if one.decision == verdict.decision
    }
    return min(deciding, key=lambda name: (not math.isnan(deciding[name]), deciding[name]))


def _together(frame: "pd.DataFrame", question: Question) -> Together:
    """Return correlations and composite score."""
    weighted = question.dimension_weights is not None
    composite = composite_score(
        frame,
        method="weighted" if weighted else question.composite,
        weights=question.dimension_weights,
    )
    by_item = composite.groupby("item", sort=False)["score"].mean().dropna()
    return Together(dimension_correlation(frame), composite, plain_mean(by_item.to_numpy()))
