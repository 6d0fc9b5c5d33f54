from types import SimpleNamespace

import pandas as pd

from ocrjury import Scale
from ocrjury.adaptive.settlement import COLUMNS
from ocrjury.evaluation.inference import infer_truths

NAMES = Scale.nominal(["fine", "wrong", "lost"])


def case_of(rows):
    """What inference asks of an evaluation whose scale has names."""
    truth = SimpleNamespace(method="majority_vote", prior="hierarchical")
    return SimpleNamespace(
        campaign=SimpleNamespace(rubric=SimpleNamespace(scales={"meaning": NAMES}), truth=truth),
        dimensions=("meaning",),
        ratings=pd.DataFrame(rows, columns=COLUMNS),
        gold={},
        fair_gold={},
        assignments=(),
        kinds={},
    )


def test_of_a_panel_on_names_the_most_frequent_vote_is_the_label():
    votes = [
        ("a", f"E{place}", "meaning", code, "panel") for place, code in enumerate((2, 0, 2, 0, 1))
    ]
    main = [("a", "R1", "meaning", 1, "main"), ("b", "R1", "meaning", 2, "main")]

    truth = infer_truths(case_of([*main, *votes])).truths["meaning"]

    # Places of names: the median would be what a single expert said.
    assert dict(zip(truth.items, truth.label, strict=True)) == {"a": "fine", "b": "lost"}
    assert truth.known.tolist() == [True, False]
