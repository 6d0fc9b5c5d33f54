"""Snapshots of a scored pool as Parquet files that are named by their content."""

import io
from typing import TYPE_CHECKING

from ocrjury.store.files import FileStore

if TYPE_CHECKING:
    import pandas as pd


def write_snapshot(files: FileStore, pool: "pd.DataFrame") -> str:
    """Return the address of a scored pool; the same pool has the same address."""
    body = io.BytesIO()
    pool.to_parquet(body, index=False)
    return files.put(body.getvalue(), kind="pool", suffix=".parquet")


def read_snapshot(files: FileStore, address: str) -> "pd.DataFrame":
    """Return a scored pool."""
    import pandas as pd  # noqa: PLC0415  # heavy: the web process imports this package

    return pd.read_parquet(files.path(address))
