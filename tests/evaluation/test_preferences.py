"""Which answers about outputs side by side count, and on which page."""

from types import SimpleNamespace

import pandas as pd
import pytest

from ocrjury.evaluation import system_comparison
from ocrjury.store.outputs import BETTER, WORSE, PreferenceRow


@pytest.fixture
def preferences(monkeypatch):
    """What is made of answers on one page: two systems read one text of it, two another."""
    names = ["a", "b", "c", "d"]
    pool = pd.DataFrame(
        {
            "doc_id": names,
            "page_id": "page",
            "system": names,
            "kind": None,
            "reference": ["x", "x", "y", "y"],
            "box": None,
        }
    )
    sample = [
        SimpleNamespace(item=name, doc_id=name, system=name, inclusion_probability=p, stratum=None)
        for name, p in zip(names, (0.8, 0.8, 0.2, 0.2), strict=True)
    ]
    case = SimpleNamespace(
        sample=sample,
        work=SimpleNamespace(engine=None),
        name="e",
        excluded={},
        rounds=[],
        assignments=[],
    )
    monkeypatch.setattr(system_comparison, "list_set_aside", lambda *_: [])

    def measured(answers):
        rows = [PreferenceRow(1, item, "R1", said) for item, said in answers.items()]
        monkeypatch.setattr(system_comparison, "list_preferences", lambda *_: rows)
        return system_comparison.measure_preferences(case, pool)

    return measured


def test_answers_about_two_texts_of_a_page_are_two_with_the_weight_of_each(preferences):
    said = preferences({"a": BETTER, "b": WORSE, "c": BETTER, "d": WORSE})

    assert (said.answers, said.pages) == (2, 2)
    shares = {row.system: row.estimate.value for row in said.systems}
    assert shares == pytest.approx({"a": 0.2, "b": 0.0, "c": 0.8, "d": 0.0})
