"""Statements of docs/metrics.md, and goals that the committed benchmark must meet."""

import math
import re
from dataclasses import fields
from pathlib import Path

import pytest

from ocrjury import text
from ocrjury.scoring.pool_run import BATCH_ROWS
from ocrjury.text import TextOptions, score_texts
from ocrjury.text.averages import _MOST_CLUSTERS
from ocrjury.text.metrics import METRICS, OPTIONAL
from ocrjury.text.options import _PRESETS

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "metrics.md").read_text("utf-8")
RESULTS = (ROOT / "benchmarks" / "results" / "scoring.md").read_text("utf-8")
EXAMPLES = "\n".join(re.findall(r"```python\n(.*?)```", DOCS, flags=re.DOTALL))
COUNTS = {"n_ref_chars", "n_hyp_chars", "edit_distance", "substitutions", "deletions", "insertions"}


def test_every_metric_option_and_preset_is_described():
    names = {
        *METRICS,
        *OPTIONAL,
        *_PRESETS,
        *(field.name for field in fields(TextOptions)),
    } - COUNTS

    assert [name for name in names if f"`{name}`" not in DOCS] == []


def test_every_question_is_answered_by_something_public():
    table = DOCS.partition("## Which metric when")[2].partition("## Definitions")[0]
    answers = set(re.findall(r"`([a-z_0-9]+)`", table))

    assert answers <= {*METRICS, *OPTIONAL, *text.__all__}


@pytest.mark.parametrize(
    "line",
    [line for line in DOCS.splitlines() if re.match(r"\| `[a-z_0-9`, ]+ \|.*\|.*\|.*\|.*\|", line)],
)
def test_the_table_of_empty_texts_is_what_the_code_does(line):
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    names = re.findall(r"`(\w+)`", cells[0])
    pairs = [("", ""), ("", "x"), ("x", "")]
    frame = score_texts(*map(list, zip(*pairs, strict=True)), metrics=names)

    for place, cell in enumerate(cells[2:]):
        documented = cell.split(", ") * (len(names) if "," not in cell else 1)
        values = ["undefined" if math.isnan(value) else f"{value:g}" for value in frame.iloc[place]]
        assert values == documented


def test_numbers_are_those_of_the_code():
    assert f"batches of {BATCH_ROWS:,} documents" in DOCS
    assert f"over {_MOST_CLUSTERS:,} of them" in DOCS


def test_examples_print_what_they_say(capsys):
    exec(EXAMPLES, {})

    documented = [line.rpartition("  # ")[2] for line in EXAMPLES.splitlines() if "  # " in line]
    assert capsys.readouterr().out.splitlines() == documented


def test_the_benchmark_met_its_goals():
    assert "| missed |" not in RESULTS
    assert RESULTS.count("| met |") >= 10
    assert "byte for byte the same" in RESULTS
