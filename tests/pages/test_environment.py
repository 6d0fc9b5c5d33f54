import re
from importlib.resources import files

import pytest
from jinja2 import UndefinedError

from ocrjury.pages.environment import environment, markdown_cell, render, typeset

TEMPLATES = files("ocrjury") / "templates"


def templates(*kinds):
    return [name for name in environment().list_templates() if name.endswith(kinds)]


@pytest.mark.parametrize("name", ["x.html", "x.html.j2", "x.md.j2", None])
def test_everything_is_escaped_whatever_its_name(name):
    del name
    text = environment().from_string("{{ x }}").render(x="<script>'&")

    assert text == "&lt;script&gt;&#39;&amp;"


@pytest.mark.parametrize("first", ["tr('{x}.', x=x)", "x ~ '.'"])
def test_a_paragraph_is_escaped_once(first):
    template = environment().from_string("{{ paragraph([" + first + ", '', x]) }}")

    assert template.render(x="a&b") == "a&amp;b. a&amp;b"


def test_a_missing_name_is_an_error():
    with pytest.raises(UndefinedError, match="nothing"):
        environment().from_string("{{ nothing }}").render()
    with pytest.raises(UndefinedError):
        render("artifacts/round.md.j2", evaluation="x")


@pytest.mark.parametrize("name", templates(".j2"))
def test_no_template_switches_escaping_off(name):
    text = (TEMPLATES / name).read_text(encoding="utf-8")

    assert not re.search(r"\|\s*safe\b", text)
    assert "autoescape false" not in text or name.endswith(".txt.j2")


@pytest.mark.parametrize("name", templates(".j2"))
def test_every_template_compiles(name):
    assert environment().get_template(name)


@pytest.mark.parametrize(
    "address",
    ["http://evil.example/a", "HTTPS://evil.example", "www.evil.example", "a@evil.example"],
)
def test_a_bare_address_becomes_no_link_in_an_artifact(address):
    cell = str(markdown_cell(f"see {address}, please"))

    assert address not in cell
    assert cell.replace("\u2060", "") == f"see {address}, please"


def test_a_markdown_cell_stays_one_cell():
    cell = str(markdown_cell("a|b\n# <i>`x`*[y](z)\u202e"))

    assert "\n" not in cell
    assert "<i>" not in cell
    assert re.search(r"(?<!\\)[|`*\[\]]", cell) is None


def test_quotes_that_nobody_closes_are_looked_at_once():
    """One look at all of the rest for each of them would take a minute."""
    assert typeset(" 'x" * 20_000) == " ’x" * 20_000
