import re
from pathlib import Path

import pytest

import ocrjury
from ocrjury.campaign import settings
from ocrjury.evaluation.exported_ratings import COLUMNS
from ocrjury.frontends.sheets.assignment_sheet import SheetRow
from tests.cli.test_documented import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
GUIDES = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").rglob("*.md"))]


def read(name):
    return (ROOT / name).read_text("utf-8")


def test_every_command_has_its_line():
    text = read("docs/commands.md")
    named = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]

    assert sorted(named) == COMMANDS


def test_every_variable_has_its_line():
    text = read("docs/settings.md")
    names = {value for name, value in vars(settings).items() if str(value).startswith("OCRJURY_")}

    assert names
    assert [name for name in names if f"| `{name}` |" not in text] == []


def test_every_column_of_a_file_is_named():
    text = read("docs/files.md")

    assert ", ".join(f"`{name}`" for name in SheetRow._fields) in text
    assert ", ".join(f"`{name}`" for name in COLUMNS) in text


def test_every_public_name_is_in_a_guide():
    text = "".join(read(name) for name in GUIDES)

    assert [name for name in ocrjury.__all__ if not re.search(rf"\b{name}\b", text)] == []


def test_the_readme_knows_every_guide():
    guides = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    links = set(re.findall(r"\]\((docs/[^)#]+\.md)\)", read("README.md")))

    assert guides <= links


@pytest.mark.parametrize("page", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", *GUIDES])
def test_no_link_leads_nowhere(page):
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", read(page))
    here = (ROOT / page).parent

    assert [link for link in links if ":" not in link and not (here / link).exists()] == []


def test_the_example_of_the_readme_prints_what_it_says(capsys):
    code = read("README.md").partition("```python\n")[2].partition("```")[0]

    exec(code, {})

    assert capsys.readouterr().out.strip() == code.rpartition("# ")[2].strip()


@pytest.mark.parametrize("guide", ["agreement", "bias", "gate"])
def test_the_examples_of_a_guide_print_what_they_say(guide, capsys):
    code = "\n".join(re.findall(r"```python\n(.*?)```", read(f"docs/{guide}.md"), flags=re.DOTALL))

    exec(code, {})

    told = [line.rpartition("  # ")[2] for line in code.splitlines() if "print(" in line]
    assert capsys.readouterr().out.splitlines() == told
