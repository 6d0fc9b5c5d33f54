"""The claim of benchmarks/coverage.py in small, and its committed result."""

import importlib.util
import re
from pathlib import Path

import pandas as pd
import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def coverage():
    spec = importlib.util.spec_from_file_location("coverage_benchmark", BENCHMARKS / "coverage.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_headline_interval_holds_the_truth_and_the_naive_mean_does_not(coverage):
    outcomes = pd.DataFrame(coverage.evaluations(coverage.load_pool(), coverage.WORLDS[0], 30))

    def share(name):
        low, high = outcomes[f"{name} low"], outcomes[f"{name} high"]
        return ((low <= outcomes["truth"]) & (outcomes["truth"] <= high)).mean()

    assert share(coverage.HEADLINE) >= 0.85
    assert share("naive") <= 0.1


def test_an_evaluation_repeats_itself(coverage):
    pool = coverage.load_pool()
    world = coverage.WORLDS[0]

    first, second = (coverage.evaluate(pool, coverage.profiles(world, 7), 7) for _ in range(2))

    assert first == second


def test_the_committed_result_covers_at_least_ninety_per_cent(coverage):
    text = coverage.RESULT.read_text(encoding="utf-8")

    found = re.findall(rf"^\| {coverage.HEADLINE} \| ([0-9.]+)% ", text, flags=re.MULTILINE)

    assert "500 simulated evaluations" in text
    assert len(found) == len(coverage.WORLDS)
    assert all(float(share) >= 90 for share in found)
