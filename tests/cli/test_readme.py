from pathlib import Path

from tests.cli.test_documented import COMMANDS

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_readme_names_every_command():
    text = README.read_text("utf-8")
    assert [
        name for name in COMMANDS if f"`{name}`" not in text and f"ocrjury {name}" not in text
    ] == []


def test_the_example_of_the_readme_prints_what_it_says(capsys):
    code = README.read_text("utf-8").partition("```python\n")[2].partition("```")[0]

    exec(code, {})

    assert capsys.readouterr().out.strip() == code.rpartition("# ")[2].strip()
