"""Other ways to choose the next ratings: what the reference texts do, and asking evenly.

All answer like `ocrjury.adaptive.next_ratings`, so that one can stand in for another. They look at
votes alone: raters who err alike agree, and items on which people will always differ are asked
about again and again. ``gain`` is what the model expects of each rating that they choose.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd

from ocrjury.adaptive.panel import Dimensions, Floats, Integers, Panel, build_panel, by_dimension
from ocrjury.adaptive.rating_gain import first_gain
from ocrjury.adaptive.selection import check_numbers, next_ratings, rating_frame
from ocrjury.adaptive.vote_spread import rating_spread
from ocrjury.adaptive.vote_steps import FIRST, PANEL, THIRD, adjudication_steps
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth

LEAST_RATINGS = 3
"""Ratings that the reference text wants of every item."""

_TWO = 2  # people who rate first

Truths = Truth | Mapping[Any, Truth]
Tables = RatingTable | Mapping[Any, RatingTable]


class Ask(Protocol):
    """Returns the next ratings, with the columns of `ocrjury.adaptive.next_ratings`."""

    def __call__(
        self, truth: Truths, table: Tables, *, budget: int, cap: int = 6, seed: int
    ) -> pd.DataFrame:
        """At most ``budget`` ratings, none beyond ``cap`` per item."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A way to choose the next ratings.

    Attributes
    ----------
    summary
        What it asks for, in one sentence.
    source
        Where it is from.
    ask
        The choice itself.
    """

    summary: str
    source: str
    ask: Ask


def _evenly(truth: Truths, table: Tables, *, budget: int, cap: int = 6, seed: int) -> pd.DataFrame:
    """Items with the fewest ratings, by lot among equals."""
    panel, luck = _prepare(by_dimension(truth, table), budget=budget, cap=cap, seed=seed)
    order = np.lexsort((luck, panel.n_ratings))
    return _asked(panel, {"uniform": order[panel.n_ratings[order] < cap]}, budget=budget)


def _by_spread(
    truth: Truths, table: Tables, *, budget: int, cap: int = 6, seed: int
) -> pd.DataFrame:
    """Items whose ratings spread most; those with fewer than two ratings are left out."""
    dimensions = by_dimension(truth, table)
    panel, luck = _prepare(dimensions, budget=budget, cap=cap, seed=seed)
    order = _widest(panel, dimensions, luck)
    return _asked(panel, {"disagreement": order[panel.n_ratings[order] < cap]}, budget=budget)


def _least_rated_first(
    truth: Truths, table: Tables, *, budget: int, cap: int = 6, seed: int
) -> pd.DataFrame:
    """Return what items lack to three ratings, and then items whose ratings spread most."""
    dimensions = by_dimension(truth, table)
    panel, luck = _prepare(dimensions, budget=budget, cap=cap, seed=seed)
    missing = np.clip(min(LEAST_RATINGS, cap) - panel.n_ratings, 0, None)
    fewest = np.lexsort((luck, panel.n_ratings))
    rest = _widest(panel, dimensions, luck)
    rest = rest[(missing[rest] == 0) & (panel.n_ratings[rest] < cap)]
    parts = {"under_annotated": np.repeat(fewest, missing[fewest]), "disagreement": rest}
    return _asked(panel, parts, budget=budget)


def _three_steps(
    truth: Truths, table: Tables, *, budget: int, cap: int = 6, seed: int
) -> pd.DataFrame:
    """First ratings that are missing, then third ratings, then items for the panel."""
    dimensions = by_dimension(truth, table)
    panel, luck = _prepare(dimensions, budget=budget, cap=cap, seed=seed)
    steps = adjudication_steps({name: one for name, (_, one) in dimensions.items()})
    reached = steps.set_index("item")["step"].reindex(panel.items).to_numpy()
    order = np.argsort(luck)
    order = order[panel.n_ratings[order] < cap]
    parts = {step: order[reached[order] == step] for step in (FIRST, THIRD, PANEL)}
    missing = np.clip(min(_TWO, cap) - panel.n_ratings, 0, None)
    parts[FIRST] = np.repeat(parts[FIRST], missing[parts[FIRST]])
    return _asked(panel, parts, budget=budget)


POLICIES: Mapping[str, Policy] = {
    "information": Policy(
        "Items below the target confidence, by expected information per cost, and a fifth at "
        "random.",
        "MacKay (1992), Neural Computation 4(4), 590-604.",
        next_ratings,
    ),
    "uniform": Policy("Items with the fewest ratings, by lot among equals.", "Baseline.", _evenly),
    "disagreement": Policy(
        "Items with the largest mean standard deviation of ratings over dimensions.",
        "Reference text on an evaluation framework, adaptive annotation strategy: its ten most "
        "uncertain items are budget=10.",
        _by_spread,
    ),
    "under_annotated_first": Policy(
        "What items lack to three ratings, fewest first; then items with the largest mean standard "
        "deviation.",
        "Reference text on an evaluation framework, adaptive annotation strategy; it counts three "
        "more for every such item, here it is what is missing.",
        _least_rated_first,
    ),
    "three_step_adjudication": Policy(
        "Two ratings of every item; a third where these differ; the panel where all three differ.",
        "Reference text on human evaluation of OCR, resolution of disagreement.",
        _three_steps,
    ),
}


def _prepare(dimensions: Dimensions, *, budget: int, cap: int, seed: int) -> tuple[Panel, Floats]:
    """Panel and a random number for each item."""
    check_numbers(budget=budget, cap=cap)
    panel = build_panel(dimensions, None)
    return panel, np.random.default_rng(seed).random(len(panel.items))


def _widest(panel: Panel, dimensions: Dimensions, luck: Floats) -> Integers:
    """Places of items whose ratings spread, those that spread most first."""
    spread = rating_spread(dimensions).reindex(panel.items).to_numpy(dtype=float)
    order = np.lexsort((luck, -np.nan_to_num(spread, nan=-1.0)))
    return np.asarray(order[np.isfinite(spread[order])])


def _asked(panel: Panel, parts: Mapping[str, Integers], *, budget: int) -> pd.DataFrame:
    """One row per place; the parts are reasons and their places, in this order.

    Nobody is asked about items whose category is known.
    """
    parts = {reason: some[~panel.known[some]] for reason, some in parts.items()}
    places = np.concatenate(list(parts.values()))[:budget]
    reasons = [reason for reason, some in parts.items() for _ in some][:budget]
    return rating_frame(panel, places, gain=first_gain(panel, places), reason=reasons)
