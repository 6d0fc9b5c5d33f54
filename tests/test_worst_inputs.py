"""No input takes a process down: the most expensive that we know are read or refused in time.

One process measures them all, each in a child of its own that the kernel ends at its limits.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.worst_inputs import INPUTS, LARGE
from ocrjury.file_limits import MAX_CHARACTERS

ROOT = Path(__file__).resolve().parents[1]
QUICK = [name for name in INPUTS if name not in LARGE]


def read_all(names):
    """What became of each input."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.worst_inputs", "--json", *names],
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=280,
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def outcomes():
    return read_all(QUICK)


@pytest.mark.parametrize("name", QUICK)
def test_the_worst_input_is_read_or_refused_within_the_limits_of_a_process(name, outcomes):
    assert outcomes[name] == INPUTS[name].ends


@pytest.mark.parametrize("name", ["scores-unlike", "scores-marks", "scores-flags"])
def test_texts_to_score_are_as_long_as_a_row_of_a_pool_can_bring_them(name):
    [reference], [hypothesis] = INPUTS[name].make()

    assert 0 < MAX_CHARACTERS - len(reference) - len(hypothesis) <= 30
