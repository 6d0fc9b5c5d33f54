import gc
from weakref import WeakKeyDictionary

import numpy as np

from ocrjury import RatingTable, Scale
from ocrjury.agreement import icc
from ocrjury.agreement import intraclass as module
from ocrjury.agreement.memory import remembered

FIVE = Scale.likert(1, 5)


def a_table():
    return RatingTable.from_matrix([[1, 2], [4, 4], [5, 3]], scale=FIVE)


def test_equal_tables_are_asked_one_by_one():
    asked = []
    remember = remembered(WeakKeyDictionary())(lambda table: asked.append(id(table)))
    one, other = a_table(), a_table()

    for table in (one, other, one):
        remember(table)

    assert asked == [id(one), id(other)]


def test_what_was_found_goes_with_its_table():
    known = WeakKeyDictionary()
    remember = remembered(known)(lambda table: table.n_items)
    table = a_table()
    remember(table)

    del table
    gc.collect()

    assert len(known) == 0


def test_six_correlations_share_one_analysis(monkeypatch):
    calls = []
    monkeypatch.setattr(
        module,
        "analyse",
        lambda *parts: calls.append(parts) or module.MeanSquares(3, 2, 4, 1, 1, 1),
    )
    table = a_table()

    values = [icc(table, form=form).value for form in ("ICC(1,1)", "ICC(2,1)", "ICC(3,k)")]

    assert len(calls) == 1
    assert np.isfinite(values).all()
