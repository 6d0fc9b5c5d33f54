"""The next round before it is opened: what lacks ratings, what is unsure, who would be asked."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ocrjury.adaptive.panel import Dimensions, by_dimension
from ocrjury.adaptive.rater_choice import choose_raters
from ocrjury.adaptive.selection import next_ratings
from ocrjury.adaptive.vote_spread import rating_spread
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
        `ocrjury.adaptive.choose_raters` shares it out.
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
        """How many ratings the round would ask for."""
        return len(self.asked)

    def summary(self) -> pd.DataFrame:
        """Plan in one table to print, columns quantity and value."""
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
    who = _people(dimensions, raters)
    wanted_of = Counter(asked["item"].tolist())
    chosen = choose_raters(
        truth,
        table,
        wanted_of,
        eligible=dict.fromkeys(wanted_of, who),
        capacity=_limits(capacity, who),
        cost=options.get("cost"),
        weights=options.get("weights"),
    )
    allocation = _allocate(chosen, asked, options.get("cost") or {})
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
        allocation=allocation,
        n_unsure=len(unsure),
        n_missing=int((wanted - lacking).sum()),
        n_unplaced=len(asked) - sum(map(len, chosen.values())),
        cost=float(allocation["cost"].sum()),
        expected_gain=float(asked["gain"].sum()),
        calibrated=all(one.calibration is not None for one, _ in counted.values()),
    )


class _Unsure(NamedTuple):
    """Place of an item in its least sure dimension."""

    dimension: Any
    place: int
    confidence: float


def _counted(dimensions: Dimensions, weights: Mapping[Any, float] | None) -> Dimensions:
    """Dimensions with a weight above 0."""
    return {name: one for name, one in dimensions.items() if weights is None or weights[name] > 0}


def _least_ratings(dimensions: Dimensions) -> "pd.Series[int]":
    """Ratings of each item on the dimension where it has fewest, in canonical order."""
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
    """Least sure dimension of each item below the target."""
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
    """Items of least confidence, one row each."""
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
    chosen: Mapping[Any, list[Any]], asked: pd.DataFrame, price: Mapping[Any, float]
) -> pd.DataFrame:
    """Items of each rater asked, in the order in which they are asked about."""
    items: dict[Any, list[Any]] = {}
    for item in dict.fromkeys(asked["item"].tolist()):
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


def _people(dimensions: Dimensions, raters: Sequence[Hashable] | None) -> list[Any]:
    """Who may be asked."""
    if raters is not None:
        return canonical_order(set(raters))
    return canonical_order({rater for _, table in dimensions.values() for rater in table.raters})


def _limits(capacity: Capacity, who: Sequence[Any]) -> dict[Any, int]:
    """Most ratings of each rater who has a limit."""
    if not isinstance(capacity, Mapping):
        return {} if capacity is None else dict.fromkeys(who, int(capacity))
    return {rater: int(most) for rater, most in capacity.items() if most is not None}


def _listed(items: Sequence[Any], most: int = 6) -> str:
    """First items, and how many more there are."""
    more = len(items) - most
    return ", ".join(map(str, items[:most])) + (f" and {more} more" if more > 0 else "")
