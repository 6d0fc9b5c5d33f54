"""`ocrjury ratings rules` prints who rated above a field rule of the example's rubric."""

import json
from dataclasses import replace

import pytest

from tests.cli.conftest import NAME, an_item

RATINGS = f"""evaluation,item,rater,meaning,layout,readability
{NAME},d1,R01,5,4,5
{NAME},d1,R02,3,3,4
{NAME},d2,R01,4,2,2
{NAME},d2,R02,1,2,3
"""


@pytest.fixture
def rated(run, collect, tmp_path):
    """An evaluation in which R01 thinks well of two codes that were read wrong."""
    wrong = {"kind": "code", "reference": "S72.0", "hypothesis": "572.0"}
    name = collect(replace(an_item("d1"), **wrong), replace(an_item("d2"), **wrong))
    file = tmp_path / "ratings.csv"
    file.write_text(RATINGS, encoding="utf-8")
    assert run("ratings", "import", name, file, "--as-lead").code == 0
    return name


def test_every_rater_who_broke_a_rule_has_a_line(run, rated):
    answer = run("ratings", "rules", rated)

    assert answer.code == 0
    lines = [line.split() for line in answer.out.splitlines()]
    assert lines[1:3] == [
        ["code-differs", "meaning", "R01", "5", "1", "1", "0"],
        ["code-differs", "meaning", "R01", "4", "1", "1", "0"],
    ]
    assert "2 ratings above a rule in all rounds together, kept as given." in answer.out
    assert "R02" not in answer.out


def test_programs_get_json(run, rated):
    body = json.loads(run("ratings", "rules", rated, "--json").out)

    assert [(one["rater"], one["level"], one["items"], one["told"]) for one in body] == [
        ("R01", 5.0, 1, 0),
        ("R01", 4.0, 1, 0),
    ]


def test_where_nobody_broke_a_rule_that_is_said(run, collecting):
    assert run("ratings", "rules", collecting).out == (
        f"No rating of {collecting} lies above what a field rule allows.\n"
    )
    assert run("ratings", "rules", collecting, "--json").out == "[]\n"
    assert run("ratings", "rules", "no-such-evaluation").code == 2
