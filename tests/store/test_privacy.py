import os

import pytest

from ocrjury.store.privacy import close_open, keep_private, list_open, writing_privately
from ocrjury.store.workspace import open_store


def mode_of(path):
    return path.stat().st_mode & 0o777


@pytest.fixture(autouse=True)
def careless_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_a_new_home_is_for_one_account(tmp_path):
    keep_private(tmp_path / "a" / "home")

    assert mode_of(tmp_path / "a" / "home") == 0o700


def test_a_home_that_was_open_is_closed_when_the_store_is_opened(tmp_path):
    home = tmp_path / "home"
    home.mkdir(mode=0o755)

    with open_store(home=home):
        assert mode_of(home) == 0o700


def test_the_home_of_another_account_stays_as_it_is(tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    monkeypatch.setattr(os, "geteuid", lambda: home.stat().st_uid + 1)

    keep_private(home)

    assert mode_of(home) == 0o755


def test_new_files_are_private_until_the_umask_is_given_back(tmp_path):
    with writing_privately():
        (tmp_path / "inside").touch()
    (tmp_path / "after").touch()

    assert (mode_of(tmp_path / "inside"), mode_of(tmp_path / "after")) == (0o600, 0o644)


def test_everything_open_in_a_home_is_closed(tmp_path):
    home, outside = tmp_path / "home", tmp_path / "outside"
    (home / "files").mkdir(parents=True)
    (home / "files" / "report.html").touch()
    (home / "secret").touch(mode=0o600)
    outside.touch()
    (home / "link").symlink_to(outside)

    opened = list_open(home)
    number = close_open(home)

    assert sorted(opened) == [home, home / "files", home / "files" / "report.html"]
    assert (number, list_open(home), mode_of(outside)) == (3, [], 0o644)
