"""How much of a pool was read is known while it is read."""

import gzip
import json
import zipfile

import pandas as pd
import pytest

from ocrjury.readers import iter_pool

ROWS = [{"doc_id": f"d{n:04d}", "hypothesis": "금액 1,200원 " * 5} for n in range(3000)]
JSONL = "\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS).encode()


@pytest.fixture
def tables(tmp_path):
    (tmp_path / "pool.jsonl").write_bytes(JSONL)
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(JSONL))
    pd.DataFrame(ROWS).to_csv(tmp_path / "pool.csv", index=False)
    pd.DataFrame(ROWS).to_parquet(tmp_path / "pool.parquet")
    return tmp_path


@pytest.mark.parametrize("name", ["pool.jsonl", "pool.csv", "pool.parquet", "packed.jsonl.gz"])
def test_of_a_table_it_is_the_share_of_bytes_or_rows(tables, name):
    batches = iter_pool(tables / name, batch=300)
    assert batches.share is None

    shares = [batches.share for _ in batches]

    assert len(shares) == 10
    assert shares == sorted(shares)
    assert batches.share == 1
    if name != "packed.jsonl.gz":  # so small that it is unpacked at once
        assert shares == pytest.approx([(n + 1) / 10 for n in range(10)], abs=0.08)


def test_an_address_tells_it_too(tables):
    batches = iter_pool(f"file://{tables}/pool.jsonl", batch=300)

    shares = [batches.share for _ in batches]

    assert shares == pytest.approx([(n + 1) / 10 for n in range(10)], abs=0.08)


def test_of_a_folder_it_is_the_share_of_files_bad_ones_among_them(tmp_path):
    for n in range(8):
        (tmp_path / f"p{n}.txt").write_text("가나다", encoding="utf-8")
    (tmp_path / "p8.xml").write_bytes(b"<PcGts")
    (tmp_path / "p9.xml").write_bytes(b"<PcGts")

    batches = iter_pool(tmp_path, batch=2)
    shares = [batches.share for _ in batches]

    # A frame is handed over while the file that filled it is not counted yet.
    assert shares == pytest.approx([0.1, 0.3, 0.5, 0.7])
    assert batches.share == 1


def test_an_archive_counts_its_members(tmp_path):
    with zipfile.ZipFile(tmp_path / "pool.zip", "w") as archive:
        for n in range(4):
            archive.writestr(f"part{n}.jsonl", "\n".join(JSONL.decode().split("\n")[n::4]))

    batches = iter_pool(tmp_path / "pool.zip", batch=750)
    shares = [batches.share for _ in batches]

    assert shares == sorted(shares)
    assert shares == pytest.approx([0, 0.25, 0.5, 0.75], abs=0.01)
    assert batches.share == 1
