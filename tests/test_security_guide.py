"""The guides to security name the test behind each claim, and leave out no line of the standard."""

import ast
import re
from pathlib import Path

import pytest

from ocrjury.readers.addresses import PROTOCOLS
from tests.deployments.services import COMPOSE
from tests.test_house import LIBRARY, nodes, python_files

ROOT = Path(__file__).resolve().parents[1]
STATES = {"holds", "partly", "yours", "not held", "does not apply"}
LEVEL_1 = """
    1.2.1-5 1.3.1-2 1.5.1 2.1.1 2.2.1-2 2.3.1 3.2.1-2 3.3.1 3.4.1-2 3.5.1-3 4.1.1 4.4.1 5.2.1-2
    5.3.1-2 6.1.1 6.2.1-8 6.3.1-2 6.4.1-2 7.2.1-4 7.4.1-2 8.1.1 8.2.1-2 8.3.1 9.1.1-3 9.2.1
    10.4.1-5 11.3.1-2 11.4.1 12.1.1 12.2.1-2 13.4.1 14.2.1 14.3.1 15.1.1 15.2.1 15.3.1"""
LEVEL_2 = """
    1.1.1-2 1.2.6-9 1.3.3-11 1.4.1-3 1.5.2 2.1.2-3 2.2.3 2.3.2-4 2.4.1 3.3.2-4 3.4.3-6 3.5.4-5
    3.7.1-2 4.1.2-3 4.2.1 4.3.1-2 4.4.2-4 5.1.1 5.2.3 5.4.1-3 6.1.2-3 6.2.9-12 6.3.3-4 6.4.3-4
    6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3 7.3.1-2 7.4.3-5 7.5.1-2 7.6.1-2 8.1.2 8.2.3 8.4.1 9.2.2-4
    10.1.1-2 10.2.1-2 10.3.1-4 10.4.6-11 10.5.1-5 10.6.1-2 10.7.1-3 11.1.1-2 11.2.1-3 11.3.3
    11.4.2-4 11.5.1 11.6.1 12.1.2-3 12.3.1-4 13.1.1 13.2.1-5 13.3.1-2 13.4.2-5 14.1.1-2 14.2.2-4
    14.3.2-3 15.1.2-3 15.2.2-3 15.3.2-7 16.1.1 16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3 17.1.1 17.2.1-4
    17.3.1-2"""
"""Numbers of OWASP ASVS 5.0.0."""


def numbers(text):
    """Lines of the standard that a text names, such as 1.2.1 to 1.2.5, or 1.2.1-5."""
    found = re.findall(r"(\d+\.\d+)\.(\d+)(?:(?: to \d+\.\d+\.|-)(\d+))?", text)
    return [
        f"{section}.{number}"
        for section, first, last in found
        for number in range(int(first), int(last or first) + 1)
    ]


def rows():
    """Rows of the tables of each level."""
    page = (ROOT / "docs" / "asvs.md").read_text("utf-8")
    for level, part in enumerate(page.split("\n## Level ")[1:], start=1):
        for row in re.findall(r"^\| (\d.*) \|$", part, re.MULTILINE):
            yield level, [cell.strip() for cell in row.split(" |")]


@pytest.mark.parametrize("guide", ["security.md", "asvs.md"])
def test_every_test_that_a_guide_names_is_there(guide):
    named = set(re.findall(r"`(tests/[^`]+)`", (ROOT / "docs" / guide).read_text("utf-8")))

    assert len(named) > 10
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize(("level", "wanted"), [(1, LEVEL_1), (2, LEVEL_2)])
def test_every_line_of_the_standard_has_one_row(level, wanted):
    told = [number for at, cells in rows() if at == level for number in numbers(cells[0])]

    assert len(numbers(LEVEL_1)) == 70
    assert sorted(told) == sorted(numbers(wanted))


def test_what_holds_has_a_test_and_what_does_not_has_a_reason():
    for _, (lines, state, what, tests) in rows():
        assert state in STATES, lines
        assert what, lines
        assert "tests/" in tests or state != "holds" or "](" in what, lines


CONNECTS = {"fsspec", "http.client", "httpx", "smtplib", "urllib.request"}
"""Modules by which something connects to something else; PostgreSQL is SQLAlchemy's."""
SERVED = {"database": {"5432"}}
"""Doors of an image of somebody else."""


def tables_of_boundaries():
    """Rows of the two tables: doors, and what goes out."""
    page = (ROOT / "docs" / "threat-model.md").read_text("utf-8")
    part = page.split("## Boundaries")[1].split("\n## ")[0]
    doors, _, outside = part.partition("| goes to |")
    return [
        [
            [cell.strip() for cell in row.split("|")[1:-1]]
            for row in re.findall(r"^\|.*\|$", table, re.MULTILINE)
        ]
        for table in (doors, outside)
    ]


def doors_of(service):
    """Ports at which a service of the compose file listens."""
    words = " ".join(map(str, service.get("command", [])))
    checked = " ".join(map(str, service.get("healthcheck", {}).get("test", [])))
    published = {port.rpartition(":")[2] for port in service.get("ports", [])}
    asked = set(re.findall(r"(?<!host=)127\.0\.0\.1:(\d+)", checked))
    return published | asked | set(re.findall(r"(?:^| )--(?:health-)?port[ =](\d+)", words))


def test_every_door_is_named_with_its_service_and_whether_it_is_open_to_the_machine():
    doors, _ = tables_of_boundaries()

    named = {(row[1].strip("`"), *row[0].split(", ")) for row in doors if row[0][:1].isdecimal()}

    there = {
        (name, port, "this machine only" if "ports" in service else "inside only")
        for name, service in COMPOSE["services"].items()
        for port in doors_of(service) | SERVED.get(name, set())
    }
    assert len(there) == 5
    assert named == there


def test_every_kind_of_address_that_is_opened_is_named():
    _, outside = tables_of_boundaries()
    [kinds] = [re.findall(r"`(\w+)`", row[1]) for row in outside if row[0].startswith("files")]

    assert kinds == list(PROTOCOLS)


def test_every_module_that_connects_to_something_is_named_with_what_it_connects_to():
    _, outside = tables_of_boundaries()
    named = {name for row in outside for name in re.findall(r"`([\w/]+\.py)`", row[-1])}

    assert named == {
        str(path.relative_to(ROOT)).removeprefix("src/ocrjury/")
        for path in python_files(*LIBRARY)
        if any(map(connects, nodes(path)))
    }


def connects(node):
    """Whether it is an import of what connects."""
    if isinstance(node, ast.Import):
        return any(name.name in CONNECTS for name in node.names)
    return (
        isinstance(node, ast.ImportFrom)
        and str(node.module).removesuffix(".implementations.local") in CONNECTS
    )
