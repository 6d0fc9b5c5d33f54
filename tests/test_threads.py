import gc
import os

import pytest

from ocrjury.deployments.flow_run import spare_work


@pytest.fixture
def _thresholds():
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("_thresholds")
@pytest.mark.parametrize(("given", "kept"), [(None, "1"), ("4", "4")])
def test_a_run_multiplies_in_one_thread_unless_told_otherwise(monkeypatch, given, kept):
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    if given:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", given)

    spare_work()

    assert os.environ["OPENBLAS_NUM_THREADS"] == kept
    assert gc.get_threshold()[0] > 10_000
