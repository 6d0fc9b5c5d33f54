import gc
import os
import sys

import pytest

from ocrjury.cli import main
from ocrjury.spared_work import spare_work


@pytest.fixture(autouse=True)
def _as_before():
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


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
