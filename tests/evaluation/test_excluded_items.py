"""Nobody is asked again for what a lead excluded, nor adaptively for what the rubric decides."""

from collections import Counter
from types import SimpleNamespace

from ocrjury import RatingTable, Scale
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.lateness import _found_nobody
from ocrjury.evaluation.pilots import _demand
from ocrjury.evaluation.preview import _under_annotated
from ocrjury.findings.preview import RatedItem
from ocrjury.store.rounds import AssignmentRow


def withdrawn(item):
    return AssignmentRow(item, 1, item, "R01", 0, 1, 1, "withdrawn", "design", None)


def asked(item, reason="design"):
    return AssignmentRow(item, 1, item, "R01", 0, 1, 1, "open", reason, None)


def test_a_rating_that_was_withdrawn_with_its_item_is_not_missing():
    case = SimpleNamespace(last_assignments=[withdrawn("d1"), withdrawn("d2")], excluded={"d1": 1})

    assert _found_nobody(case) == Counter({"d2": 1})


def test_a_pilot_asks_for_other_items_only():
    case = SimpleNamespace(excluded={"d1": 1})

    assert _demand(case, {"d1": ["R01"], "d2": ["R01", "R02"], "d3": []}) == {"d2": 2}


def test_an_adaptive_round_does_not_ask_for_boundary_cases_and_others_do():
    case = SimpleNamespace(excluded={"d1": 1}, decided={"d2"})

    assert Case.not_asked(case, "adaptive") == {"d1", "d2"}
    assert Case.not_asked(case, "main") == {"d1"}


def test_an_excluded_item_lacks_no_rating():
    table = RatingTable.from_matrix([[1, None]], scale=Scale.likert(1, 5), items=["d2"])
    case = SimpleNamespace(
        sample=[SimpleNamespace(item=item) for item in ("d1", "d2")],
        excluded={"d1": 1},
        assignments=[asked("d1"), asked("d1"), asked("d2"), asked("d2")],
        kinds={1: "main"},
        campaign=SimpleNamespace(raters=SimpleNamespace(per_item=2)),
    )

    found = _under_annotated(case, SimpleNamespace(tables={"meaning": table}))

    assert (found.count, found.items) == (1, (RatedItem("d2", 1),))


def test_an_item_that_one_rater_was_asked_for_lacks_no_second_rating():
    scale = Scale.likert(1, 5)
    table = RatingTable.from_matrix([[1, None], [2, None]], scale=scale, items=["d1", "d2"])
    took_over = asked("d2", "takes over")
    case = SimpleNamespace(
        sample=[SimpleNamespace(item=item) for item in ("d1", "d2", "d3")],
        excluded={},
        assignments=[asked("d1"), asked("d1"), asked("d2"), took_over, asked("d3")],
        kinds={1: "main"},
        campaign=SimpleNamespace(raters=SimpleNamespace(per_item=2)),
    )

    found = _under_annotated(case, SimpleNamespace(tables={"meaning": table}))

    assert (found.count, found.items) == (2, (RatedItem("d3", 0), RatedItem("d1", 1)))
