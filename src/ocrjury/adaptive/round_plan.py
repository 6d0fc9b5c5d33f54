"""Plan of the next round: items with too few ratings, unsure items, and the raters to ask."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ocrjury.adaptive.defaults import TARGET_CONFIDENCE
from ocrjury.adaptive.rater_choice import choose_raters
from ocrjury.adaptive.rating_state import Dimensions, by_dimension
from ocrjury.adaptive.selection import next_ratings
from ocrjury.adaptive.votes import rating_spread
from ocrjury.assignment.demand import Capacity
from ocrjury.assignment.identity import canonical_order
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth

MOST_SHOWN = 10
"""Largest number of uncertain items in a plan, as in the reference text."""


@dataclass(frozen=True, slots=True, eq=False)
class NextRound:
    """Plan of a round.

    Attributes
    ----------
    asked
        Result of `ocrjury.adaptive.next_ratings`.
    under_annotated
        Columns item, n_ratings (on the dimension with fewest), missing: items with fewer ratings
        than wanted, fewest first.
    most_uncertain
        Columns item, dimension, label, confidence, n_ratings, spread (standard deviation of the
        ratings, mean over dimensions), asked (ratings of this round): at most ten items below the
        target, each with its least sure dimension.
    allocation
        Columns rater, n_ratings, cost, items: the ratings that each rater would be asked for,
        distributed by `ocrjury.adaptive.choose_raters`.
    n_unsure
        Number of items below the target confidence on a dimension with a weight.
    n_missing
        Number of ratings that the items of ``under_annotated`` lack.
    n_unplaced
        Number of requested ratings that nobody can give, because everybody has rated these items or
        has no capacity left.
    cost
        Cost of the allocation.
    expected_gain
        Expected gain of the requested ratings in bits, weighted over dimensions.
    calibrated
        Whether confidence was checked against known items on every dimension; if not, it is the
        model's own and not a probability to rely on.
    """

    asked: pd.DataFrame
    under_annotated: pd.DataFrame
    most_uncertain: pd.DataFrame
    allocation: pd.DataFrame
    n_unsure: int
    n_missing: int
    n_unplaced: int
    cost: float
    expected_gain: float
    calibrated: bool

    @property
    def n_recommended(self) -> int:
        """Number of ratings that the round would ask for."""
        return len(self.asked)

    def summary(self) -> pd.DataFrame:
        """Summary of the plan as a table with columns quantity and value."""
        by_gain = int((self.asked["reason"] == "gain").sum())
        confidence = "calibrated confidence" if self.calibrated else "model confidence"
        rows = [
            (f"items below the target ({confidence})", f"{self.n_unsure:,}"),
            ("under-annotated items", f"{len(self.under_annotated):,}"),
            ("ratings that these lack", f"{self.n_missing:,}"),
            ("recommended ratings", f"{self.n_recommended:,}"),
            ("of these by expected gain", f"{by_gain:,}"),
            ("of these at random", f"{self.n_recommended - by_gain:,}"),
            ("items asked about", f"{self.asked['item'].nunique():,}"),
            ("raters asked", f"{len(self.allocation):,}"),
            ("ratings that nobody can give", f"{self.n_unplaced:,}"),
            ("cost", f"{self.cost:,.2f}"),
            ("expected gain", f"{self.expected_gain:,.2f} bits"),
        ]
        return pd.DataFrame(rows, columns=["quantity", "value"])

    def __str__(self) -> str:
        """All tables of the plan as text."""
        titles = {
            "Under-annotated": self.under_annotated,
            "Most uncertain": self.most_uncertain.round(3),
            "Allocation": self.allocation.assign(
                items=[_listed(items) for items in self.allocation["items"]]
            ),
        }
        parts = [f"Next round\n{self.summary().to_string(index=False, header=False)}"]
        for title, table in titles.items():
            shown = table.head(MOST_SHOWN).to_string(index=False) if len(table) else "none"
            more = len(table) - MOST_SHOWN
            parts.append(f"{title}\n{shown}" + (f"\nand {more:,} more" if more > 0 else ""))
        return "\n\n".join(parts)


def plan_next_round(
    truth: Truth | Mapping[Any, Truth],
    table: RatingTable | Mapping[Any, RatingTable],
    *,
    wanted: int = 2,
    raters: Sequence[Hashable] | None = None,
    capacity: Capacity = None,
    target_confidence: float = TARGET_CONFIDENCE,
    seed: int,
    **options: Any,
) -> NextRound:
    """Plan of the next round: ratings to ask for, their raters, cost and expected gain.

    Parameters
    ----------
    wanted
        Number of ratings per dimension below which an item is listed as under-annotated.
    raters
        Raters who may be asked; None: those of the table. Nobody gets an item twice.
    capacity
        Largest number of ratings of each rater, one number or {rater: number}.
    truth, table, target_confidence, seed, options
        As in `ocrjury.adaptive.next_ratings`.

    Examples
    --------
    >>> from ocrjury import Scale
    >>> from ocrjury.truth import dawid_skene
    >>> t = RatingTable.from_matrix(
    ...     [[1, 1, 1], [0, 0, 0], [1, 0, None], [1, 1, 1]],
    ...     scale=Scale.binary(),
    ...     raters=["R01", "R02", "R03"],
    ... )
    >>> plan = plan_next_round(dawid_skene(t), t, budget=1, wanted=3, seed=0)
    >>> plan.under_annotated.to_numpy().tolist()
    [[2, 2, 1]]
    >>> plan.allocation.to_numpy().tolist()
    [['R03', 1, 1.0, [2]]]
    """
    if wanted < 1 or wanted != int(wanted):
        raise InputError(f"wanted must be a whole number of ratings from 1; found {wanted!r}.")
    dimensions = by_dimension(truth, table)
    rows = next_ratings(
        truth, table, target_confidence=target_confidence, raters=raters, seed=seed, **options
    )
    weights = options.get("weights") or dict.fromkeys(dimensions, 1.0)
    counted = {name: pair for name, pair in dimensions.items() if weights[name] > 0}
    number = _least_ratings(dimensions)
    under_annotated = _under_annotated(number, wanted)
    unsure = _least_sure(counted, target_confidence)
    tables = [ratings for _, ratings in dimensions.values()]
    people = canonical_order({*chain(*(t.raters for t in tables))} if raters is None else {*raters})
    wanted_of = Counter(rows["item"].tolist())
    chosen = choose_raters(
        truth,
        table,
        wanted_of,
        eligible=dict.fromkeys(wanted_of, people),
        capacity=_limits(capacity, people),
        cost=options.get("cost"),
        weights=options.get("weights"),
    )
    allocation = _allocate(chosen, rows, options.get("cost") or {})
    return NextRound(
        asked=rows,
        under_annotated=under_annotated,
        most_uncertain=_most_uncertain(unsure, dimensions, number=number, rows=rows),
        allocation=allocation,
        n_unsure=len(unsure),
        n_missing=int(under_annotated["missing"].sum()),
        n_unplaced=len(rows) - sum(map(len, chosen.values())),
        cost=float(allocation["cost"].sum()),
        expected_gain=float(rows["gain"].sum()),
        calibrated=all(inferred.calibration is not None for inferred, _ in counted.values()),
    )


class _Unsure(NamedTuple):
    """Place of an item in the dimension with its lowest confidence."""

    dimension: Any
    place: int
    confidence: float


def _least_ratings(dimensions: Dimensions) -> "pd.Series[int]":
    """Smallest number of ratings of each item over dimensions, in canonical order."""
    least: dict[Hashable, int] = {}
    for _, table in dimensions.values():
        number = np.bincount(table.item, minlength=table.n_items).tolist()
        for item, ratings in zip(table.items, number, strict=True):
            least[item] = min(ratings, least.get(item, ratings))
    order = canonical_order(least)
    return pd.Series(
        [least[item] for item in order], index=pd.Index(order, dtype=object), dtype=int
    )


def _under_annotated(number: "pd.Series[int]", wanted: int) -> pd.DataFrame:
    """Items with fewer ratings than wanted, those with fewest first."""
    lacking = number[number < wanted].sort_values(kind="stable")
    return pd.DataFrame(
        {
            "item": lacking.index,
            "n_ratings": lacking.to_numpy(),
            "missing": wanted - lacking.to_numpy(),
        }
    )


def _least_sure(dimensions: Dimensions, target: float) -> dict[Hashable, _Unsure]:
    """Dimension with the lowest confidence of each item below the target."""
    least_sure: dict[Hashable, _Unsure] = {}
    for name, (truth, _) in dimensions.items():
        for place in np.flatnonzero(truth.confidence < target).tolist():
            item, confidence = truth.items[place], float(truth.confidence[place])
            if item not in least_sure or confidence < least_sure[item].confidence:
                least_sure[item] = _Unsure(name, place, confidence)
    return least_sure


def _most_uncertain(
    unsure: Mapping[Hashable, _Unsure],
    dimensions: Dimensions,
    *,
    number: "pd.Series[int]",
    rows: pd.DataFrame,
) -> pd.DataFrame:
    """Items with the lowest confidence, one row each."""
    worst = sorted(canonical_order(unsure), key=lambda item: unsure[item].confidence)[:MOST_SHOWN]
    ordered = {name: pair for name, pair in dimensions.items() if pair[1].scale.ordered}
    spread = rating_spread(ordered) if ordered else pd.Series(dtype=float)
    times = Counter(rows["item"].tolist())
    worst_places = [unsure[item] for item in worst]
    return pd.DataFrame(
        {
            "item": worst,
            "dimension": [place.dimension for place in worst_places],
            "label": [dimensions[place.dimension][0].label[place.place] for place in worst_places],
            "confidence": [place.confidence for place in worst_places],
            "n_ratings": [int(number[item]) for item in worst],
            "spread": [float(spread.get(item, np.nan)) for item in worst],
            "asked": [times[item] for item in worst],
        }
    )


def _allocate(
    chosen: Mapping[Any, list[Any]], demand: pd.DataFrame, price: Mapping[Any, float]
) -> pd.DataFrame:
    """Items of each rater, in the order in which they are asked for."""
    items: dict[Any, list[Any]] = {}
    for item in dict.fromkeys(demand["item"].tolist()):
        for rater in chosen.get(item, ()):
            items.setdefault(rater, []).append(item)
    raters = canonical_order(items)
    number = [len(items[rater]) for rater in raters]
    return pd.DataFrame(
        {
            "rater": raters,
            "n_ratings": number,
            "cost": [float(price.get(r, 1.0)) * n for r, n in zip(raters, number, strict=True)],
            "items": [items[rater] for rater in raters],
        }
    )


def _limits(capacity: Capacity, people: Sequence[Any]) -> dict[Any, int]:
    """Largest number of ratings of each rater with a limit."""
    if not isinstance(capacity, Mapping):
        return {} if capacity is None else dict.fromkeys(people, int(capacity))
    return {rater: int(most) for rater, most in capacity.items() if most is not None}


def _listed(items: Sequence[Any], most: int = 6) -> str:
    """First items, and the number of the others."""
    more = len(items) - most
    return ", ".join(map(str, items[:most])) + (f" and {more} more" if more > 0 else "")
