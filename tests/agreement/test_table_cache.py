import gc
from weakref import WeakKeyDictionary

import numpy as np

from ocrjury import RatingTable, Scale
from ocrjury.agreement import icc
from ocrjury.agreement import intraclass as module
from ocrjury.agreement.rows import cached_by_table

FIVE = Scale.likert(1, 5)


def a_table():
    return RatingTable.from_matrix([[1, 2], [4, 4], [5, 3]], scale=FIVE)


def test_equal_tables_have_separate_results():
    calls = []
    cached = cached_by_table(WeakKeyDictionary())(lambda table: calls.append(id(table)))
    first, second = a_table(), a_table()

    for table in (first, second, first):
        cached(table)

    assert calls == [id(first), id(second)]


def test_results_are_dropped_with_their_table():
    results = WeakKeyDictionary()
    cached = cached_by_table(results)(lambda table: table.n_items)
    table = a_table()
    cached(table)

    del table
    gc.collect()

    assert len(results) == 0


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
