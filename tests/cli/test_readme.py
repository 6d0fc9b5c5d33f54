from pathlib import Path

from ocrjury.campaign import settings
from ocrjury.campaign.sheet_cells import DESCRIPTION, NAMES
from ocrjury.cli.ratings import COLUMNS
from tests.cli.test_documented import COMMANDS

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_readme_names_every_command():
    text = README.read_text("utf-8")
    assert [
        name for name in COMMANDS if f"`{name}`" not in text and f"ocrjury {name}" not in text
    ] == []


def test_the_readme_names_every_variable():
    text = README.read_text("utf-8")
    names = {value for name, value in vars(settings).items() if str(value).startswith("OCRJURY_")}

    assert names
    assert [name for name in names if f"| `{name}` |" not in text] == []


def test_the_readme_names_every_column_of_a_sheet():
    text = README.read_text("utf-8")

    assert ", ".join(f"`{name}`" for name in (*NAMES, *DESCRIPTION)) in text
    assert ", ".join(f"`{name}`" for name in COLUMNS) in text


def test_the_example_of_the_readme_prints_what_it_says(capsys):
    code = README.read_text("utf-8").partition("```python\n")[2].partition("```")[0]

    exec(code, {})

    assert capsys.readouterr().out.strip() == code.rpartition("# ")[2].strip()
