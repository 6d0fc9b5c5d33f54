"""docs/privacy.md names every action that the audit log may hold."""

import ast
import re
from pathlib import Path

import pytest

from tests.test_house import LIBRARY, nodes, python_files

GUIDE = Path(__file__).resolve().parents[1] / "docs" / "privacy.md"
WRITERS = {"add_audit", "add_lines", "note", "note_in", "look"}
ACTION = re.compile(r"[a-z][a-z -]+")


def named():
    """Actions of the guide's table."""
    table = GUIDE.read_text("utf-8").partition("| action | when |")[2].partition("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.count("|") > 2]
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


def patterns(argument):
    """Patterns of the actions that an argument may be; none for a variable."""
    if isinstance(argument, ast.IfExp):
        yield from patterns(argument.body)
        yield from patterns(argument.orelse)
    elif isinstance(argument, ast.Constant) and ACTION.fullmatch(str(argument.value)):
        yield re.escape(argument.value)
    elif isinstance(argument, ast.JoinedStr):
        texts = [part.value if isinstance(part, ast.Constant) else None for part in argument.values]
        if all(text is None or re.fullmatch("[a-z ]+", text) for text in texts) and any(texts):
            yield "".join(".+" if text is None else re.escape(text) for text in texts)


def written():
    """Patterns of all actions that a call writes, by file and line."""
    for path in python_files(*LIBRARY):
        for node in nodes(path):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                place = 2 if name == "note" and "web" in path.parts else 1
                for argument in node.args[place : place + 1] if name in WRITERS else ():
                    for pattern in patterns(argument):
                        yield f"{path.name}:{node.lineno}", pattern


def test_the_calls_are_seen():
    assert len(list(written())) > 30


@pytest.mark.parametrize(("place", "pattern"), list(written()))
def test_the_guide_names_the_action(place, pattern):
    names = named()

    assert any(re.fullmatch(pattern, name) for name in names), f"{place} writes {pattern}"
