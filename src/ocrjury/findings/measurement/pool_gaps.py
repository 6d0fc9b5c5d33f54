"""Gaps of a pool: documents that could not be used, as its reader noted them."""

from collections.abc import Iterable, Mapping
from typing import Any

from ocrjury.findings.pool_scores import PoolGaps, Unused


def gaps_of(attrs: Mapping[Any, Any], *, most: int | None = None) -> PoolGaps:
    """Parts of a pool that could not be used.

    Parameters
    ----------
    attrs
        ``.attrs`` of the frame of `ocrjury.readers.read_pool`.
    most
        Entries of each list that are kept, all if None.
    """
    return PoolGaps(
        quarantine=_unused(attrs["quarantine"][:most]),
        unmatched=_unused(attrs["unmatched"][:most]),
        skipped=_unused(attrs["skipped"][:most]),
        as_pages=_unused(attrs["as_pages"][:most], where="page_id"),
        n_quarantined=attrs["n_quarantined"],
        n_unmatched=attrs["n_unmatched"],
        n_without_output=attrs["n_without_output"],
        n_skipped=len(attrs["skipped"]),
        n_as_pages=attrs["n_as_pages"],
        warnings=tuple(attrs["warnings"]),
        formats=attrs["formats"],
        confidence_source=attrs["confidence_source"],
        unit=attrs["unit"],
        pairing=attrs["pairing"],
    )


def _unused(entries: Iterable[Mapping[str, Any]], *, where: str = "path") -> tuple[Unused, ...]:
    return tuple(
        Unused(where=entry[where], reason=entry["reason"], position=entry.get("position"))
        for entry in entries
    )
