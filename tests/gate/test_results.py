"""What the committed simulations of the gate must show, and what its page says of them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RESULT = (ROOT / "benchmarks" / "results" / "gate.md").read_text("utf-8")
DOCS = (ROOT / "docs" / "gate.md").read_text("utf-8")
WORDS = " ".join(DOCS.split())
RARE = ("3 raters, binary, 95 % right", "2 raters, binary, 95 % right")


def table(title):
    """The rows of a table by their first cell, as lists of cells."""
    section = RESULT.partition(f"## {title}")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+) \|$", section, flags=re.MULTILINE)[1:]
    return {cells[0]: cells[1:] for cells in (row.split(" | ") for row in rows)}


def shares(cells):
    return [float(cell.partition("%")[0]) for cell in cells]


def test_random_raters_never_pass_by_alpha_where_raw_agreement_would():
    rows = table("Raters who do not look")

    assert len(rows) == 4
    for raw, _, *by_policy in rows.values():
        assert int(raw.partition(" ")[0]) > 800
        assert by_policy[:3] == ["0 of 1,000"] * 3


def test_raters_at_the_floor_pass_at_most_six_in_a_hundred_times():
    rows = table("True alpha 0.667")

    assert len(rows) == 8
    assert max(share for cells in rows.values() for share in shares(cells)) <= 6


def test_good_raters_pass_at_two_hundred_items_unless_no_test_could_tell():
    passed = {name: shares(cells)[2] for name, cells in table("True alpha 0.9").items()}
    best = {name: shares(cells)[2] for name, cells in table("What any gate could").items()}

    assert all(share >= 95 for name, share in passed.items() if name not in RARE)
    assert all(passed[name] <= best[name] < 95 for name in RARE)


def test_the_page_quotes_the_results():
    at_floor = max(s for row in table("True alpha 0.667").values() for s in shares(row))
    with_few = max(s for row in table("A gate that may decide").values() for s in shares(row))
    rare = [shares(row[3:4])[0] for row in top_ups()][4:]

    assert f"at most {at_floor:g} % of evaluations" in WORDS
    assert f"in up to {with_few:g} % of evaluations instead of 5 %" in WORDS
    assert f"only {min(rare):.0f} to {max(rare):.0f} % pass on the number needed" in WORDS


def test_the_page_quotes_what_looks_cost():
    rows = re.findall(r"\| 0\.667 \| (.+) \|$", RESULT, flags=re.MULTILINE)
    planned, each = zip(*re.findall(r"([\d.]+)% \(([\d.]+)%\)", " ".join(rows)), strict=True)

    assert len(planned) == 24
    assert f"most {max(map(float, planned)):g} % of evaluations" in WORDS
    assert f"up to {max(map(float, each)):g} % would pass" in WORDS


def top_ups():
    """The rows on top-ups, whose first cells are not unique."""
    section = RESULT.partition("## After as many items")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+) \|$", section, flags=re.MULTILINE)[1:]
    return [row.split(" | ")[1:] for row in rows]


def test_the_example_of_the_page_prints_what_it_says(capsys):
    code = DOCS.partition("```python\n")[2].partition("```")[0]

    exec(code, {})

    assert capsys.readouterr().out.strip() == "PASS reliable"


@pytest.mark.parametrize("policy", ["default", "strict", "kappa", "gdpval"])
def test_the_page_names_every_policy(policy):
    assert f"| `{policy}` |" in DOCS
