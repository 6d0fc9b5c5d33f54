"""Assignments in which one rater gets all outputs of a page, next to each other.

A *unit* is what is handed out as one: all outputs of a page, or a single item.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from ocrjury.planner.rounds import NO_CONTROLS, Controls, Pair, items_left, plan_assignments


def plan_side_by_side(
    demand: Mapping[str, int],
    *,
    eligible: Mapping[str, Collection[str]],
    pages: Mapping[str, str],
    previous: Iterable[Pair] = (),
    capacity: Mapping[str, int] | None = None,
    minutes_per_item: float | Mapping[str, float] = 1.0,
    session_minutes: float = 60.0,
    controls: Controls = NO_CONTROLS,
    seed: int,
) -> pd.DataFrame:
    """Assignments as `plan_assignments` does, the outputs of a page side by side.

    Which output of a page comes first is drawn for every rater and page. A page that too few
    people may rate as a whole is handed out in single items, which stay apart. Gold comes in
    whole pages only: a single item among pairs would tell what it is.

    Parameters
    ----------
    demand
        As of `plan_assignments`; the outputs of a page get as many raters as the one with most.
    pages
        The page of every output, of gold too.

    Examples
    --------
    >>> pages = {"a1": "a", "a2": "a", "b1": "b", "b2": "b"}
    >>> eligible = dict.fromkeys(pages, ["R1", "R2", "R3"])
    >>> plan = plan_side_by_side(dict.fromkeys(pages, 1), eligible=eligible, pages=pages, seed=1)
    >>> sorted(plan.groupby("rater")["item"].apply(lambda own: "".join(sorted(own))))
    ['a1a2', 'b1b2']
    """
    before = list(previous)
    units = _units(demand, items_left(eligible, previous=before), pages)
    name_of = {item: unit for unit, members in units.items() for item in members}
    size = max(map(len, units.values()), default=1)
    gold = _whole_pages(controls.gold, pages, size=size)
    planned = plan_assignments(
        {unit: max(demand[item] for item in members) for unit, members in units.items()},
        eligible={unit: _everywhere(members, eligible) for unit, members in units.items()},
        previous=dict.fromkeys((name_of.get(item, item), rater) for item, rater in before),
        capacity={rater: turns // size for rater, turns in (capacity or {}).items()},
        minutes_per_item=_times(minutes_per_item, size),
        session_minutes=session_minutes,
        controls=controls._replace(
            gold={rater: [own[0] for own in some] for rater, some in gold.items()}
        ),
        pages={unit: pages[unit] for unit in units if unit in pages},
        seed=seed,
    )
    members = units | {own[0]: own for some in gold.values() for own in some}
    return _opened(planned, members, rng=np.random.default_rng([seed, size]))


def _units(
    demand: Mapping[str, int], left: Mapping[str, Collection[str]], pages: Mapping[str, str]
) -> dict[str, Sequence[str]]:
    """Items of every unit, by the name of its first item."""
    of_page: dict[str, list[str]] = defaultdict(list)
    for item in sorted(demand):
        of_page[pages.get(item, f"{item} alone")].append(item)
    units: dict[str, Sequence[str]] = {}
    for items in of_page.values():
        whole = len(_everywhere(items, left)) >= max(demand[item] for item in items)
        units |= {items[0]: items} if whole else {item: [item] for item in items}
    return units


def _everywhere(items: Sequence[str], raters: Mapping[str, Collection[str]]) -> list[str]:
    """Raters eligible for all of these items."""
    return [name for name in raters[items[0]] if all(name in raters[item] for item in items[1:])]


def _whole_pages(
    gold: Mapping[str, Sequence[str]], pages: Mapping[str, str], *, size: int
) -> dict[str, list[list[str]]]:
    """Gold items of each rater, by pages of full size."""
    full_pages: dict[str, list[list[str]]] = {}
    for rater, items in gold.items():
        of_page: dict[str, list[str]] = defaultdict(list)
        for item in sorted(items):
            of_page[pages.get(item, f"{item} alone")].append(item)
        full_pages[rater] = [own for own in of_page.values() if len(own) == size]
    return full_pages


def _times(minutes: float | Mapping[str, float], size: int) -> float | dict[str, float]:
    """Minutes that a unit takes."""
    if isinstance(minutes, Mapping):
        return {rater: size * each for rater, each in minutes.items()}
    return size * minutes


def _opened(
    planned: pd.DataFrame, members: Mapping[str, Sequence[str]], *, rng: np.random.Generator
) -> pd.DataFrame:
    """Items of the planned units, in random order within each unit."""
    rows = planned.sort_values(["rater", "position"])
    inside = pd.Series([list(rng.permutation(members[unit])) for unit in rows["item"]])
    opened = rows.assign(item=inside.to_numpy()).explode("item", ignore_index=True)
    opened["item"] = opened["item"].astype(str)
    return opened.assign(position=opened.groupby("rater").cumcount() + 1)
