import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.children import next_line
from tests.drill.campaign import small_campaign

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def drill_campaign(tmp_path_factory):
    """The example with fewer documents, so that it goes through every round in seconds."""
    return small_campaign(tmp_path_factory.mktemp("drill"))


@pytest.fixture(scope="session")
def run(drill_campaign, tmp_path_factory):
    """Run the chain in a folder, in a process of its own, up to a point or to the end."""
    folder = tmp_path_factory.mktemp("driver")
    environment = os.environ | {
        "OCRJURY_CLOCK": "2026-11-20T00:00:00+00:00",
        "PREFECT_HOME": str(folder / "prefect"),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, str(ROOT / "tests/drill/driver.py"), str(drill_campaign)]
    log = folder / "driver.log"
    with log.open("w") as errors:
        driver = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )

    def run_in(home, *point):
        driver.stdin.write(json.dumps([str(home), *point]) + "\n")
        driver.stdin.flush()
        answer = next_line(driver, 240)
        assert answer, log.read_text()[-3000:]
        return SimpleNamespace(**json.loads(answer), log=log)

    yield run_in
    driver.communicate(timeout=60)


def contents(home):
    """Every row of every table, and the names of all files, in a fixed order."""
    with sqlite3.connect(home / "ocrjury.db") as connection:
        names = connection.execute(
            "select name from sqlite_master where type = 'table' and name <> 'alembic_version'"
        ).fetchall()
        rows = {
            name: sorted(connection.execute(f"select * from {name}").fetchall(), key=repr)
            for (name,) in names
        }
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
    connection.close()
    files = sorted(path.name for path in (home / "files").iterdir() if path.name[0] != ".")
    return rows, files
