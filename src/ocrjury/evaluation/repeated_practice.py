"""Items of an earlier pilot that a rater practises again, to see what moved."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from ocrjury.campaign.capabilities import RATING_PAGE
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.documents import spread

EVERY: Final = 5
"""Number of new items of a pilot for each one that is practised again."""
LEAST: Final = 3
"""Items below which nothing is said of what moved, so that none is practised again."""


def told_before(case: Case, dimensions: Sequence[str]) -> dict[str, dict[str, float]]:
    """Expected values that each rater was told after an own rating on some dimensions, by item.

    Only the rating page tells them.
    """
    expected: dict[str, dict[str, float]] = {}
    if case.campaign.rounds.frontend != RATING_PAGE:
        return expected
    given = case.ratings
    practised = given[(given["round_kind"] == "pilot") & given["dimension"].isin(dimensions)]
    for row in practised[["rater", "item", "dimension"]].itertuples(index=False):
        value = case.gold.get(str(row.dimension), {}).get(str(row.item))
        if value is not None:
            expected.setdefault(str(row.rater), {})[str(row.item)] = value
    return expected


def choose_again(
    expected: Mapping[str, Mapping[str, float]],
    may_rate: Mapping[str, Collection[str]],
    *,
    new: int,
) -> dict[str, list[str]]:
    """Items that each rater practises again beside some new ones, from bad to good.

    Examples
    --------
    >>> expected = {"R01": {"d1": 5, "d2": 1, "d3": 3}, "R02": {"d1": 5}}
    >>> choose_again(expected, dict.fromkeys(["d1", "d2", "d3"], ["R01", "R02"]), new=20)
    {'R01': ['d2', 'd3', 'd1']}
    """
    number = max(new // EVERY, LEAST)
    chosen = {}
    for rater, values in expected.items():
        known = [item for item in values if rater in may_rate.get(item, ())]
        if len(known) >= LEAST:
            chosen[rater] = spread(sorted(known, key=lambda item: (values[item], item)), number)
    return chosen
