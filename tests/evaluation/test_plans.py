"""What a plan says of a round before it opens."""

from types import SimpleNamespace

import pytest

from ocrjury.evaluation.plans import Intent


@pytest.mark.parametrize(("own", "turns"), [(35, 4), (36, 4), (44, 5), (400, 12)])
def test_gold_is_planned_as_often_as_it_will_come_on_average(own, turns):
    # Where one turn in ten is gold, it comes after nine others; what is left over is drawn by lot.
    raters = SimpleNamespace(gold_every=10)
    case = SimpleNamespace(campaign=SimpleNamespace(raters=raters))
    rows = [SimpleNamespace(rater="R01", item=f"d{n}", repeat=0) for n in range(own)]
    gold = SimpleNamespace(items=[f"g{n}" for n in range(12)])

    intent = Intent(case, None, SimpleNamespace(assignments=rows), gold)

    assert intent.gold_turns == {"R01": turns}
