"""Who is to give the ratings asked for: those who tell most about these very items.

A strict rater tells more about an item between two high levels than about one between two low
ones, and a careful rater more than a careless one. Sharing a round out by that costs nothing as
long as everybody still gets about as much. Which rater gets which item is a transport problem
(Hitchcock 1941, Journal of Mathematics and Physics 20, 224-230), whose linear programme has whole
numbers for its solution.
"""

from collections.abc import Collection, Hashable, Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from ocrjury.adaptive.information import information_gain
from ocrjury.adaptive.panel import Floats, Integers, Panel, build_panel, by_dimension
from ocrjury.adaptive.prices import check_prices
from ocrjury.assignment.identity import canonical_order
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth

UNEVEN = 1.5
"""Most that a rater gets of a round, in even shares."""


class _Pairs(NamedTuple):
    """Who could rate what: places in the items and raters of a round, and the worth, (n,)."""

    item: Integers
    rater: Integers
    worth: Floats


def choose_raters(
    truth: Truth | Mapping[Any, Truth],
    table: RatingTable | Mapping[Any, RatingTable],
    asked: Mapping[Any, int],
    *,
    eligible: Mapping[Any, Collection[Hashable]] | None = None,
    capacity: Mapping[Any, int] | None = None,
    cost: Mapping[Any, float] | None = None,
    weights: Mapping[Any, float] | None = None,
    uneven: float = UNEVEN,
) -> dict[Any, list[Any]]:
    """Who is to rate each item, so that the ratings tell most for their price.

    Parameters
    ----------
    truth, table, cost, weights
        As of `ocrjury.adaptive.next_ratings`.
    asked
        {item: number of ratings asked for}.
    eligible
        {item: raters who may rate it}; None are all of the table. Nobody gets an item twice.
    capacity
        {rater: most ratings}; who is not named has no limit.
    uneven
        Most that a rater gets, in even shares of all ratings asked for: 1 keeps loads even.
        Where that leaves ratings that others cannot give, it is given up.

    Returns
    -------
    dict
        {item: raters}; fewer than asked for where nobody is left.

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
        raise InputError(f"uneven must be a number of even shares from 1; found {uneven!r}.")
    check_prices(cost)
    panel = build_panel(by_dimension(truth, table), weights)
    items = canonical_order(asked)
    wanted = np.array([asked[item] for item in items], dtype=np.int64)
    who = canonical_order(_people(panel, eligible))
    pairs = _possible(panel, items, who, eligible=eligible)
    price = np.array([float((cost or {}).get(rater, 1.0)) for rater in who])
    pairs = pairs._replace(worth=_worth(panel, pairs, items=items, who=who) / price[pairs.rater])
    limit = np.array([(capacity or {}).get(rater, wanted.sum()) for rater in who], dtype=np.int64)
    share = -(-int(wanted.sum()) // max(len(np.unique(pairs.rater)), 1))
    chosen = _share_out(pairs, wanted, np.minimum(limit, int(np.ceil(uneven * share))))
    if len(chosen) < min(int(wanted.sum()), len(pairs.item)):
        chosen = _share_out(pairs, wanted, limit)
    found: dict[Any, list[Any]] = {}
    for place in chosen.tolist():
        found.setdefault(items[pairs.item[place]], []).append(who[pairs.rater[place]])
    return found


def _people(panel: Panel, eligible: Mapping[Any, Collection[Hashable]] | None) -> set[Hashable]:
    """Everybody who may rate something."""
    if eligible is None:
        return set(panel.raters)
    return {rater for some in eligible.values() for rater in some}


def _possible(
    panel: Panel,
    items: list[Any],
    who: list[Any],
    *,
    eligible: Mapping[Any, Collection[Hashable]] | None,
) -> _Pairs:
    """All pairs of an item and a rater who may rate it and has not, worth nothing yet."""
    row = {item: place for place, item in enumerate(panel.items)}
    column = {rater: place for place, rater in enumerate(panel.raters)}
    strange = [item for item in items if item not in row]
    if strange:
        raise InputError(f"asked names {strange[0]!r}, which is no item of the truth.")
    places = {rater: place for place, rater in enumerate(who)}
    item, rater = [], []
    for place, name in enumerate(items):
        had = set(panel.rated[[row[name]]].indices.tolist())
        able = who if eligible is None else eligible.get(name, ())
        free = sorted(places[one] for one in set(able) if column.get(one, -1) not in had)
        item += [place] * len(free)
        rater += free
    return _Pairs(np.array(item, np.int64), np.array(rater, np.int64), np.zeros(len(item)))


def _worth(panel: Panel, pairs: _Pairs, *, items: list[Any], who: list[Any]) -> Floats:
    """Bits that each rater is expected to tell about the label, shape (n,)."""
    row = {item: place for place, item in enumerate(panel.items)}
    rows = np.array([row[item] for item in items], dtype=np.int64)
    total = np.zeros(len(pairs.item))
    for view in panel.views:
        group_of = {
            panel.raters[place]: int(group)
            for place, group in zip(view.raters, view.groups.group, strict=True)
        }
        # A rater whom the dimension does not know yet is a typical one: the last group.
        matrices = np.stack([*view.groups.confusion, view.typical])
        gains = np.zeros((len(matrices), len(rows)))
        for some, weight in view.by_weight(rows, more=1):
            shares = view.probabilities[rows[some]]
            gains[:, some] = [
                information_gain(shares, one) for one in view.weakened(matrices, weight)
            ]
        group = np.array([group_of.get(rater, len(matrices) - 1) for rater in who], np.int64)
        total += view.weight * gains[group[pairs.rater], pairs.item]
    return total


def _share_out(pairs: _Pairs, wanted: Integers, limit: Integers) -> Integers:
    """Pairs that are worth most together: as many as possible within the limits."""
    n_pairs = len(pairs.item)
    if not n_pairs:
        return np.zeros(0, dtype=np.int64)
    each = np.arange(n_pairs)
    row = np.concatenate([pairs.item, len(wanted) + pairs.rater])
    bounds = sparse.csr_array(
        (np.ones(2 * n_pairs), (row, np.concatenate([each, each]))),
        shape=(len(wanted) + len(limit), n_pairs),
    )
    # Any rating more is worth more than any other choice of raters could be.
    most = float(pairs.worth.max(initial=0.0)) * 2 * min(len(wanted), len(limit)) + 1.0
    solved = linprog(
        -(pairs.worth + most),
        A_ub=bounds,
        b_ub=np.concatenate([wanted, limit]),
        bounds=(0, 1),
        method="highs-ds",
    )
    return np.flatnonzero(solved.x > 0.5)
