import os
import re
import sys
import tomllib
import zipfile
from pathlib import Path

import fsspec
import pytest

from ocrjury import InputError
from ocrjury.delivery.places import Place
from ocrjury.errors import MissingDependencyError
from ocrjury.readers import read_pool
from ocrjury.readers.addresses import EXTRAS
from ocrjury.readers.file_sets import find_files, root_of


@pytest.fixture
def folder(tmp_path):
    names = ["b.txt", "a.txt", "sub/c.txt", ".hidden.txt", ".git/d.txt", "Thumbs.db"]
    for name in names:
        path = tmp_path / "pool" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.stem, encoding="utf-8")
    return tmp_path / "pool"


def ids(path, **options):
    return read_pool(path, **options)["doc_id"].tolist()


def zipped(folder, name="pool.zip"):
    path = folder.parent / name
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(folder.rglob("*.txt")):
            archive.write(file, file.relative_to(folder))
    return path


def test_a_folder_is_its_files_and_those_below_but_no_hidden_ones(folder):
    assert ids(folder) == ["a", "b", "sub/c"]


def test_a_pattern_is_the_files_it_matches(folder):
    assert ids(f"{folder}/*.txt") == ["a", "b"]
    assert ids(f"{folder}/**/*.txt") == ["a", "b", "sub/c"]
    assert ids(f"{folder}/[b]*") == ["b"]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path):
    path = tmp_path / "a[1].txt"
    path.write_text("x", encoding="utf-8")

    assert ids(path) == ["a[1]"]


def test_a_pattern_that_matches_nothing_is_told(folder):
    with pytest.raises(InputError, match="holds no document"):
        read_pool(f"{folder}/*.xml")


def test_the_root_of_a_pool_that_cannot_be_looked_at_is_told_by_its_name():
    folder = f"/{'a' * 300}"  # longer than a name may be

    assert root_of(f"{folder}/pool.jsonl") == root_of(f"{folder}/*.hocr") == folder


def test_a_zip_archive_is_a_folder(folder):
    pool = read_pool(zipped(folder))

    assert pool["doc_id"].tolist() == ["a", "b", "sub/c"]
    assert pool["hypothesis"].tolist() == ["a", "b", "c"]


def test_addresses_of_fsspec_are_read(folder):
    archive = zipped(folder)
    memory = fsspec.filesystem("memory")
    memory.pipe({"/pool-of-tests/a.txt": b"a", "/pool-of-tests/x/b.txt": b"b"})

    assert ids(f"file://{folder}") == ["a", "b", "sub/c"]
    assert ids(f"file://{folder}/*.txt") == ["a", "b"]
    assert ids(f"file://{archive}") == ["a", "b", "sub/c"]
    assert ids(f"zip://*.txt::{archive}") == ["a", "b"]
    assert ids(f"zip://sub/c.txt::file://{archive}") == ["c"]
    assert ids("memory://pool-of-tests") == ["a", "x/b"]
    assert ids("memory://pool-of-tests/a.txt") == ["a"]
    memory.rm("/pool-of-tests", recursive=True)


@pytest.mark.parametrize(
    ("address", "library", "extra"),
    [
        ("s3://pool/a.txt", "s3fs", "s3"),
        ("gs://pool/*.txt", "gcsfs", "gcs"),
        ("az://pool/a.txt", "adlfs", "azure"),
        ("abfs://pool/a.txt", "adlfs", "azure"),
        ("https://example.org/a.txt", "aiohttp", "http"),
        ("zip://*.txt::s3://pool/pool.zip", "s3fs", "s3"),
    ],
)
def test_an_address_whose_library_is_missing_names_the_extra(address, library, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, "fsspec.implementations.http", raising=False)

    with pytest.raises(MissingDependencyError) as raised:
        read_pool(address)

    assert str(raised.value).startswith(f"{address} cannot be opened: ")
    assert str(raised.value).endswith(f'Run: pip install "ocrjury[{extra}]"')


def test_every_extra_that_an_error_names_installs_something():
    project = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]

    assert set(EXTRAS.values()) <= set(project["optional-dependencies"])


def test_files_beside_one_at_an_address_are_found(folder):
    (folder / "a.gt.txt").write_text("right", encoding="utf-8")

    pool = read_pool(f"file://{folder}/a.txt")

    assert pool["reference"].tolist() == ["right"]


@pytest.mark.parametrize(
    "path", ["memory://no-such-pool/a.txt", "nonsense://x", "zip://a.txt::/no/such.zip", "a\0b"]
)
def test_what_cannot_be_opened_is_an_input_error(path):
    with pytest.raises(InputError):
        read_pool(path)


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")

    pool = read_pool(tmp_path)

    assert pool["doc_id"].tolist() == ["a"]
    assert "not a regular file" in pool.attrs["quarantine"][0]["reason"]
    with pytest.raises(InputError, match="is not a regular file"):
        read_pool(tmp_path / "pipe.txt")


def test_links_are_followed_to_files_and_not_round_in_circles(folder):
    (folder / "loop").symlink_to(folder)
    (folder / "link.txt").symlink_to(folder / "a.txt")
    (folder / "broken.txt").symlink_to(folder / "nowhere")

    pool = read_pool(folder)

    assert pool["doc_id"].tolist() == ["a", "b", "link", "sub/c"]
    assert pool.attrs["quarantine"][0]["path"].endswith("broken.txt")


def test_siblings_are_those_of_the_same_folder(folder):
    source = next(file for file in find_files(folder).files if file.relative == "sub/c.txt")

    assert source.sibling("c.txt").relative == "sub/c.txt"
    assert source.sibling("a.txt") is None


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("ssh://host/pool", "ssh:// is not a kind of address for files; there are s3://"),
        ("simplecache::s3://bucket/pool", "simplecache:// is not a kind"),
        ("zip://a.xml::sftp://host/pool.zip", "sftp:// is not a kind"),
        ("http://169.254.169.254/latest/meta-data", "its host is link-local"),
        ("zip://a.xml::http://[fe80::1]/pool.zip", "its host is link-local"),
        ("https://user@2852039166/x", "its host is link-local"),
    ],
)
def test_addresses_that_are_for_no_files_are_refused(address, sentence):
    with pytest.raises(InputError, match=re.escape(sentence)):
        find_files(address)
    with pytest.raises(InputError, match=re.escape(sentence)):
        Place.at(address)


@pytest.mark.parametrize("part", ["[Content_Types].xml", "META-INF/manifest.xml"])
def test_a_workbook_is_no_archive_of_pages(tmp_path, part):
    path = tmp_path / "texts.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(part, "<Types/>")

    with pytest.raises(InputError, match=r"texts\.xlsx is a file of an office program.* as CSV"):
        find_files(str(path))
