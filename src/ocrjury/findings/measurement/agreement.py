"""Measure the agreement on one dimension."""

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd

from ocrjury import agreement
from ocrjury.agreement.disagreement import (
    find_disagreements,
    find_problem_patterns,
    mean_distribution,
)
from ocrjury.agreement.gwet import brennan_prediger
from ocrjury.agreement.intraclass import iccs_of_all_ratings
from ocrjury.agreement.kappa import cohen_kappa, conger_kappa
from ocrjury.agreement.krippendorff import krippendorff_alpha
from ocrjury.agreement.marginals import prevalence
from ocrjury.agreement.measurement import measure_agreement, measure_counts
from ocrjury.agreement.patterns import clusters_of, usable
from ocrjury.agreement.rater_pairs import pairwise_kappa
from ocrjury.agreement.suggestions import suggest_improvements
from ocrjury.agreement.weights import WeightName, with_weights
from ocrjury.bias.profiles import profiles_of_table
from ocrjury.estimate import Estimate, Resampling
from ocrjury.estimation.interval import within_scale
from ocrjury.estimation.plain_average import plain_mean
from ocrjury.findings.agreement import (
    AgreementFinding,
    Disagreements,
    ItemSpread,
    PairKappa,
    PairKappas,
    PairSpread,
    Pattern,
    PrevalenceIndices,
    Profile,
    Suggestion,
    Variants,
)
from ocrjury.findings.measurement.confusions import measure_confusions
from ocrjury.findings.measurement.judges import Scores, measure_judge
from ocrjury.findings.measurement.level_pairs import measure_level_pairs
from ocrjury.findings.measurement.rater_means import means_by_rater
from ocrjury.rater_model.severity import rater_severities
from ocrjury.ratings import RatingTable
from ocrjury.scales import LEVELS
from ocrjury.statistics import STATISTICS

DIVIDED_KEPT: Final = 50
"""Items that are kept of all on which raters lie far apart, the widest first."""
_OWN_WEIGHTS: Final[Mapping[str, WeightName]] = {"likert": "quadratic"}
_SPREAD: Final = tuple(row.name for row in fields(ItemSpread))


def measure_dimension(
    dimension: str,
    table: RatingTable,
    *,
    ci: Resampling | None = "jackknife",
    seed: int = 0,
    judges: Mapping[str, Scores] | None = None,
    threshold: float | None = None,
    kept: int | None = DIVIDED_KEPT,
) -> AgreementFinding:
    """Everything about the agreement on one dimension; of counts, what they can tell.

    Parameters
    ----------
    judges
        By name, the scores of automatic judges.
    threshold
        Range from which ratings lie far apart, None for the scale's own.
    kept
        How many of the items on which they do are listed, None for all.
    """
    measure = measure_counts if table.anonymous else measure_agreement
    kind, estimates = table.scale.kind, measure(table, ci=ci, seed=seed)
    no_pairs = kind == "interval" or table.anonymous
    pairs = None if no_pairs else pair_kappas(table, _OWN_WEIGHTS.get(kind, "none"))
    return AgreementFinding(
        dimension=dimension,
        n_items=table.n_items,
        n_raters=table.n_raters,
        n_ratings=table.n_ratings,
        estimates=estimates,
        disagreements=_disagreements(table, threshold=threshold, kept=kept),
        ci=ci,
        pairs=pairs,
        patterns=tuple(
            Pattern(pattern.kind, tuple(map(str, pattern.subjects)), pattern.sentence)
            for pattern in ([] if table.anonymous else find_problem_patterns(table))
        ),
        suggestions=tuple(
            Suggestion(suggestion.kind, suggestion.sentence)
            for suggestion in suggest_improvements(estimates, scale=table.scale)
        ),
        item_means=tuple(mean_distribution(table)["n_items"].astype(int).tolist())
        if kind in {"likert", "binary"}
        else (),
        profiles=measure_profiles(table),
        judges=tuple(
            measure_judge(judge, table, scores) for judge, scores in (judges or {}).items()
        ),
        confusions=measure_confusions(table),
        level_pairs=measure_level_pairs(table, pairs),
    )


def measure_variants(
    table: RatingTable, *, ci: Resampling | None = "jackknife", seed: int = 0
) -> Variants:
    """Coefficients in every form that the scale bears, and the plain mean of item means."""
    scale = table.scale
    levels = [level for level in LEVELS if level != "ratio" or scale.low >= 0]
    weights: tuple[WeightName, ...] = ("none", "linear", "quadratic")
    fitting = {"interval": (), "likert": weights}.get(scale.kind, weights[:1])
    return Variants(
        estimates=_other_kappas(table, ci, seed),
        alpha={
            level: krippendorff_alpha(table, level=level, ci=ci, seed=seed)
            for level in (levels if scale.ordered else ())
        },
        icc=iccs_of_all_ratings(table) if scale.ordered and not table.anonymous else {},
        weighted={
            name: {
                key: getattr(agreement, key)(table, weights=name, ci=ci, seed=seed)
                for key, row in STATISTICS.items()
                if row.weighted and not (table.anonymous and row.compares_raters)
            }
            for name in fitting[1:]
        },
        pairs=() if table.anonymous else tuple(pair_kappas(table, name) for name in fitting),
        prevalence=_prevalence(table),
        plain_mean=_plain_mean(table),
    )


def pair_kappas(table: RatingTable, weights: WeightName) -> PairKappas:
    """Kappa of every pair of raters."""
    frame = pairwise_kappa(table, weights=weights)
    method = with_weights(str(STATISTICS["cohen_kappa"].label), weights)
    rows = tuple(
        PairKappa(
            str(row["rater_a"]),
            str(row["rater_b"]),
            _of_pair(row, method),
        )
        for row in frame.to_dict("records")
    )
    n = int(frame.attrs["n_pairs"])
    numbers = {key: frame.attrs[key] for key in ("mean", "sd", "min", "median", "max")}
    return PairKappas(weights, rows, PairSpread(n=n, undefined=len(rows) - n, **numbers))


def _of_pair(row: Mapping[Hashable, Any], method: str) -> Estimate:
    """Kappa of one pair of raters."""
    return Estimate(
        row["value"],
        row["low"],
        row["high"],
        row["se"],
        n_items=int(row["n_items"]),
        n_raters=2,
        method=method,
        reason=row["reason"],
    )


def measure_profiles(table: RatingTable) -> tuple[Profile, ...]:
    """Profile of each rater, the strictest first."""
    if not table.n_ratings or table.anonymous:
        return ()
    scale, severities = table.scale, rater_severities(table)
    frame = profiles_of_table(table, severities)
    if scale.ordered:  # nobody is farther from colleagues than the scale is long
        length = scale.high - scale.low
        severities = {
            rater: within_scale(severity, low=-length, high=length)
            for rater, severity in severities.items()
        }
    means = means_by_rater(table)
    names = [f"n_{category}" for category in scale.categories]
    counts = frame[names].to_numpy(dtype=int).tolist()
    return tuple(
        Profile(
            rater=str(row["rater"]),
            rank=None if pd.isna(row["severity_rank"]) else int(row["severity_rank"]),
            count=int(row["count"]),
            low=float(row["min"]),
            high=float(row["max"]),
            counts=tuple(numbers),
            mean=means[row["rater"]],
            severity=severities[row["rater"]],
            **{name: row[name] for name in ("sd", "median", "skew", "kurtosis")},
        )
        for row, numbers in zip(frame.to_dict("records"), counts, strict=True)
    )


def _other_kappas(table: RatingTable, ci: Resampling | None, seed: int) -> dict[str, Estimate]:
    """Coefficients beside those of `measure_agreement`."""
    if table.scale.kind == "interval":
        return {}
    measures: dict[str, Callable[..., Estimate]] = {}
    if table.n_raters == 2 and not table.anonymous:
        measures["cohen_kappa"] = cohen_kappa
        if table.scale.kind == "likert":
            measures["cohen_kappa_quadratic"] = partial(cohen_kappa, weights="quadratic")
    if not table.anonymous:
        measures["conger_kappa"] = conger_kappa
    measures["brennan_prediger"] = brennan_prediger
    return {key: measure(table, ci=ci, seed=seed) for key, measure in measures.items()}


def _prevalence(table: RatingTable) -> PrevalenceIndices | None:
    """Indices of two binary raters, None for others."""
    if table.scale.kind != "binary" or table.n_raters != 2 or table.anonymous:
        return None
    indices = prevalence(table)
    return PrevalenceIndices(
        **{row.name: getattr(indices, row.name) for row in fields(PrevalenceIndices)}
    )


def _plain_mean(table: RatingTable) -> Estimate:
    """Mean of the items, each counting the same; undefined for categories."""
    if not table.scale.ordered:
        return Estimate(math.nan, reason="scale_mismatch")
    n = np.bincount(table.item, minlength=table.n_items)
    sums = np.bincount(table.item, weights=table.values, minlength=table.n_items)
    low, high = table.scale.low, table.scale.high
    share = (low, high) == (0, 1)
    mean = plain_mean(sums[n > 0] / n[n > 0], cluster=clusters_of(table, n > 0), share=share)
    return within_scale(mean, low=low, high=high)


def _disagreements(
    table: RatingTable, *, threshold: float | None, kept: int | None
) -> Disagreements:
    frame = find_disagreements(table, threshold=threshold)
    shown = frame if kept is None else frame.head(kept)
    table, divided = usable(table, "measure_dimension"), set(frame["item"])
    paired = np.flatnonzero(np.bincount(table.item, minlength=table.n_items) > 1)
    return Disagreements(
        threshold=frame.attrs["threshold"],
        n_items=int(frame.attrs["n_items"]),
        n=len(frame),
        rate=frame.attrs["rate"],
        share=plain_mean(
            [float(table.items[place] in divided) for place in paired],
            weight=None if table.item_weight is None else table.item_weight[paired],
            cluster=clusters_of(table, paired),
        ),
        rows=tuple(
            ItemSpread(**{**dict(zip(_SPREAD, row, strict=True)), "item": str(row[0])})
            for row in zip(*(shown[name].tolist() for name in _SPREAD), strict=True)
        ),
    )
