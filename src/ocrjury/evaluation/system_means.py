"""Estimates for each OCR system of a pool on its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import pandas as pd

from ocrjury.arrays import Floats
from ocrjury.estimate import Estimate
from ocrjury.estimation import RatedSample, within_scale
from ocrjury.estimation.system_differences import Ranges, compare_groups
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.evidence import evidence_on, target_level
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.evaluation.type_estimates import rows_of_types, type_estimates
from ocrjury.findings.systems import SystemMean
from ocrjury.ratings.export_columns import CLUSTER
from ocrjury.text.averages import MetricColumn

SYSTEM, PAGE = "system", "page"


@dataclass(frozen=True, eq=False)
class SystemSample:
    """The ratings of a sample on one dimension, by OCR system.

    Raters and slopes are those of the whole sample, as for document types: with slopes of its own
    a system would have fewer, and its mean would not fit in with that of the pool.

    Attributes
    ----------
    rated
        All ratings, without gold; the items have the columns ``system`` and ``page``.
    read
        The pool, with the column ``page``.
    auxiliary
        Auxiliaries of every document of the pool, shape (N, p).
    """

    rated: RatedSample
    read: pd.DataFrame
    auxiliary: Floats

    @classmethod
    def of(cls, case: Case, read: pd.DataFrame, sample: Sample, *, dimension: str) -> Self:
        """Ratings of an evaluation on a dimension."""
        name = {item.item: item.doc_id for item in case.sample}
        names = sample.items["item"].map(name).tolist()
        drawn = read.set_index("doc_id")[[SYSTEM, PAGE]].reindex(names)
        rated = evidence_on(case, dimension).without_gold().of_sample(sample)
        items = sample.items.assign(**{name: drawn[name].to_numpy() for name in (SYSTEM, PAGE)})
        return cls(replace(rated, items=items), read, sample.whole)

    @cached_property
    def pool_means(self) -> Mapping[object, Floats]:
        """Means of the auxiliaries over the documents of every system."""
        systems = self.read[SYSTEM].to_numpy()
        return {name: self.auxiliary[systems == name].mean(axis=0) for name in set(systems)}

    @cached_property
    def means(self) -> Mapping[object, Estimate]:
        """Mean rating of every system that was drawn."""
        return self.rated.means_by(SYSTEM, self.pool_means)

    def shares(self, *, at_least: float) -> Mapping[object, Estimate]:
        """Share of every system's documents at a level or above."""
        return self.rated.means_by(SYSTEM, self.pool_means, at_least=at_least)

    def n_rated(self, system: str) -> int:
        """Number of documents of a system that are rated."""
        mine = self.rated.items.loc[self.rated.items[SYSTEM] == system, "item"]
        return int(mine.isin(self.rated.ratings["item"]).sum())

    def difference(self, a: str, b: str, *, together: bool, confidence: float = 0.95) -> Ranges:
        """Mean of system a less that of b; outputs may have been drawn for all systems together.

        Those that have another text to compare with were drawn apart, though of the same page.
        """
        return compare_groups(
            self.rated,
            self.pool_means,
            group=SYSTEM,
            unit=CLUSTER if together else PAGE,
            of=(a, b),
            coordinated=together,
            confidence=confidence,
        )

    def side(self, system: str) -> RatedSample:
        """Ratings of one system's documents, named by their pages."""
        mine = self.rated.items[self.rated.items[SYSTEM] == system]
        page = dict(zip(mine["item"], mine[PAGE], strict=True))
        ratings = self.rated.ratings[self.rated.ratings["item"].isin(list(page))]
        return RatedSample(
            ratings.assign(item=ratings["item"].map(page)),
            mine.assign(item=mine[PAGE]).reset_index(drop=True),
        )


def system_mean(case: Case, sample: SystemSample, *, dimension: str, of: str) -> SystemMean:
    """Estimates of one system on one dimension."""
    scale, mine = case.campaign.rubric.scales[dimension], (sample.read[SYSTEM] == of).to_numpy()
    own, matrix = sample.read[mine].reset_index(drop=True), sample.auxiliary[mine]
    rows, least = rows_of_types(own), target_level(case, dimension)
    return SystemMean(
        of,
        pool=len(own),
        estimate=within_scale(sample.means[of], low=scale.low, high=scale.high),
        cer=MetricColumn.of(own, "cer").micro,
        share=None if least is None else sample.shares(at_least=least)[of],
        types=type_estimates(
            sample.rated,
            pool={name: len(places) for name, places in rows.items()},
            means={name: matrix[places].mean(axis=0) for name, places in rows.items()},
            scale=scale,
            of=(sample.rated.items[SYSTEM] == of).to_numpy(),
        ),
    )
