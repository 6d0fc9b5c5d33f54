from ocrjury.store.files import FileStore, adopt_file


def test_a_file_gets_the_name_that_its_bytes_would_get(tmp_path):
    files = FileStore(tmp_path / "files")
    address = files.put(b"x" * 3_000_000, kind="pool", suffix=".parquet")
    large = tmp_path / "large"
    large.write_bytes(b"x" * 3_000_000)

    assert adopt_file(files, large, kind="pool", suffix=".parquet") == address
    assert not large.exists()
    assert files.path(address).stat().st_size == 3_000_000


def test_the_folder_is_made(tmp_path):
    (tmp_path / "one").write_bytes(b"1")

    address = adopt_file(FileStore(tmp_path / "new"), tmp_path / "one", kind="k", suffix=".s")

    assert (tmp_path / "new" / address).read_bytes() == b"1"
