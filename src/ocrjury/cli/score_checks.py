"""Checks of an order to score a pool, before any work."""

from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.errors import InputError
from ocrjury.problem_lists import first_named

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.findings.pool_scores import PoolGaps


def check_out(path: Path | None) -> None:
    """Refuse a file that could not be written, before any work."""
    if path is None:
        return
    if path.suffix not in (".csv", ".parquet"):
        raise InputError(f"--out must end in .csv or .parquet; found {path.name!r}.")
    if not path.parent.is_dir():
        raise InputError(f"--out: the folder {path.parent} does not exist.")


def check_kept(read: Iterable[str | None], written: Mapping[str, Path | None]) -> None:
    """Refuse to write over what is read or into a folder that is, or two files to one place.

    Parameters
    ----------
    written
        Files by the option that names them.
    """
    other = "name another file."
    taken = {Path(path).resolve(): f"is what is read; {other}" for path in read if path is not None}
    folders = {
        path: f"lies in {path}, which is read; name a file elsewhere."
        for path in taken
        if path.is_dir()
    }
    for option, path in written.items():
        if path is None:
            continue
        places = [taken.get(path.resolve()), *map(folders.get, path.resolve().parents)]
        if why := next(filter(None, places), None):
            raise InputError(f"{option}: {path} {why}")
        taken[path.resolve()] = f"is where {option} writes; {other}"


def check_groups(pool: "pd.DataFrame", by: str | None, *, source: str) -> None:
    """Refuse a column that is not there, or whose cells name no group."""
    if by is None:
        return
    if by not in pool.columns:
        raise InputError(f"--by: {source} has no column {by!r}; found {', '.join(pool.columns)}.")
    if any(isinstance(cell, list | dict) for cell in pool[by]):
        raise InputError(f"--by: the cells of {by!r} are lists, and name no group.")


def check_common_ids(outputs: Collection[str], references: Collection[str], *, names: str) -> None:
    """Raise `InputError` if no document of one table has the id of one in another."""
    if set(outputs).isdisjoint(references):
        first, other = (first_named(islice(ids, 3)) for ids in (outputs, references))
        raise InputError(
            f"{names} have no doc_id in common, so there is nothing to compare: the first are "
            f"{first} and {other}. Ids are texts: a differs from A, and 1 from 01 and 1.0."
        )


def check_any_scored(scored: "pd.DataFrame", *, left_out: "PoolGaps") -> None:
    """Raise `InputError` if no document could be compared with anything."""
    if not scored["ned"].isna().all():
        return
    if left_out.quarantine:
        first = left_out.quarantine[0]
        where = ", ".join(filter(None, (first.where, first.position)))
        raise InputError(
            "no document has a reference that can be read, so there is nothing to compare; the "
            f"first of {left_out.n_quarantined:,} left out is {where}: {first.reason}."
        )
    raise InputError(
        "no document has a reference, so there is nothing to compare. Files are paired by "
        "their names up to the first dot; `ocrjury pool check HYP --reference REF` shows them."
    )
