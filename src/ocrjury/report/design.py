"""Design of the sample behind a report, and its means and shares."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.estimation.hajek import hajek_mean
from ocrjury.estimation.interval import within_scale
from ocrjury.estimation.plain_average import plain_mean
from ocrjury.findings.dimensions import Composites
from ocrjury.scales import Scale


@dataclass(frozen=True, slots=True)
class Design:
    """Weight and cluster of each item; None: all alike, and each drawn by itself."""

    weight: Mapping[str, float] | None = None
    cluster: Mapping[str, Hashable] | None = None

    @classmethod
    def of_frame(cls, frame: pd.DataFrame, *, weight: str | None, cluster: str | None) -> Self:
        """Design that stands in columns of a long frame, whose rows are ratings of an ``item``."""
        items = frame["item"].map(str)
        entries = (
            None if column is None else dict(zip(items, frame[column], strict=True))
            for column in (weight, cluster)
        )
        return cls(*entries)

    def draws(self, items: Sequence[str]) -> list[str]:
        """Draw that brought each item: its cluster, or its own."""
        return [*items] if self.cluster is None else [str(self.cluster[item]) for item in items]

    def weights(self, items: Sequence[str]) -> list[float] | None:
        """Weight of each item, None where all count alike."""
        return None if self.weight is None else [self.weight[item] for item in items]

    def share(self, some: Sequence[str], *, of: Sequence[str]) -> Estimate:
        """Share of some items, with its interval."""
        cluster = None if self.cluster is None else self.draws(of)
        hits = np.isin(np.array(of, dtype=object), np.array(some, dtype=object))
        return plain_mean(hits.astype(float), weight=self.weights(of), cluster=cluster)

    def mean(self, by_item: Mapping[str, float], scale: Scale) -> Estimate:
        """Mean of items, weighted as they were drawn if that is known; it ends with the scale.

        Weights that tell how many items one stands for tell what is left of the pool too, which
        shortens the interval. Others, such as those with mean 1, do not.
        """
        scores, items = list(by_item.values()), list(by_item)
        cluster, weights = None if self.cluster is None else self.draws(items), self.weights(items)
        if weights is None or min(weights) < 1 or max(weights) == 1:
            mean = plain_mean(scores, weight=weights, cluster=cluster)
        else:
            mean = hajek_mean(scores, [1 / weight for weight in weights], cluster=cluster)
        return within_scale(mean, low=scale.low, high=scale.high)

    def composites(self, composites: Composites) -> Composites:
        """Scores of all dimensions with means that are weighted as those of the dimensions are."""
        return Composites(
            tuple(
                replace(row, these=mean, others=mean)
                for row in composites.rows
                for mean in [self.mean(row.scores, Scale.interval(row.low, row.high))]
            )
        )
