"""The pool's mean of the inferred labels, with what is not known about them."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats
from ocrjury.estimate import Estimate
from ocrjury.estimation import inferred_mean
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.evidence import answered
from ocrjury.evaluation.inference import Inferred, infer_without
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.store.results import latest_truths

Refits = Mapping[tuple[str, ...], Inferred]
"""Truths inferred without some raters, by those who are left out."""

MOST_REFITS = 20
"""Times that labels are inferred anew; more raters are left out in groups."""


def inferred_scores(case: Case, samples: Mapping[str, Sample]) -> dict[str, Estimate]:
    """Mean inferred label over the pool by dimension; a continuous scale has no labels.

    The labels are those that the store holds. Their interval counts how far it would move them if
    other raters had rated, by leaving out one after the other.
    """
    scales = case.campaign.rubric.scales
    labelled = {
        name: sample
        for name, sample in samples.items()
        if scales[name].ordered and scales[name].kind != "interval"
    }
    if not labelled:
        return {}
    stored = pd.DataFrame(latest_truths(case.work.engine, case.name))
    if stored.empty:
        return {}
    refits = {absent: infer_without(case, absent) for absent in _groups(case)}
    return {
        name: _mean(case, truths, sample, refits=refits, of=name)
        for name, sample in labelled.items()
        if len(truths := stored[stored["dimension"] == name])
    }


def _mean(case: Case, truths: pd.DataFrame, sample: Sample, *, refits: Refits, of: str) -> Estimate:
    labels = dict(zip(truths["item"], truths["probabilities"], strict=True))
    sampled = answered(sample, pd.Index(list(labels)))
    mean = inferred_mean(
        np.array([labels[item] for item in sampled.items]),
        sampled.probability,
        levels=case.campaign.rubric.scales[of].numbers,
        auxiliary=sampled.auxiliary,
        pool_mean=sample.pool_mean,
        cluster=sampled.cluster,
        left_out=_left_out(case, refits, dimension=of, items=sampled.items),
    )
    return replace(mean, n_raters=len(_raters(case, of)))


def _raters(case: Case, dimension: str) -> set[str]:
    first_pass = case.first_pass
    return {*first_pass.loc[first_pass["dimension"] == dimension, "rater"]}


def _left_out(case: Case, refits: Refits, *, dimension: str, items: list[str]) -> list[Floats]:
    """Probabilities without each of the raters of a dimension.

    None where those of some are the only ones: then nothing shows how much raters differ.
    """
    raters = _raters(case, dimension)
    left_out = [
        _probabilities(refit, dimension, items)
        for absent, refit in refits.items()
        if raters & {*absent}
    ]
    return left_out if all(np.isfinite(each).any() for each in left_out) else []


def _probabilities(inferred: Inferred, dimension: str, items: list[str]) -> Floats:
    truth = inferred.truths[dimension]
    probabilities = pd.DataFrame(truth.probabilities, index=list(truth.items))
    return probabilities.reindex(items).to_numpy(dtype=float)


def _groups(case: Case) -> list[tuple[str, ...]]:
    """Groups of raters to leave out in turn; none where fewer than three raters took part."""
    raters = sorted(case.first_pass["rater"].unique())
    if len(raters) < 3:
        return []
    number = min(len(raters), MOST_REFITS)
    return [tuple(raters[place::number]) for place in range(number)]
