"""Reading a pool of any size in batches."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ocrjury.errors import InputError
from ocrjury.readers.encodings import known_encoding
from ocrjury.readers.findings import attributes, warn_of_findings
from ocrjury.readers.format_names import Format, checked_format
from ocrjury.readers.parts import Unit, checked_unit
from ocrjury.readers.reading import Reading, Row
from ocrjury.readers.sources import PathLike

if TYPE_CHECKING:
    import pandas as pd

_BATCH_CHARACTERS = 32_000_000


def iter_pool(
    path: PathLike,
    *,
    batch: int = 10_000,
    unit: Unit = "page",
    format: Format | None = None,  # noqa: A002  # the public name
    reference: PathLike | None = None,
    encoding: str | None = None,
    references: bool = False,
) -> "PoolBatches":
    r"""Rows of a pool as frames of at most ``batch`` rows, in constant memory.

    Parameters
    ----------
    path, format, reference, encoding
        As for `read_pool`; a folder may also hold tables, such as the parts of a Parquet pool.
    batch
        Largest number of rows of a frame; fewer where texts are very long.
    unit
        Unit of a row of an OCR file: ``"page"``, ``"line"``, ``"word"`` or ``"field"``.
    references
        Whether a table holds references: it may then lack the column ``hypothesis``.

    Returns
    -------
    PoolBatches
        Each iteration reads the pool again and yields frames as `read_pool` does; types of the
        file's further columns are determined for each batch. An unusable row is left out and noted
        in ``.quarantine``, where `read_pool` rejects the whole table.

    Raises
    ------
    InputError
        While iterating, if a single file cannot be read at all.

    Notes
    -----
    Memory holds a batch, one OCR file or the texts in a row group of a Parquet file, the names of
    a folder's files, and eight bytes for each row to detect a repeated ``doc_id``.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     pool = Path(folder, "pool.csv")
    ...     _ = pool.write_text("doc_id,hypothesis\na,x\nb,y\na,z\n")
    ...     batches = iter_pool(pool, batch=2)
    ...     [frame["doc_id"].tolist() for frame in batches], batches.quarantine[0]["position"]
    ([['a', 'b']], 'line 4')
    """
    if batch < 1:
        raise InputError(f"batch must be at least 1; found {batch}.")
    known_encoding(encoding)
    reading = {
        "form": checked_format(format),
        "unit": checked_unit(unit),
        "encoding": encoding,
        "references": references,
    }
    return PoolBatches(path, reference, batch=batch, reading=reading)


class PoolBatches:
    """Frames of a pool, and a record of what was left out.

    Parameters
    ----------
    path, reference, batch
        As for `iter_pool`.
    reading
        Options of `Reading`.
    """

    def __init__(
        self,
        path: PathLike,
        reference: PathLike | None,
        *,
        batch: int,
        reading: dict[str, Any],
    ) -> None:
        self.path = path
        self.reference = reference
        self.batch = batch
        self._options = reading
        self._reading = Reading(**reading)

    def __iter__(self) -> Iterator["pd.DataFrame"]:
        """Yield the frames of one pass."""
        from ocrjury.readers.pool_frame import (  # noqa: PLC0415  # pandas is slow
            SeenIds,
            frame_of_rows,
        )

        self._reading = reading = Reading(**self._options)
        seen, any_rows = SeenIds(), False
        for chunk in self._chunks(reading):
            frame = frame_of_rows(
                iter(chunk), name=str(self.path), quarantine=reading.quarantine, seen=seen
            )
            any_rows = any_rows or len(frame) > 0
            if len(frame):
                frame.attrs.update(path=str(self.path), unit=reading.unit)
                yield frame
        if not any_rows:
            raise no_document(self.path, reading)
        warn_of_findings(reading)

    def _chunks(self, reading: Reading) -> Iterator[list[Row]]:
        """Yield lists of rows, limited by the size of a batch and by their characters."""
        chunk: list[Row] = []
        size = 0
        for row in reading.rows(self.path, self.reference):
            chunk.append(row)
            size += sum(len(text) for text in row.record.values() if isinstance(text, str))
            if len(chunk) >= self.batch or size > _BATCH_CHARACTERS:
                yield chunk
                chunk, size = [], 0
        if chunk:
            yield chunk

    @property
    def attrs(self) -> dict[str, Any]:
        """Attributes of the pass so far, as in ``read_pool(...).attrs``."""
        return attributes(self.path, self._reading)

    @property
    def share(self) -> float | None:
        """Share of the pool read so far, 0 to 1; None before the pass begins.

        Measured in bytes or rows of a table, and in files of a folder.
        """
        return self._reading.files.share

    @property
    def quarantine(self) -> list[dict[str, str | None]]:
        """Files and rows that were left out: ``path``, ``reason``, ``position``."""
        return self._reading.quarantine.entries

    @property
    def unmatched(self) -> list[dict[str, str]]:
        """Files without a partner: ``path``, ``reason``."""
        return self._reading.unmatched


def no_document(path: PathLike, reading: Reading) -> InputError:
    """Error for a pool without any row, with the first reason."""
    if reading.quarantine.entries:
        first = reading.quarantine.entries[0]
        where = "" if first["position"] is None else f", {first['position']}"
        return InputError(
            f"{path} holds no document that can be read; {reading.quarantine.count} cannot, the "
            f"first is {first['path']}{where}: {first['reason']}."
        )
    if reading.unit == "field" and reading.formats:
        return InputError(
            f"{path} holds no typed field; answers of textract, docai and azure may. Read its "
            "pages, lines or words."
        )
    return InputError(f"{path} holds no document; a pool needs at least one.")
