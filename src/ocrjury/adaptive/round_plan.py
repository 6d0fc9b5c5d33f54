"""The next round before it is opened: what lacks ratings, what is unsure, who would be asked."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ocrjury.adaptive.panel import Dimensions, by_dimension
from ocrjury.adaptive.selection import next_ratings
from ocrjury.adaptive.vote_spread import rating_spread
from ocrjury.assignment import assign_raters, missing_ratings
from ocrjury.assignment.demand import Capacity
from ocrjury.assignment.identity import canonical_order
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth

MOST_SHOWN = 10
"""Most uncertain items that a plan lists, as many as in the reference text."""


@dataclass(frozen=True, slots=True, eq=False)
class NextRound:
    """What a round would ask for.

    Attributes
    ----------
    asked
        What `ocrjury.adaptive.next_ratings` returns.
    under_annotated
        Columns item, n_ratings (on the dimension with fewest), missing: items with fewer ratings
        than wanted, fewest first.
    most_uncertain
        Columns item, dimension, label, confidence, n_ratings, spread (standard deviation of the
        ratings, mean over dimensions), asked (ratings of this round): at most ten items below the
        target, each with its least sure dimension.
    allocation
        Columns rater, n_ratings, cost, items: who would be asked for what, as
        `ocrjury.assignment.assign_raters` shares it out.
    n_unsure
        Items below the target confidence on a dimension that counts.
    n_missing
        Ratings that the items of ``under_annotated`` lack.
    n_unplaced
        Ratings asked for that nobody can give, because everybody has rated these items or nobody
        has capacity left.
    cost
        Of the allocation.
    expected_gain
        Bits that the ratings asked for are expected to tell, weighted over dimensions.
    calibrated
        Whether confidence was checked against known items on every dimension; if not it is the
        model's own and no probability.
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
        """Return how many ratings the round would ask for."""
        return len(self.asked)

    def summary(self) -> pd.DataFrame:
        """Return the plan in one table to print, columns quantity and value."""
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
        """Return all tables of the plan as text."""
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
    seed: int,
    **options: Any,
) -> NextRound:
    """Return what the next round would ask for, of whom, and what it would cost and tell.

    Parameters
    ----------
    wanted
        Items with fewer ratings on some dimension are listed as under-annotated.
    raters
        Who may be asked; None are those of the table. Nobody gets an item twice.
    capacity
        Most ratings of each rater, one number or {rater: number}.
    truth, table, seed, options
        As of `ocrjury.adaptive.next_ratings`.

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
    asked = next_ratings(truth, table, seed=seed, **options)
    counted = _counted(dimensions, options.get("weights"))
    number = _least_ratings(dimensions)
    lacking = number[number < wanted].sort_values(kind="stable")
    target = options.get("target_confidence", 0.9)
    unsure = _least_sure(counted, target)
    allocation, unplaced = _allocate(asked, dimensions, raters=raters, capacity=capacity, seed=seed)
    price = options.get("cost") or {}
    cost = [float(price.get(rater, 1.0)) * len(items) for rater, items in allocation.items()]
    return NextRound(
        asked=asked,
        under_annotated=pd.DataFrame(
            {
                "item": lacking.index,
                "n_ratings": lacking.to_numpy(),
                "missing": wanted - lacking.to_numpy(),
            }
        ),
        most_uncertain=_most_uncertain(unsure, dimensions, number=number, asked=asked),
        allocation=pd.DataFrame(
            {
                "rater": list(allocation),
                "n_ratings": [len(items) for items in allocation.values()],
                "cost": cost,
                "items": list(allocation.values()),
            }
        ),
        n_unsure=len(unsure),
        n_missing=int((wanted - lacking).sum()),
        n_unplaced=unplaced,
        cost=sum(cost),
        expected_gain=float(asked["gain"].sum()),
        calibrated=all(one.calibration is not None for one, _ in counted.values()),
    )


class _Unsure(NamedTuple):
    """Place of an item in its least sure dimension."""

    dimension: Any
    place: int
    confidence: float


def _counted(dimensions: Dimensions, weights: Mapping[Any, float] | None) -> Dimensions:
    """Return the dimensions with a weight above 0."""
    return {name: one for name, one in dimensions.items() if weights is None or weights[name] > 0}


def _least_ratings(dimensions: Dimensions) -> "pd.Series[int]":
    """Return the ratings of each item on the dimension where it has fewest, in canonical order."""
    least: dict[Hashable, int] = {}
    for _, table in dimensions.values():
        number = np.bincount(table.item, minlength=table.n_items).tolist()
        for item, ratings in zip(table.items, number, strict=True):
            least[item] = min(ratings, least.get(item, ratings))
    order = canonical_order(least)
    return pd.Series(
        [least[item] for item in order], index=pd.Index(order, dtype=object), dtype=int
    )


def _least_sure(dimensions: Dimensions, target: float) -> dict[Hashable, _Unsure]:
    """Return the least sure dimension of each item below the target."""
    found: dict[Hashable, _Unsure] = {}
    for name, (truth, _) in dimensions.items():
        for place in np.flatnonzero(truth.confidence < target).tolist():
            item, confidence = truth.items[place], float(truth.confidence[place])
            if item not in found or confidence < found[item].confidence:
                found[item] = _Unsure(name, place, confidence)
    return found


def _most_uncertain(
    unsure: Mapping[Hashable, _Unsure],
    dimensions: Dimensions,
    *,
    number: "pd.Series[int]",
    asked: pd.DataFrame,
) -> pd.DataFrame:
    """Return the items of least confidence, one row each."""
    worst = sorted(canonical_order(unsure), key=lambda item: unsure[item].confidence)[:MOST_SHOWN]
    ordered = {name: one for name, one in dimensions.items() if one[1].scale.ordered}
    spread = rating_spread(ordered) if ordered else pd.Series(dtype=float)
    times = Counter(asked["item"].tolist())
    at = [unsure[item] for item in worst]
    return pd.DataFrame(
        {
            "item": worst,
            "dimension": [one.dimension for one in at],
            "label": [dimensions[one.dimension][0].label[one.place] for one in at],
            "confidence": [one.confidence for one in at],
            "n_ratings": [int(number[item]) for item in worst],
            "spread": [float(spread.get(item, np.nan)) for item in worst],
            "asked": [times[item] for item in worst],
        }
    )


def _allocate(
    asked: pd.DataFrame,
    dimensions: Dimensions,
    *,
    raters: Sequence[Hashable] | None,
    capacity: Capacity,
    seed: int,
) -> tuple[dict[Hashable, list[Any]], int]:
    """Return the items of each rater asked, and how many ratings nobody can give."""
    wanted: dict[Any, int] = dict(Counter(asked["item"].tolist()))
    if not wanted:
        return {}, 0
    previous = _previous(dimensions, set(wanted))
    people = {rater for _, table in dimensions.values() for rater in table.raters}
    who = canonical_order(people if raters is None else set(raters))
    # A rater who may not be asked any more has still had their items.
    before = previous[previous["rater"].isin(who)]
    short = missing_ratings(
        list(wanted), who, raters_per_item=wanted, capacity=capacity, previous=before
    )
    plan = assign_raters(
        list(wanted),
        who,
        raters_per_item={item: number - short.get(item, 0) for item, number in wanted.items()},
        capacity=capacity,
        previous=before,
        seed=seed,
    ).sort_values("position", kind="stable")
    per_rater = {rater: some["item"].tolist() for rater, some in plan.groupby("rater")}
    return {rater: per_rater[rater] for rater in canonical_order(per_rater)}, sum(short.values())


def _previous(dimensions: Dimensions, items: set[Hashable]) -> pd.DataFrame:
    """Return who rated which of the items on any dimension."""
    pairs: dict[tuple[Hashable, Hashable], None] = {}
    for _, table in dimensions.values():
        wanted = np.array([item in items for item in table.items], dtype=bool)
        rows = np.flatnonzero(wanted[table.item])
        for item, rater in zip(table.item[rows].tolist(), table.rater[rows].tolist(), strict=True):
            pairs[table.items[item], table.raters[rater]] = None
    return pd.DataFrame(list(pairs), columns=["item", "rater"])


def _listed(items: Sequence[Any], most: int = 6) -> str:
    """Return the first items, and how many more there are."""
    more = len(items) - most
    return ", ".join(map(str, items[:most])) + (f" and {more} more" if more > 0 else "")
