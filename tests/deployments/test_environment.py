"""The guides name exactly the variables that the code and the shipped files read or set."""

import re

from tests.deployments.services import FOLDER

ROOT = FOLDER.parent
NAME = re.compile(r"\b(?:OCRJURY|PREFECT)_[A-Z][A-Z_]+[A-Z]\b")
ALONE = re.compile(rf'"({NAME.pattern})"')
CODE = ("src/ocrjury", "flows", "tasks", "deployments")
FILES = ("Dockerfile", "compose.yaml", "prefect.yaml", "systemd/*", "kubernetes/*")
EXAMPLES = {"OCRJURY_LABEL_STUDIO_TOKEN", "OCRJURY_MAIL_PASSWORD", "OCRJURY_SLACK_URL"}
"""Names that a campaign chooses; the guides and the errors use these."""
INTERNAL = {
    *("PREFECT_UI_ENABLED", "PREFECT_SERVER_SERVICES_SCHEDULER_ENABLED"),
    *("PREFECT_LOGGING_FORMATTERS_JSON_CLASS", "PREFECT_LOGGING_HANDLERS_CONSOLE_FORMATTER"),
    *("PREFECT_LOGGING_HANDLERS_DEBUG_FORMATTER", "PREFECT_LOGGING_COLORS"),
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL",
}
"""How the server and the quiet of a demo and `OCRJURY_LOG=json` reach Prefect; nobody sets them."""


def in_code():
    """Names that stand alone in a string of the code."""
    paths = [path for folder in CODE for path in (ROOT / folder).rglob("*.py")]
    return {name for path in paths for name in ALONE.findall(path.read_text("utf-8"))}


def in_files():
    """Names in the files for containers, systemd and Kubernetes."""
    paths = [path for pattern in FILES for path in FOLDER.glob(pattern)]
    found = {name for path in paths for name in NAME.findall(path.read_text("utf-8"))}
    return {name.removesuffix("_FILE") for name in found}


def in_tables():
    """Names that begin a row of a table in the guides."""
    guides = [
        (ROOT / "docs" / name).read_text("utf-8") for name in ("settings.md", "operations.md")
    ]
    rows = [line for guide in guides for line in guide.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in NAME.findall(row.split("|")[1])}


def test_the_tables_name_every_variable_and_no_other():
    read = (in_code() | in_files()) - EXAMPLES - INTERNAL

    assert len(read) > 30
    assert sorted(read ^ in_tables()) == []


def test_no_variable_stands_in_two_tables():
    settings = (ROOT / "docs" / "settings.md").read_text("utf-8")
    operations = (ROOT / "docs" / "operations.md").read_text("utf-8")
    names = [
        {
            name
            for line in guide.splitlines()
            if line.startswith("| `")
            for name in NAME.findall(line.split("|")[1])
        }
        for guide in (settings, operations)
    ]

    assert names[0] & names[1] == set()
