"""What docs/truth.md says, and what the committed benchmarks must show."""

import re
from pathlib import Path

import pytest

from ocrjury import truth
from ocrjury.truth.calibration import LEAST_TO_CALIBRATE
from ocrjury.truth.votes import MOST_STEPS

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "truth.md").read_text("utf-8")
RESULTS = ROOT / "benchmarks" / "results"
EXAMPLES = re.findall(r"```python\n(.*?)```", DOCS, flags=re.DOTALL)


def test_every_public_name_is_described():
    assert [name for name in truth.__all__ if f"`{name}" not in DOCS] == []


def test_numbers_are_those_of_the_code():
    assert f"from {LEAST_TO_CALIBRATE} or more items" in DOCS
    assert f"counted in {MOST_STEPS} steps" in DOCS


@pytest.mark.parametrize("code", EXAMPLES, ids=["labels", "calibration"])
def test_examples_print_what_they_say(code, capsys):
    exec(code, {})

    said = [line.rpartition("# ")[2] for line in code.splitlines() if "  # " in line]
    assert capsys.readouterr().out.splitlines() == said


@pytest.mark.parametrize("name", ["truth_quality", "truth_speed"])
def test_the_committed_benchmarks_meet_their_goals_or_say_what_was_tried(name):
    text = (RESULTS / f"{name}.md").read_text("utf-8")

    assert "missed" not in text or "tried" in text
    assert len(re.findall(r"\bmet\b", text)) >= 6
