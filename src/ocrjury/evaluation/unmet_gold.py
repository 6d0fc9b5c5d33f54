"""Gold that raters have not met, on which they can practise."""

from collections.abc import Collection, Mapping, Sequence

from ocrjury.evaluation.case import Case
from ocrjury.store.documents import SampledItem

Gold = Mapping[str, Mapping[str, float]]


def unmet_gold(
    case: Case, items: Sequence[SampledItem], *, raters: set[str], values: Collection[str]
) -> list[SampledItem]:
    """Gold that none of some raters has met."""
    met = {row.item for row in case.assignments if row.rater in raters}
    return [
        item
        for item in items
        if item.purpose == "gold" and item.item in values and item.item not in met
    ]


def least_gold(items: Sequence[str], gold: Gold, dimensions: Sequence[str]) -> int:
    """Number of items whose rating is known, on the dimension with the fewest."""
    return min(sum(item in gold.get(name, {}) for item in items) for name in dimensions)


def count_gold(case: Case, rater: str, dimensions: Sequence[str]) -> int:
    """Items of a pilot for one rater that would be gold, on the dimension with the fewest."""
    values = {item for name in dimensions for item in case.gold.get(name, {})}
    known = unmet_gold(case, case.items, raters={rater}, values=values)
    least = least_gold([item.item for item in known], case.gold, dimensions)
    return min(least, case.campaign.rounds.pilot.practice_items)
