from types import SimpleNamespace

import pandas as pd

from ocrjury import Scale
from ocrjury.evaluation import rounds


def test_a_continuous_scale_sends_no_item_to_the_panel(monkeypatch):
    rows = [
        ("main", "a", "R01", "look", 84.0),
        ("main", "a", "R02", "look", 86.0),
        ("adjudication", "a", "A01", "look", 85.0),
        ("main", "b", "R01", "meaning", 2.0),
        ("adjudication", "b", "A01", "meaning", 4.0),
    ]
    names = ["round_kind", "item", "rater", "dimension", "rating"]
    scales = {"look": Scale.interval(0, 100), "meaning": Scale.likert(1, 5)}
    case = SimpleNamespace(
        ratings=pd.DataFrame(rows, columns=names),
        raters=[SimpleNamespace(role="expert")],
        campaign=SimpleNamespace(rubric=SimpleNamespace(scales=scales)),
        pairs_before=lambda _: [],
    )
    monkeypatch.setattr(rounds, "plan_what_can_be", lambda _, wanted: wanted)

    assert rounds.plan_panel(case).demand == {"b": 1}
