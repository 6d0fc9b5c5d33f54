"""What the command line says of a store or a disk that is full, read-only or away: one sentence."""

import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.cli.test_ratings import RATINGS
from tests.full_disk import full


@pytest.fixture
def ratings(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(RATINGS, encoding="utf-8")
    return path


def only(answer):
    """The one line of a refusal."""
    assert answer.code == 2
    assert answer.out == ""
    [line] = answer.err.splitlines()
    return line


def test_an_import_into_a_full_store_says_so_and_stores_nothing(run, collecting, home, ratings):
    run("ratings", "export", collecting, "--open")  # the key of its rows is made once
    with full():
        answer = run("ratings", "import", collecting, ratings, "--as-lead")

    assert only(answer) == (
        f"The store at {home}/ocrjury.db is full. What was stored is safe; make room on its disk, "
        "then do this again."
    )
    assert (
        "12 ratings on 4 assignments"
        in run("ratings", "import", collecting, ratings, "--as-lead").out
    )


def test_a_home_on_a_full_disk_is_not_taken_for_a_wrong_home(run, home, opened, store):
    store.engine.dispose()
    home.rename(home.with_name("kept"))
    home.mkdir()
    (home / "ocrjury.db").touch()

    with full():
        line = only(run("evaluation", "show", opened))

    assert "is full" in line
    assert "OCRJURY_HOME" not in line


def test_a_read_only_store_can_be_read_and_refuses_changes(run, store, collecting, ratings):
    sa.event.listen(store.engine, "connect", only_reading)
    store.engine.dispose()

    line = only(run("ratings", "import", collecting, ratings, "--as-lead"))

    assert "ocrjury.db can only be read. Mount its disk for writing" in line
    assert run("evaluation", "show", collecting).code == 0
    doctor = run("doctor")
    assert doctor.code == 1
    assert "ocrjury.db can only be read" in doctor.out
    sa.event.remove(store.engine, "connect", only_reading)
    store.engine.dispose()


@pytest.mark.parametrize(
    "command",
    [
        "ratings export NAME",
        "ratings export NAME --history",
        "ratings export NAME --open",
        "ratings export NAME --open --each FOLDER",
        "audit --all --json",
        "raters payment NAME",
    ],
)
def test_nothing_leaves_a_store_that_cannot_write_down_that_it_did(
    run, store, collecting, tmp_path, command
):
    run("ratings", "export", collecting, "--open")  # the key of its rows is made once
    sa.event.listen(store.engine, "connect", only_reading)
    store.engine.dispose()
    folder = tmp_path / "out"

    words = command.replace("NAME", collecting).replace("FOLDER", str(folder)).split()
    line = only(run(*words))

    assert "can only be read" in line
    assert not folder.exists()
    sa.event.remove(store.engine, "connect", only_reading)
    store.engine.dispose()


def only_reading(raw, _record):
    raw.execute("PRAGMA query_only=ON").close()


def test_a_server_that_does_not_run_is_named_with_the_remedy(run, monkeypatch):
    monkeypatch.setenv("OCRJURY_DATABASE_URL", "postgresql://jury:geheim@127.0.0.1:1/jury")

    line = only(run("status"))

    assert line.startswith("The store at postgresql://127.0.0.1/jury cannot be opened: ")
    assert "Connection refused. Mount its disk or start its server" in line


def test_an_answer_that_fits_on_no_disk_says_what_to_do():
    with Path("/dev/full").open("wb") as disk:
        done = subprocess.run(
            [sys.executable, "-m", "ocrjury.cli", "--version"],
            stdout=disk,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )

    assert "No space left on device. Make room on that disk, then do this again." in done.stderr
