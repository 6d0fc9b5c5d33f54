"""What docs/assignment.md says, and what the committed benchmark must show."""

import re
from pathlib import Path

import pytest

from benchmarks.assignment_picture import picture
from ocrjury import assignment
from ocrjury.campaign.registry import COLUMNS
from ocrjury.planner.double_rating import DOUBLE_ITEMS

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "assignment.md").read_text("utf-8")
RESULTS = (ROOT / "benchmarks" / "results" / "assignment.md").read_text("utf-8")
EXAMPLES = "\n".join(re.findall(r"```python\n(.*?)```", DOCS, flags=re.DOTALL))


def test_every_public_name_is_described():
    assert [name for name in assignment.__all__ if f"`{name}`" not in DOCS] == []


@pytest.mark.parametrize(
    "column", sorted(set(COLUMNS) - {"pseudonym", "name", "email", "cost", "minutes_per_item"})
)
def test_every_column_that_decides_who_may_rate_has_a_rule(column):
    assert f"`{column}`" in DOCS


def test_numbers_are_those_of_the_code():
    assert f"**and at least {DOUBLE_ITEMS}**" in DOCS


def test_examples_print_what_they_say(capsys):
    exec(EXAMPLES, {})

    said = [line.rpartition("  # ")[2] for line in EXAMPLES.splitlines() if "  # " in line]
    assert capsys.readouterr().out.splitlines() == said


def test_the_picture_is_that_of_the_plan():
    assert (ROOT / "docs" / "assignment.svg").read_text("utf-8") == picture()


def test_the_benchmark_met_its_goals():
    assert RESULTS.count(", met") == 5
    assert "missed" not in RESULTS
    assert "in **60 of 60**" in RESULTS
    ours = [line for line in RESULTS.splitlines() if "| `assign_raters` |" in line]
    assert all(line.endswith("| 0 |") for line in ours)
