from types import SimpleNamespace

import pandas as pd

from ocrjury import Scale
from ocrjury.adaptive.settlement import COLUMNS
from ocrjury.evaluation.inference import explored_items, infer_truths
from ocrjury.store.rounds import AssignmentRow

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
        excluded={},
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


def asked(item, rater, *, state="done", reason="explore"):
    return AssignmentRow(f"{item}{rater}", 2, item, rater, 0, 1, 1, state, reason, None)


def test_an_item_drawn_at_random_stays_one_when_others_take_it_over_and_not_when_it_is_excluded():
    rows = [
        asked("taken-over", "R1", state="withdrawn"),
        asked("taken-over", "R2", reason="takes over"),
        asked("given-up", "R1", state="withdrawn"),
        asked("excluded", "R2"),
        asked("rated", "R2"),
    ]
    case = SimpleNamespace(assignments=rows, kinds={2: "adaptive"}, excluded={"excluded": 1})

    assert explored_items(case) == ["taken-over", "rated"]
