"""What docs/sampling.md says, and what the committed benchmark must show."""

import re
from pathlib import Path

import pytest

from ocrjury import estimation, sampling
from ocrjury.estimation.interval import MIN_CASES, MIN_ITEMS
from ocrjury.planner.double_rating import DOUBLE_ITEMS
from ocrjury.planner.precision import FEWEST_ITEMS
from ocrjury.sampling.drawing import SMALL_POOL

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "sampling.md").read_text("utf-8")
WORDS = " ".join(DOCS.split())
RESULTS = (ROOT / "benchmarks" / "results" / "sampling.md").read_text("utf-8")
EXAMPLES = "\n".join(re.findall(r"```python\n(.*?)```", DOCS, flags=re.DOTALL))


@pytest.mark.parametrize("package", [sampling, estimation], ids=["sampling", "estimation"])
def test_every_public_name_is_described(package):
    assert [name for name in package.__all__ if f"`{name}`" not in DOCS] == []


def test_numbers_are_those_of_the_code():
    assert f"fewer than {MIN_CASES} documents on its smaller side" in WORDS
    assert f"fewer than {MIN_ITEMS} rated documents has one" in WORDS
    assert f"Pools under {SMALL_POOL} documents" in WORDS
    assert f"at least {DOUBLE_ITEMS}" in WORDS
    assert f"a budget for fewer than {FEWEST_ITEMS} items" in WORDS


def test_examples_print_what_they_say(capsys):
    exec(EXAMPLES, {})

    said = [line.rpartition("  # ")[2] for line in EXAMPLES.splitlines() if "  # " in line]
    assert capsys.readouterr().out.splitlines() == said


def test_the_benchmark_met_its_goals():
    assert RESULTS.count(" met") >= 10
    assert "missed" not in RESULTS
    assert "ppi-python 0.2.3" in RESULTS
    assert "samplics 0.6.1" in RESULTS
