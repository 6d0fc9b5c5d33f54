"""Choice of raters for the ratings of a round: those most informative about each item.

A strict rater is more informative about an item between two high levels than about one between two
low ones, and a careful rater more than a careless one. Distributing a round accordingly costs
nothing as long as all raters still get similar numbers of items. The distribution is a transport
problem (Hitchcock 1941, Journal of Mathematics and Physics 20, 224-230), whose linear programme has
an integer solution.
"""

from collections.abc import Collection, Hashable, Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ocrjury.adaptive.information import information_gain
from ocrjury.adaptive.rating_state import RatingState, build_state, by_dimension
from ocrjury.adaptive.selection import check_prices
from ocrjury.arrays import Floats, Integers
from ocrjury.assignment.identity import canonical_order
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth

UNEVEN = 1.5
"""Largest share of a round for one rater, in multiples of an even share."""


class _Pairs(NamedTuple):
    """Possible pairs: places in the items and raters of a round, and the worth, (n,)."""

    item: Integers
    rater: Integers
    worth: Floats


def choose_raters(
    truth: Truth | Mapping[Any, Truth],
    table: RatingTable | Mapping[Any, RatingTable],
    load: Mapping[Any, int],
    *,
    eligible: Mapping[Any, Collection[Hashable]] | None = None,
    capacity: Mapping[Any, int] | None = None,
    cost: Mapping[Any, float] | None = None,
    weights: Mapping[Any, float] | None = None,
    uneven: float = UNEVEN,
) -> dict[Any, list[Any]]:
    """Raters for each item, chosen so that the ratings are most informative for their price.

    Parameters
    ----------
    truth, table, cost, weights
        As in `ocrjury.adaptive.next_ratings`.
    load
        {item: number of ratings requested}.
    eligible
        {item: raters who may rate it}; None: all raters of the table. Nobody gets an item twice.
    capacity
        {rater: largest number of ratings}; raters not named have no limit.
    uneven
        Largest load of a rater, in multiples of an even share: 1 keeps loads even. Ignored if it
        would leave ratings that nobody else can give.

    Returns
    -------
    dict
        {item: raters}; fewer than requested where no rater is left.

    Examples
    --------
    >>> from ocrjury import Scale
    >>> from ocrjury.truth import dawid_skene
    >>> matrix = [[1, 1, 1, 0], [0, 0, 0, 1], [1, 1, 1, 1], [0, 0, 0, 0]] * 6
    >>> t = RatingTable.from_matrix([*matrix, [1, 0, None, None]], scale=Scale.binary())
    >>> choose_raters(dawid_skene(t), t, {24: 1})
    {24: [2]}
    """
    if not uneven >= 1:
        raise InputError(f"uneven must be at least 1 (even shares); found {uneven!r}.")
    check_prices(cost)
    state = build_state(by_dimension(truth, table), weights)
    items = canonical_order(load)
    requested = np.array([load[item] for item in items], dtype=np.int64)
    able = [state.raters] if eligible is None else eligible.values()
    people = canonical_order({rater for raters in able for rater in raters})
    pairs = _possible(state, items, people, eligible=eligible)
    price = np.array([float((cost or {}).get(rater, 1.0)) for rater in people])
    pairs = pairs._replace(
        worth=_worth(state, pairs, items=items, people=people) / price[pairs.rater]
    )
    limit = np.array(
        [(capacity or {}).get(rater, requested.sum()) for rater in people], dtype=np.int64
    )
    share = -(-int(requested.sum()) // max(len(np.unique(pairs.rater)), 1))
    chosen = _share_out(pairs, requested, np.minimum(limit, int(np.ceil(uneven * share))))
    if len(chosen) < min(int(requested.sum()), len(pairs.item)):
        chosen = _share_out(pairs, requested, limit)
    raters_of: dict[Any, list[Any]] = {}
    for place in chosen.tolist():
        raters_of.setdefault(items[pairs.item[place]], []).append(people[pairs.rater[place]])
    return raters_of


def _possible(
    state: RatingState,
    items: list[Any],
    people: list[Any],
    *,
    eligible: Mapping[Any, Collection[Hashable]] | None,
) -> _Pairs:
    """All pairs of an item and a rater who may rate it and has not, with worth 0."""
    row = {item: place for place, item in enumerate(state.items)}
    column = {rater: place for place, rater in enumerate(state.raters)}
    unknown = [item for item in items if item not in row]
    if unknown:
        raise InputError(f"load names {unknown[0]!r}, which is not an item of the truth.")
    places = {rater: place for place, rater in enumerate(people)}
    item, rater = [], []
    for place, item_id in enumerate(items):
        already = set(state.rated[[row[item_id]]].indices.tolist())
        able = people if eligible is None else eligible.get(item_id, ())
        free = sorted(
            places[able_rater]
            for able_rater in set(able)
            if column.get(able_rater, -1) not in already
        )
        item += [place] * len(free)
        rater += free
    return _Pairs(np.array(item, np.int64), np.array(rater, np.int64), np.zeros(len(item)))


def _worth(state: RatingState, pairs: _Pairs, *, items: list[Any], people: list[Any]) -> Floats:
    """Expected information of each pair about the label, in bits, shape (n,)."""
    row = {item: rater_place for rater_place, item in enumerate(state.items)}
    rows = np.array([row[item] for item in items], dtype=np.int64)
    total = np.zeros(len(pairs.item))
    for view in state.views:
        group_of = {
            state.raters[rater_place]: int(group)
            for rater_place, group in zip(view.raters, view.groups.group, strict=True)
        }
        # A rater without ratings on the dimension is a typical one: the last group.
        matrices = np.stack([*view.groups.confusion, view.typical])
        gains = np.zeros((len(matrices), len(rows)))
        for places, weight in view.by_weight(rows, more=1):
            shares = view.probabilities[rows[places]]
            gains[:, places] = [
                information_gain(shares, confusion) for confusion in view.weakened(matrices, weight)
            ]
        group = np.array([group_of.get(rater, len(matrices) - 1) for rater in people], np.int64)
        total += view.weight * gains[group[pairs.rater], pairs.item]
    return total


def _share_out(pairs: _Pairs, requested: Integers, limit: Integers) -> Integers:
    """Pairs with the largest total worth: as many as possible within the limits."""
    n_pairs = len(pairs.item)
    if not n_pairs:
        return np.zeros(0, dtype=np.int64)
    each = np.arange(n_pairs)
    row = np.concatenate([pairs.item, len(requested) + pairs.rater])
    bounds = sparse.csr_array(
        (np.ones(2 * n_pairs), (row, np.concatenate([each, each]))),
        shape=(len(requested) + len(limit), n_pairs),
    )
    # One more rating is worth more than any change of raters.
    bonus = float(pairs.worth.max(initial=0.0)) * 2 * min(len(requested), len(limit)) + 1.0
    from scipy.optimize import linprog  # noqa: PLC0415  # takes .1 s, rarely needed

    solved = linprog(
        -(pairs.worth + bonus),
        A_ub=bounds,
        b_ub=np.concatenate([requested, limit]),
        bounds=(0, 1),
        method="highs-ds",
    )
    return np.flatnonzero(solved.x > 0.5)
