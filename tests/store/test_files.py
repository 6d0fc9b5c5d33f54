import errno

import pandas as pd
import pytest

from ocrjury.errors import InputError
from ocrjury.store.damaged_files import read_stored, readable_table
from ocrjury.store.files import (
    FileStore,
    adopt_pool,
    iter_texts,
    keep_numbers,
    read_documents,
    read_snapshot,
)
from tests.store_calls import write_snapshot


def test_a_file_gets_the_name_that_its_bytes_would_get(tmp_path):
    files = FileStore(tmp_path / "files")
    address = files.put(b"x" * 3_000_000, kind="pool", suffix=".parquet")
    large = tmp_path / "large"
    large.write_bytes(b"x" * 3_000_000)

    assert adopt_pool(files, large) == address
    assert not large.exists()
    assert files.path(address).stat().st_size == 3_000_000


def test_the_folder_is_made(tmp_path):
    (tmp_path / "one").write_bytes(b"1")

    address = adopt_pool(FileStore(tmp_path / "new"), tmp_path / "one")

    assert (tmp_path / "new" / address).read_bytes() == b"1"


@pytest.fixture
def pool(tmp_path):
    """Store and address of a scored pool."""
    files = FileStore(tmp_path / "files")
    names = [f"d{number}" for number in range(500)]
    frame = pd.DataFrame({"doc_id": names, "hypothesis": names, "cer": 0.5})
    return files, write_snapshot(files, frame)


READERS = {
    "read_snapshot": read_snapshot,
    "read_documents": lambda *pool: read_documents(*pool, ["d1"]),
    "iter_texts": lambda *pool: list(iter_texts(*pool)),
    "keep_numbers": lambda *pool: keep_numbers(*pool, named=["doc_id"]),
}
DAMAGES = {
    "cut off": lambda body: body[:1000],
    "empty": lambda _: b"",
    "overwritten": lambda body: bytes(len(body)),
    "a block lost": lambda body: body[:20] + bytes(900) + body[920:],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_damaged_pool_is_named_with_what_it_holds_and_what_to_do(pool, read, damage):
    files, address = pool
    path = files.path(address)
    path.write_bytes(damage(path.read_bytes()))

    with pytest.raises(InputError) as raised:
        read(files, address)

    assert str(raised.value) == (
        f"{path}, the scored pool of an evaluation, is damaged. Put back the file of this name "
        "from the folder `files` of a backup, then do this again."
    )


def test_damaged_numbers_of_a_purged_pool_are_named_as_such(pool):
    files, address = pool
    keep_numbers(files, address, named=["doc_id"])
    files.path(address).unlink()
    [numbers] = files.folder.glob("numbers-*")
    numbers.write_bytes(b"")

    with pytest.raises(InputError, match="numbers of a pool whose texts were removed, is damaged"):
        read_snapshot(files, address)


def test_a_pool_that_is_gone_without_a_purge_is_named(pool):
    files, address = pool
    files.path(address).unlink()

    with pytest.raises(InputError, match=f"{address}, the scored pool of an evaluation, is gone"):
        read_snapshot(files, address)


def test_what_a_disk_says_is_no_damage_of_a_file(tmp_path):
    with pytest.raises(OSError, match="Input/output error"), readable_table(tmp_path / "x"):
        raise OSError(errno.EIO, "Input/output error")


def test_a_damaged_report_is_written_again_under_its_name(tmp_path):
    files = FileStore(tmp_path)
    address = files.put(b"<p>", kind="report", suffix=".html")
    files.path(address).write_bytes(b"<")
    with pytest.raises(InputError, match="a report, is damaged"):
        read_stored(files.path(address))

    assert files.put(b"<p>", kind="report", suffix=".html") == address

    assert read_stored(files.path(address)) == b"<p>"
