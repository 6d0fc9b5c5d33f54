"""Other policies for choosing the next ratings: those of the reference texts, and even spreading.

All return the same columns as `ocrjury.adaptive.next_ratings`, so they are interchangeable. They
use votes alone: raters with the same errors agree, and items on which people will always differ are
chosen again and again. ``gain`` is the model's expectation for each chosen rating.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd

from ocrjury.adaptive.defaults import CAP
from ocrjury.adaptive.rating_gain import first_gain
from ocrjury.adaptive.rating_state import Dimensions, RatingState, build_state, by_dimension
from ocrjury.adaptive.selection import Cap, caps_of, check_budget, next_ratings, rating_frame
from ocrjury.adaptive.votes import FIRST, PANEL, THIRD, adjudication_steps, rating_spread
from ocrjury.arrays import Floats, Integers
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth

LEAST_RATINGS = 3
"""Number of ratings per item in the reference text."""

_FIRST_RATERS = 2
_Choose = Callable[..., dict[str, Integers]]

Truths = Truth | Mapping[Any, Truth]
Tables = RatingTable | Mapping[Any, RatingTable]


class Ask(Protocol):
    """Function that chooses the next ratings, as `ocrjury.adaptive.next_ratings` does."""

    def __call__(
        self, truth: Truths, table: Tables, *, budget: int, cap: Cap = CAP, seed: int
    ) -> pd.DataFrame:
        """Choose at most ``budget`` ratings, none beyond ``cap`` per item."""


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy for choosing the next ratings.

    Attributes
    ----------
    summary
        Description in one sentence.
    source
        Source of the policy.
    ask
        Function that chooses.
    """

    summary: str
    source: str
    ask: Ask


def _widest(state: RatingState, dimensions: Dimensions, tie_breaker: Floats) -> Integers:
    """Places of items with a spread of ratings, widest first."""
    spread = rating_spread(dimensions).reindex(state.items).to_numpy(dtype=float)
    order = np.lexsort((tie_breaker, -np.nan_to_num(spread, nan=-1.0)))
    return np.asarray(order[np.isfinite(spread[order])])


def _asking(choose: _Choose) -> Ask:
    """Policy that asks for the places that ``choose`` names: reasons and places, in this order.

    Items with a known category are left out.
    """

    def ask(
        truth: Truths, table: Tables, *, budget: int, cap: Cap = CAP, seed: int
    ) -> pd.DataFrame:
        check_budget(budget)
        dimensions = by_dimension(truth, table)
        state = build_state(dimensions, None)
        tie_breaker = np.random.default_rng(seed).random(len(state.items))
        chosen = choose(state, dimensions, tie_breaker, caps=caps_of(state, cap))
        parts = {reason: group[~state.known[group]] for reason, group in chosen.items()}
        places = np.concatenate(list(parts.values()))[:budget]
        reasons = [reason for reason, group in parts.items() for _ in group][:budget]
        return rating_frame(state, places, gain=first_gain(state, places), reason=reasons)

    return ask


@_asking
def _evenly(
    state: RatingState, _: Dimensions, tie_breaker: Floats, *, caps: Integers
) -> dict[str, Integers]:
    """Items with the fewest ratings, ties in random order."""
    order = np.lexsort((tie_breaker, state.n_ratings))
    return {"uniform": order[state.n_ratings[order] < caps[order]]}


@_asking
def _by_spread(
    state: RatingState, dimensions: Dimensions, tie_breaker: Floats, *, caps: Integers
) -> dict[str, Integers]:
    """Items with the widest spread of ratings; those with fewer than two ratings are left out."""
    order = _widest(state, dimensions, tie_breaker)
    return {"disagreement": order[state.n_ratings[order] < caps[order]]}


@_asking
def _least_rated_first(
    state: RatingState, dimensions: Dimensions, tie_breaker: Floats, *, caps: Integers
) -> dict[str, Integers]:
    """Ratings missing to three per item, then the items with the widest spread."""
    missing = np.clip(np.minimum(LEAST_RATINGS, caps) - state.n_ratings, 0, None)
    fewest = np.lexsort((tie_breaker, state.n_ratings))
    rest = _widest(state, dimensions, tie_breaker)
    rest = rest[(missing[rest] == 0) & (state.n_ratings[rest] < caps[rest])]
    return {"under_annotated": np.repeat(fewest, missing[fewest]), "disagreement": rest}


@_asking
def _three_steps(
    state: RatingState, dimensions: Dimensions, tie_breaker: Floats, *, caps: Integers
) -> dict[str, Integers]:
    """Missing first ratings, then third ratings, then items for the panel."""
    steps = adjudication_steps({name: ratings for name, (_, ratings) in dimensions.items()})
    reached = steps.set_index("item")["step"].reindex(state.items).to_numpy()
    order = np.argsort(tie_breaker)
    order = order[state.n_ratings[order] < caps[order]]
    parts = {step: order[reached[order] == step] for step in (FIRST, THIRD, PANEL)}
    missing = np.clip(np.minimum(_FIRST_RATERS, caps) - state.n_ratings, 0, None)
    parts[FIRST] = np.repeat(parts[FIRST], missing[parts[FIRST]])
    return parts


POLICIES: Mapping[str, Policy] = {
    "information": Policy(
        "Items below the target confidence, by expected information per cost, and a fifth of the "
        "ratings at random.",
        "MacKay (1992), Neural Computation 4(4), 590-604.",
        next_ratings,
    ),
    "uniform": Policy("Items with the fewest ratings, ties in random order.", "Baseline.", _evenly),
    "disagreement": Policy(
        "Items with the largest mean standard deviation of ratings over dimensions.",
        "Reference text on an evaluation framework, adaptive annotation strategy; its ten most "
        "uncertain items correspond to budget=10.",
        _by_spread,
    ),
    "under_annotated_first": Policy(
        "Ratings missing to three per item, fewest first; then items with the largest mean "
        "standard deviation.",
        "Reference text on an evaluation framework, adaptive annotation strategy; it adds three "
        "ratings to every such item, here only the missing ones are added.",
        _least_rated_first,
    ),
    "three_step_adjudication": Policy(
        "Two ratings of every item; a third where these differ; the panel where all three differ.",
        "Reference text on human evaluation of OCR, resolution of disagreement.",
        _three_steps,
    ),
}
