"""What ``ocrjury score`` compares: pairs of texts, from files, folders or tables."""

import argparse
import warnings
from typing import TYPE_CHECKING

from ocrjury.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.readers import PoolBatches
    from ocrjury.readers.format_names import Format


def read_pairs(options: argparse.Namespace) -> "pd.DataFrame":
    """Pool that the arguments name, each document with its reference."""
    if options.hypothesis is None:
        return _read(options, options.reference, form=options.format)
    if _is_table(options.hypothesis, options.format):
        return _two_tables(options)
    return _read(options, options.hypothesis, reference=options.reference, form=options.format)


def _is_table(path: str, form: str | None) -> bool:
    """Whether a path is one table."""
    from ocrjury.readers.detection import detect_format
    from ocrjury.readers.file_sets import find_files
    from ocrjury.readers.format_names import TABLES, checked_format

    files = find_files(path)
    return files.single and (checked_format(form) or detect_format(files.files[0])) in TABLES


def _two_tables(options: argparse.Namespace) -> "pd.DataFrame":
    """Rows of one table with the references of another, joined by doc_id."""
    if not _is_table(options.reference, None):
        raise InputError(
            f"{options.hypothesis} is a table and {options.reference} is none; compare two tables, "
            "or files and folders of OCR output."
        )
    read = _read(options, options.hypothesis, form=options.format)
    right = _read(options, options.reference)
    texts = right["hypothesis"] if right["reference"].isna().all() else right["reference"]
    by_id = dict(zip(right["doc_id"], texts, strict=True))
    joined = read.assign(reference=read["doc_id"].map(by_id).astype("str"))
    joined.attrs.update(read.attrs)
    ids = set(read["doc_id"])
    lonely = [
        *(
            (options.hypothesis, "no reference", doc_id)
            for doc_id in read["doc_id"]
            if doc_id not in by_id
        ),
        *((options.reference, "a reference only", doc_id) for doc_id in by_id if doc_id not in ids),
    ]
    joined.attrs["n_unmatched"] = len(lonely)
    joined.attrs["unmatched"] = [
        {"path": str(path), "reason": f"doc_id {doc_id!r}: {why}"}
        for path, why, doc_id in lonely[:1000]
    ]
    joined.attrs["n_quarantined"] += right.attrs["n_quarantined"]
    joined.attrs["quarantine"] = [*read.attrs["quarantine"], *right.attrs["quarantine"]]
    return joined


def _read(
    options: argparse.Namespace,
    path: str,
    *,
    reference: str | None = None,
    form: "Format | None" = None,
) -> "pd.DataFrame":
    """One pool; what cannot be read is left out and noted in ``.attrs``."""
    from ocrjury.cli.printing import waiting
    from ocrjury.readers import iter_pool

    batches = iter_pool(
        path,
        unit=options.unit,
        format=form,
        reference=reference,
        encoding=options.encoding,
    )
    frames: list[pd.DataFrame] = []
    with waiting(f"Reading {path}") as line, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # what was guessed is printed at the end
        for frame in batches:
            frames.append(frame)
            if len(frames) > 1:  # the first batch of a large pool, or all of a small one
                line.update(f"Reading {path}", detail=_so_far(frames, batches))
    return _together(frames, batches)


def _so_far(frames: "list[pd.DataFrame]", batches: "PoolBatches") -> str:
    """Progress of reading."""
    share = batches.share
    tail = "" if share is None else f", {share:.0%}"
    return f"{sum(map(len, frames)):,} documents{tail}"


def _together(frames: "list[pd.DataFrame]", batches: "PoolBatches") -> "pd.DataFrame":
    """All batches as one pool."""
    import pandas as pd

    for frame in frames:
        frame.attrs = {}
    pool = frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True)
    pool.attrs.update(batches.attrs)
    return pool
