import os
import signal
import stat
import subprocess
import sys

import pytest

from ocrjury.whole_files import copy_whole, hidden_folder, whole_file, whole_text, write_whole

DIES = """
import os, signal, sys
from pathlib import Path
from ocrjury.whole_files import hidden_folder, whole_file
with globals()[sys.argv[1]](Path(sys.argv[2])) as part:
    part.is_dir() or part.write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def dies_while_it_writes(path, writer="whole_file"):
    command = [sys.executable, "-c", DIES, writer, str(path)]
    assert subprocess.run(command, check=False, timeout=60).returncode == -signal.SIGKILL


def test_a_file_is_written_and_replaced(tmp_path):
    path = tmp_path / "a.csv"

    write_whole(path, "항목\n")
    with whole_text(path, encoding="utf-8-sig") as file:
        file.write("a\r\n")

    assert path.read_bytes() == b"\xef\xbb\xbfa\r\n"
    assert names(tmp_path) == ["a.csv"]


def test_a_disk_that_is_full_leaves_what_stood_there(tmp_path):
    path = tmp_path / "report.pdf"
    write_whole(path, b"whole")

    for fails in (path, tmp_path / "new.pdf"):
        with pytest.raises(OSError, match="No space"), whole_file(fails) as part:
            part.write_bytes(b"ha")
            raise OSError(28, "No space left on device")

    assert path.read_bytes() == b"whole"
    assert names(tmp_path) == ["report.pdf"]


@pytest.mark.parametrize("writer", [whole_file, hidden_folder])
def test_a_disk_that_is_full_is_named_by_what_was_to_be_written(tmp_path, writer):
    path = tmp_path / "report.pdf"

    with pytest.raises(OSError, match="No space") as full, writer(path):
        raise OSError(28, "No space left on device", "/home/what-is-copied.pdf")
    with pytest.raises(OSError, match="No such") as absent, writer(path):
        raise OSError(2, "No such file", "/home/what-is-copied.pdf")

    assert full.value.filename == str(path)
    assert absent.value.filename == "/home/what-is-copied.pdf"


@pytest.mark.parametrize("writer", ["whole_file", "hidden_folder"])
def test_what_a_killed_process_left_is_removed_by_the_next_one(tmp_path, writer):
    path = tmp_path / "export"
    dies_while_it_writes(path, writer)
    (left,) = names(tmp_path)
    foreign = tmp_path / ".export.note"
    foreign.touch()

    with hidden_folder(path) as part:
        assert left not in names(tmp_path)
        with hidden_folder(path) as second:  # of a process that lives
            assert part != second
            assert part.exists()

    assert names(tmp_path) == [".export.note"]


def test_a_new_file_never_takes_the_place_of_another(tmp_path):
    path = tmp_path / "sheet.csv"
    write_whole(path, "filled in", new=True)

    with pytest.raises(FileExistsError):
        write_whole(path, "empty", new=True)

    assert path.read_text() == "filled in"
    assert names(tmp_path) == ["sheet.csv"]


def test_a_new_file_needs_no_links(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)

    write_whole(tmp_path / "sheet.csv", "a", new=True)
    with pytest.raises(FileExistsError):
        write_whole(tmp_path / "sheet.csv", "b", new=True)

    assert (tmp_path / "sheet.csv").read_text() == "a"


def test_a_file_keeps_its_mode_and_nobody_else_reads_half_of_it(tmp_path):
    path = tmp_path / "links.csv"

    def mode(of):
        return stat.S_IMODE(of.stat().st_mode)

    with whole_file(path, mode=0o644) as part:
        assert mode(part) == 0o600
    assert mode(path) == 0o644 & ~_umask()
    path.chmod(0o640)
    write_whole(path, "", mode=0o666)

    assert mode(path) == 0o640


def _umask():
    before = os.umask(0o077)
    os.umask(before)
    return before


def test_a_link_still_points_at_its_file(tmp_path):
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_text("old")
    link.symlink_to(real)

    copy_whole(tmp_path / "link.csv", tmp_path / "copy.csv")
    write_whole(link, "new")

    assert link.is_symlink()
    assert real.read_text() == "new"
    assert (tmp_path / "copy.csv").read_text() == "old"


def test_a_pipe_is_written_to_as_it_is(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, "rating\n")
        assert os.read(reader, 100) == b"rating\n"
    finally:
        os.close(reader)
