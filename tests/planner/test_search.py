import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.planner.precision import Components, Design
from ocrjury.planner.search import (
    Prices,
    best_for,
    cheapest_for,
    narrowest,
    narrowest_width,
    width_of,
)

OF = Components(3000, 1.0, 0.5, 0.2, 0.5, 4)


@given(st.floats(0.15, 1.5), st.floats(0, 5))
def test_no_design_of_all_is_cheaper_for_the_width(width, price):
    prices = Prices(price, 1.0)

    found = cheapest_for(OF, prices, width)

    least = prices.of(found, 4) if found is not None else float("inf")
    for per_item in (1, 2, 4):
        for gold in (0, 20, 40):
            for n in (10, 40, 160, 640, 2560):
                tried = Design(n, per_item, gold)
                if width_of(OF, tried) <= width:
                    assert least <= prices.of(tried, 4)


def test_no_design_of_all_is_better_for_the_budget():
    prices = Prices(0.5, 1.0)

    found = best_for(OF, prices, 600)

    for per_item in (1, 2, 3, 4):
        for gold in (0, 10, 20, 30, 40):
            for n in range(10, 600, 10):
                tried = Design(n, per_item, gold)
                if prices.of(tried, 4) <= 600:
                    assert width_of(OF, found) <= width_of(OF, tried) + 1e-9


def test_the_closest_to_the_impossible_costs_far_less_than_everything():
    found = narrowest(OF, Prices(0.0, 1.0))
    everything = Design(3000, 4, 40)

    assert width_of(OF, found) == pytest.approx(width_of(OF, everything), rel=0.06)
    assert found.ratings(4) < everything.ratings(4) / 2


def test_with_two_raters_more_items_may_leave_a_longer_interval():
    # their one degree of freedom counts the more, the less the draw adds
    two = Components(100_000, 1.0, 0.5, 0.2, 0.5, 2)
    few, many = (width_of(two, Design(n, 2)) for n in (20, 2000))

    assert few < many
    found = cheapest_for(two, Prices(0.0, 1.0), 1.05 * narrowest_width(two, 0))
    assert found is not None
    assert found.items < 2000


def test_opening_gold_items_costs_as_much_as_others():
    assert Prices(3.0, 1.0).of(Design(100, 2, 10), 4) == 3 * 110 + 200 + 40
