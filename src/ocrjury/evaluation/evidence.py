"""What raters said of the sampled items on a dimension, and what is known of them."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.estimation import RatedSample, response_probabilities
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.rated_sample import Sample, counting_items
from ocrjury.scales import Scale

COLUMNS = ["item", "rater", "rating"]
NO_RATINGS = pd.DataFrame({name: [] for name in COLUMNS})


class Evidence(NamedTuple):
    """Ratings of sampled items on one dimension, those of gold beside them, and what is known.

    Attributes
    ----------
    ratings, in_passing
        Item, rater, rating: of sampled items, and of gold outside the sample.
    gold
        Item and known rating, of sampled items too, without what was promoted (`Case.fair_gold`).
    """

    ratings: pd.DataFrame
    in_passing: pd.DataFrame
    gold: pd.DataFrame

    @property
    def rated(self) -> pd.DataFrame:
        """Return all ratings, as the estimators take them."""
        return pd.concat([self.ratings, self.in_passing], ignore_index=True)

    @property
    def known(self) -> pd.DataFrame | None:
        """Return what is known, None if nothing is."""
        return self.gold if len(self.gold) else None

    @property
    def item_means(self) -> "pd.Series[float]":
        """Return the mean rating of every sampled item that has one."""
        return self.ratings.groupby("item")["rating"].mean()

    def as_shares(self, reached: Callable[[pd.Series], pd.Series]) -> "Evidence":
        """Return 1 for ratings that reach something, 0 for the others."""
        return Evidence(
            *(part.assign(rating=reached(part["rating"]).astype(float)) for part in self)
        )

    def of_sample(self, sample: Sample) -> RatedSample:
        """Return what two evaluations are compared by."""
        return RatedSample(self.rated, sample.items, sample.auxiliary, sample.pool_mean, self.known)


def evidence_on(case: Case, dimension: str) -> Evidence:
    """Return what is there about a dimension."""
    of = case.ratings[case.ratings["dimension"] == dimension]
    known = case.fair_gold.get(dimension, {})
    main = of["round_kind"] == "main"
    # Gold that was drawn since may have ratings on a dimension on which its stage has none.
    counts = main & of["item"].isin(list(counting_items(case, dimension)))
    in_passing = ((of["round_kind"] == "gold") | (main & ~counts)) & of["item"].isin(list(known))
    return Evidence(
        of.loc[counts, COLUMNS],
        of.loc[in_passing, COLUMNS],
        pd.DataFrame({"item": list(known), "rating": list(known.values())}),
    )


class Answered(NamedTuple):
    """The sampled items about which something is known, with the odds of being drawn and known.

    Those of the same ``cluster`` were drawn together.
    """

    items: list[str]
    probability: npt.NDArray[np.float64]
    auxiliary: npt.NDArray[np.float64]
    cluster: npt.NDArray[np.int64]


def answered(sample: Sample, items: "pd.Index[str]") -> Answered:
    """Return those of some items that were sampled; they stand for the others of their stratum."""
    there = sample.items["item"].isin(items).to_numpy(dtype=bool)
    probability = response_probabilities(
        sample.items["inclusion_probability"], responded=there, stratum=sample.items["stratum"]
    )
    rows = sample.items[there]
    return Answered(
        rows["item"].tolist(),
        probability,
        sample.auxiliary[there],
        rows["cluster"].to_numpy(dtype=np.int64),
    )


def usable_level(scale: Scale) -> float:
    """Return the lowest rating that still is good enough to use.

    The best level but one of a Likert scale; on a slider what 4 is from 1 to 5, three quarters.

    Examples
    --------
    >>> usable_level(Scale.likert(1, 5)), usable_level(Scale.binary())
    (4.0, 1.0)
    >>> usable_level(Scale.interval(0, 100))
    75.0
    """
    if scale.kind == "interval":
        return scale.low + 0.75 * (scale.high - scale.low)
    return scale.high - 1 if scale.kind == "likert" and scale.high - scale.low > 1 else scale.high
