"""The store as runs of flows open it."""

import os

from ocrjury.evaluation.case import at_work


def test_what_a_run_writes_is_for_one_account_whoever_started_its_worker(tmp_path, monkeypatch):
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path / "home"))
    before = os.umask(0o022)
    try:
        with at_work(new=True):
            (tmp_path / "written").touch()
        after = os.umask(before)
    finally:
        os.umask(before)

    assert after == 0o022
    paths = (tmp_path / "written", tmp_path / "home", tmp_path / "home" / "ocrjury.db")
    assert [path.stat().st_mode & 0o077 for path in paths] == [0, 0, 0]
