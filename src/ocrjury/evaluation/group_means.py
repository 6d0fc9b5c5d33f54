"""Mean rating by the values of the pool's other columns, such as the quality of a scan."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ocrjury.estimation import within_scale
from ocrjury.estimation.group_contrasts import less_the_pool
from ocrjury.estimation.interval import at_once
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.evidence import evidence_on
from ocrjury.evaluation.rated_sample import Sample, sampled_frame
from ocrjury.evaluation.snapshot_metrics import numbers_of_judges
from ocrjury.findings.measurement.pool_groups import FIRST, Groups, columns_that_group
from ocrjury.findings.pool_metrics import GroupMean, GroupMeans
from ocrjury.findings.record import UNKNOWN

if TYPE_CHECKING:
    from ocrjury.arrays import Floats


def measure_group_means(
    case: Case, pool: pd.DataFrame, samples: Mapping[str, Sample]
) -> list[GroupMeans]:
    """Mean rating on the target's dimension by every column that groups the pool.

    Document types are left out, as every dimension has their means. All ranges of a column hold at
    once (Bonferroni).
    """
    dimension = case.campaign.target_dimension
    groups = columns_that_group(
        map(str, pool.columns),
        lambda name: pool[name],
        named=case.campaign.report.covariates,
        others=numbers_of_judges(case),
    )
    groups.pop(FIRST, None)
    if dimension not in samples or not groups:
        return []
    means = {
        column: _means(case, pool, samples[dimension], dimension=dimension, of=of)
        for column, of in groups.items()
    }
    return [GroupMeans(dimension, means)]


def _means(
    case: Case, pool: pd.DataFrame, sample: Sample, *, dimension: str, of: Groups
) -> tuple[GroupMean, ...]:
    """Mean of every group, in the order of the column."""
    drawn = sampled_frame(case, pool, [dimension])
    places = pd.Index(pool["doc_id"]).get_indexer(pd.Index(drawn["doc_id"]))
    scale, present = case.campaign.rubric.scales[dimension], np.unique(of.code[places])
    rated = evidence_on(case, dimension).of_sample(sample)
    rated = replace(rated, items=sample.items.assign(group=of.code[places]))
    means: dict[object, Floats] = {
        int(code): sample.whole[of.code == code].mean(axis=0) for code in present
    }
    each = at_once(len(present))
    estimates = rated.means_by("group", means, confidence=each)
    several = len(present) > 1
    apart = less_the_pool(rated, means, group="group", confidence=each) if several else {}
    return tuple(
        GroupMean(
            name,
            mean.n_items,
            within_scale(mean, low=scale.low, high=scale.high),
            few=mean.few,
            apart=apart.get(code, UNKNOWN),
        )
        for code, name in of.order.items()
        if (mean := estimates.get(code)) is not None
    )
