import errno
from pathlib import Path

import pytest

from ocrjury.errors import InputError
from ocrjury.export.folder import check_folder, write_folder

NAMES = ("mark", "table", "last")
FIRST = {"table": b"1", "mark": b"m", "last": b"l"}


def check(folder):
    check_folder(folder, names=NAMES, mark="mark")


def write(folder, bodies=FIRST):
    check(folder)
    write_folder(folder, bodies, mark="mark", last="last")


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_folder_is_made_and_replaced(tmp_path):
    folder = tmp_path / "new" / "out"

    write(folder)
    assert content(folder) == FIRST
    write(folder, {**FIRST, "table": b"2"})

    assert content(folder) == {**FIRST, "table": b"2"}
    assert [path.name for path in folder.parent.iterdir()] == ["out"]


def test_what_a_killed_export_left_goes_with_the_next_one_of_that_place(tmp_path):
    left = tmp_path / ".out.0123abcd.4711"
    left.mkdir()
    (left / "documents.csv").write_text("texts", "utf-8")

    write(tmp_path / "out")

    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_that_is_a_disk_of_its_own_is_written(tmp_path, monkeypatch):
    folder, move = tmp_path / "volume", Path.replace
    left = folder / ".export.0123abcd.4711"
    left.mkdir(parents=True)

    def on_one_disk(part, place):
        if part.is_relative_to(folder) != place.is_relative_to(folder):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return move(part, place)

    monkeypatch.setattr(Path, "replace", on_one_disk)
    write(folder)
    write(folder, {**FIRST, "table": b"2"})

    assert content(folder) == {**FIRST, "table": b"2"}
    assert [path.name for path in tmp_path.iterdir()] == ["volume"]


def test_a_link_to_a_folder_stays_one(tmp_path):
    (tmp_path / "there").mkdir()
    link = tmp_path / "out"
    link.symlink_to("there")

    write(link)

    assert link.is_symlink()
    assert content(tmp_path / "there") == FIRST


def test_an_empty_folder_is_taken(tmp_path):
    write(tmp_path)

    assert content(tmp_path) == FIRST


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["mine.txt", "mark"], "holds something else than an export: 'mine.txt'. Nothing was"),
        (["a", "b", "c", "d"], "'a', 'b', 'c' and 1 more"),
        (["table"], "holds 'table', but no mark: no export wrote them"),
    ],
)
def test_a_folder_with_files_of_others_is_refused_and_left_alone(tmp_path, names, sentence):
    for name in names:
        (tmp_path / name).write_text("mine")

    with pytest.raises(InputError, match=sentence):
        check(tmp_path)

    assert set(content(tmp_path).values()) == {b"mine"}


def test_a_file_and_a_folder_in_the_place_of_a_file_are_refused(tmp_path):
    file = tmp_path / "file"
    file.write_text("mine")
    (tmp_path / "out" / "mark").mkdir(parents=True)

    with pytest.raises(InputError, match="is a file; --out names a folder"):
        check(file)
    with pytest.raises(InputError, match="something else than an export: 'mark'"):
        check(tmp_path / "out")


def test_an_export_that_was_stopped_shows_and_is_finished_by_the_next(tmp_path, monkeypatch):
    folder = tmp_path / "out"
    write(folder)
    replace = type(folder).replace

    def stop(path, target):
        if target.name == "table":
            raise KeyboardInterrupt
        return replace(path, target)

    monkeypatch.setattr(type(folder), "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        write(folder, {**FIRST, "table": b"2"})
    monkeypatch.undo()

    assert content(folder) == {"mark": b"m", "table": b"1"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    write(folder, {**FIRST, "table": b"2"})
    assert content(folder) == {**FIRST, "table": b"2"}
