"""Shares of low ratings, and how sure they are."""

import numpy as np
import pytest

from ocrjury import Scale
from ocrjury.report.design import Design
from ocrjury.report.low_ratings import count_ratings

LIKERT = Scale.likert(1, 5)
VALUES = np.array([1.0, 2, 3, 3, 5, 5, 4, 4] * 10)
ITEMS = [f"d{place // 2}" for place in range(len(VALUES))]


def counted(*, scale=LIKERT, values=VALUES, design=Design()):  # noqa: B008  # frozen
    return count_ratings("meaning", values, ITEMS, scale=scale, design=design)


def width(share):
    return share.high - share.low


def test_the_lower_two_levels_are_counted_over_ratings_and_over_items():
    found = counted()

    assert found.counts == (10, 10, 20, 20, 20)
    assert (found.low.value, found.low_items.value) == (0.25, 0.25)  # 1 and 2: their mean is 2
    assert 0.2 < width(found.low) < 0.3  # over 40 items, not 80 ratings
    assert width(found.low) == pytest.approx(width(found.low_items), abs=0.02)


def test_shares_are_weighted_as_the_items_were_drawn_and_counts_are_not():
    low = {item for place, item in enumerate(ITEMS) if VALUES[place] <= 2}
    weight = {item: 1.0 if item in low else 3.0 for item in ITEMS}

    found = counted(design=Design(weight=weight))

    assert found.counts == counted().counts
    assert found.weighted
    assert found.low.value == pytest.approx(10 / (10 + 3 * 30))
    assert found.low_items.value == pytest.approx(10 / (10 + 3 * 30))


def test_items_that_were_drawn_together_are_one_piece_of_evidence():
    pages = {item: int(item[1:]) // 4 for item in ITEMS}

    alone, together = counted(), counted(design=Design(cluster=pages))

    assert together.low.value == together.low_items.value == 0.25
    assert width(together.low) > 1.5 * width(alone.low)
    assert width(together.low_items) > 1.5 * width(alone.low_items)


def test_without_an_order_the_most_frequent_category_is_told_and_items_have_no_mean():
    names = Scale.nominal(["a", "b", "c"])

    found = counted(scale=names, values=np.array([0.0, 2, 2, 1] * 20))

    assert found.counts == (20, 20, 40)
    assert (found.low.value, found.low_items) == (0.5, None)


def test_a_continuous_scale_has_no_levels_to_count():
    found = counted(scale=Scale.interval(0, 100))

    assert (found.counts, found.low) == ((), None)
