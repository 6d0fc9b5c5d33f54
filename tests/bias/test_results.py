"""What the committed simulations of the tests for bias must show, and what their page says."""

import re
from pathlib import Path
from typing import get_args

import pytest

from ocrjury.bias.findings import BANDS, KINDS, Reason

ROOT = Path(__file__).parents[2]
RESULT = (ROOT / "benchmarks" / "results" / "bias.md").read_text("utf-8")
DOCS = (ROOT / "docs" / "bias.md").read_text("utf-8")


def rows(title):
    """The cells of a table, row after row, without its head."""
    section = RESULT.partition(f"## {title}")[2].partition("\n## ")[0]
    found = re.findall(r"^\| (.+?) \|$", section, flags=re.MULTILINE)[1:]
    return [row.split(" | ") for row in found]


def numbers(cells):
    return [float(cell) for cell in cells if cell.strip()]


def test_each_test_is_wrong_about_once_in_twenty_times():
    found = rows("False alarms without any bias")

    assert len(found) == 8
    for _, kind, _, *single in found:
        assert float(kind) <= 0.07
        assert all(0.03 <= rate <= 0.07 for rate in numbers(single))


def test_what_is_there_is_found_nine_times_in_ten():
    found = rows("Power")

    assert len(found) == 11
    assert all(float(flagged) >= 0.9 for _, _, flagged, _ in found)


def test_what_raters_make_of_pages_is_no_more_often_taken_for_a_habit():
    found = rows("False alarms where outputs of a page were drawn together")

    assert [row[0].split(",")[0] for row in found] == [
        f"pages of {n} outputs" for n in (2, 5, 15)
    ] * 2
    flagged = [float(cell.split(" ")[0]) for _, _, *cells in found for cell in cells]
    assert max(flagged) <= 0.08  # three standard errors of 400 simulations above one in twenty
    said = f"in {min(flagged) * 100:.0f} to {max(flagged) * 100:.0f} %"
    assert said in " ".join(DOCS.partition("* **Where outputs of a page")[2].split())


def test_one_set_of_ratings_takes_at_most_half_a_second():
    (median,) = re.findall(r"median ([0-9.]+) s of the\s+processor", RESULT)

    assert "450 pairs x 3 dimensions" in RESULT
    assert float(median) <= 0.5


def test_the_page_names_every_kind_unit_and_reason():
    names = [*KINDS, *BANDS, *get_args(Reason)]

    assert [name for name in names if f"`{name}`" not in DOCS] == []


def test_the_page_quotes_the_power():
    lowest = min(float(flagged) for _, _, flagged, _ in rows("Power"))

    assert f"flagged in {lowest:.0%} of the simulations".replace("%", " %") in DOCS


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("severities from -.3 to .3", "severities from -.3 to .3 points"),
        ("halo of sd .4", "halo of sd .4"),
        ("anchoring of .15", "anchoring of .15"),
        ("drift of -.5 per session", "drift of half a point per session"),
    ],
)
def test_the_page_names_effects_that_were_simulated(what, words):
    assert what in {row[0] for row in rows("Power")}
    assert words in " ".join(DOCS.split())


def test_the_example_of_the_page_prints_what_it_says(capsys):
    code = DOCS.partition("```python\n")[2].partition("```")[0]

    exec(code, {})

    said = [line.rpartition("# ")[2] for line in code.splitlines() if "  # " in line]
    assert capsys.readouterr().out.splitlines() == said
