"""Recommendations on the size of the sample: its items, and how many are rated twice."""

import math
from statistics import NormalDist
from typing import Literal

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.recommendation import Recommendation
from ocrjury.language import counted, phrase
from ocrjury.planner.double_rating import DOUBLE_ITEMS, DOUBLE_SHARE, double_rated_items

MIN_RATERS, BETTER_RATERS = 2, 3
MIN_ITEMS = 200
RATERS_PER_ITEM = (
    phrase("Raters per item"),
    phrase("at least {least}, better {better}", least=MIN_RATERS, better=BETTER_RATERS),
)
"""Topic and recommended number."""
TWO_RATERS = phrase("Items with two or more raters")
Unit = Literal["", "pages"]


def enough_items(floor: int, wanted: int | str) -> tuple[str, str]:
    """Topic and recommended number of items, with that for a share within five points."""
    words = phrase(
        "at least {floor}; {wanted} for a share within ±5 points", floor=floor, wanted=wanted
    )
    return phrase("Number of items"), words


def number_of_items(
    campaign: Campaign, pool_size: int | None, drawn: int | None, *, unit: Unit
) -> Recommendation:
    """Recommended number of items, with how near a share of them comes to that of the pool."""
    wanted = _wanted(pool_size)
    n = drawn or campaign.sampling.n or wanted
    floor = min(MIN_ITEMS, wanted)  # a small pool needs fewer for ±5 points
    too_many = pool_size is not None and n > pool_size
    drawn_text = _size(n, pool_size, unit=unit)
    precision = _precision(campaign, n, pool_size, unit=unit)
    return Recommendation(
        *enough_items(floor, _size(wanted, pool_size, unit=unit)),
        drawn_text if too_many else phrase("{label}: {text}", label=drawn_text, text=precision),
        met=n >= floor and not too_many,
        advice=phrase(
            "The pool has {outputs} outputs; set sampling.n to {n} or less.",
            outputs=f"{pool_size:,}",
            n=pool_size,
        )
        if too_many
        else phrase(
            "Set sampling.n to {floor} or more, or leave it empty for ±5 points.", floor=floor
        ),
    )


def _wanted(pool_size: int | None) -> int:
    """Items that show a share within five points."""
    from ocrjury.sampling import sample_size  # noqa: PLC0415  # the rating page does not need it

    return sample_size(error=0.05, population=pool_size)


def _size(n: int, pool_size: int | None, *, unit: Unit) -> str:
    """Documents or pages drawn, of how many."""
    whole = f"{n:,}" if pool_size is None else f"{pool_size:,}"
    words = phrase("{n} pages", n=whole) if unit == "pages" else whole
    return words if pool_size is None else phrase("{n} of {all}", n=f"{n:,}", all=words)


def _precision(campaign: Campaign, n: int, population: int | None, *, unit: Unit) -> str:
    """Margin of error of the share among n documents or pages."""
    independent = f"{100 * _margin(n, population):.1f}"
    if unit or campaign.rounds.page.systems == "apart":
        return phrase("a share within ±{points} points at 95%", points=independent)
    # Nobody knows yet how alike the outputs of a page are; it has two or more.
    pages = None if population is None else max(population // 2, 1)
    alike = f"{100 * _margin(max(n // 2, 1), pages):.1f}"
    return phrase(
        "a share within ±{points} points at 95% if outputs of a page have nothing in common, "
        "±{alike} or more if they are alike",
        points=independent,
        alike=alike,
    )


def _margin(n: int, population: int | None) -> float:
    """Half width of the 95 % interval of a share of one half."""
    left = 1.0 if population is None else max(population - n, 0) / max(population - 1, 1)
    return NormalDist().inv_cdf(0.975) * math.sqrt(0.25 / n * left)


def items_rated_twice(
    campaign: Campaign, pool_size: int | None, drawn: int | None, *, items: int | None
) -> Recommendation:
    """Recommended share and number of items that two or more raters see."""
    share = campaign.raters.share_rated_twice
    n = drawn or campaign.sampling.n or _wanted(pool_size)
    twice = double_rated_items(items or n, share=share)
    # All of a small pool is enough.
    least = DOUBLE_ITEMS if pool_size is None or items else min(DOUBLE_ITEMS, pool_size)
    enough = twice >= least or (pool_size is not None and n >= pool_size)
    return Recommendation(
        TWO_RATERS,
        phrase("at least {share}, and {n} items", share=f"{DOUBLE_SHARE:.0%}", n=least),
        phrase("{label}: {text}", label=f"{share:.0%}", text=counted(twice, "item")),
        met=share >= DOUBLE_SHARE and enough,
        advice=_more_twice(campaign, share, least=least),
    )


def _more_twice(campaign: Campaign, share: float, *, least: int) -> str:
    """Remedy where too few items are rated twice."""
    if campaign.raters.per_item < MIN_RATERS:
        return phrase("Set raters.per_item to {n} or more.", n=MIN_RATERS)
    if share < DOUBLE_SHARE:
        return phrase("Set raters.double_rated to {share} or more.", share=DOUBLE_SHARE)
    if least < DOUBLE_ITEMS:
        return phrase("Set sampling.n to {n}: all of so small a pool.", n=least)
    return phrase("Set sampling.n to {n} or more.", n=DOUBLE_ITEMS)
