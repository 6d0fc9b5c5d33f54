import gc
import os
import subprocess
import sys

import pytest

from ocrjury.cli import main
from ocrjury.spared_work import spare_work


@pytest.fixture(autouse=True)
def _as_before():
    before, finders, told = gc.get_threshold(), sys.meta_path.copy(), gc.callbacks.copy()
    yield
    gc.set_threshold(*before)
    sys.meta_path[:] = finders
    gc.callbacks[:] = told


@pytest.mark.parametrize(("given", "kept"), [(None, "1"), ("4", "4")])
def test_matrices_are_multiplied_in_one_thread_unless_told_otherwise(monkeypatch, given, kept):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    if given:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", given)

    spare_work()

    assert os.environ["OPENBLAS_NUM_THREADS"] == kept
    assert gc.get_threshold()[0] > 10_000


def test_a_command_spares_work_and_a_caller_s_process_is_left_alone(monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    monkeypatch.setattr(sys, "argv", ["ocrjury"])
    before = gc.get_threshold()

    main([])
    called = gc.get_threshold()
    main()

    assert called == before
    assert gc.get_threshold() != before


SPARING = """
import sys
from ocrjury.spared_work import spare_work
spare_work()
spare_work()
import scipy.special
print("unittest" in sys.modules, "numpy.f2py.crackfortran" in sys.modules)
import numpy as np
np.testing.assert_allclose(np.polynomial.Polynomial([1, 2])(scipy.special.expit(0)), 2)
print("unittest" in sys.modules, np.rec.array([(1,)]).size, np.char.upper("a"), np.f2py.__name__)
"""


def test_parts_of_numpy_that_nobody_needs_wait_for_their_first_use():
    done = subprocess.run(
        [sys.executable, "-c", SPARING], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stdout.splitlines() == ["False False", "True 1 A numpy.f2py"]


ENDING = """
from ocrjury.spared_work import spare_work
spare_work()
class Told:
    def __del__(self):
        print("looked for")
told = Told()
told.itself = told
del told
print("over")
"""


def test_nobody_looks_for_garbage_when_a_process_ends():
    done = subprocess.run(
        [sys.executable, "-c", ENDING], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stdout.splitlines() == ["over"]


STARTING = """
import gc
from ocrjury.spared_work import spare_work
spare_work()
spare_work()
def looked():
    return sum(one["collections"] for one in gc.get_stats())
before = looked()
kept = [[] for _ in range(250_000)]
print(looked() - before)
kept += [[] for _ in range(250_000)]
print(looked() - before > 2)
"""


def test_garbage_is_looked_for_only_after_the_start_and_then_more_often():
    done = subprocess.run(
        [sys.executable, "-c", STARTING], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stdout.splitlines() == ["0", "True"]
