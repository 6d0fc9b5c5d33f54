"""The pool: one row per document, whatever file it came in."""

import codecs
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, get_args

from ocrjury.errors import InputError
from ocrjury.readers.csv_rows import csv_records
from ocrjury.readers.jsonl import jsonl_records
from ocrjury.readers.parquet import parquet_records
from ocrjury.readers.problems import Problems
from ocrjury.readers.sources import Format, PathLike, detect_encoding, detect_format

if TYPE_CHECKING:
    import pandas as pd

Records = Iterator[tuple[int, dict[str, Any]]]


def read_pool(
    path: PathLike,
    *,
    format: Format | None = None,  # noqa: A002  # the public name
    reference: PathLike | None = None,
    encoding: str | None = None,
) -> "pd.DataFrame":
    r"""Return the documents of a pool, or one error that names everything wrong with the file.

    Parameters
    ----------
    path
        A file, here or at any address that fsspec knows.
    format
        ``"jsonl"`` (an object per line), ``"csv"`` (delimited by comma, semicolon or tab) or
        ``"parquet"``. None: by content, else by suffix.
    reference
        Not for these formats: their references are the column ``reference``.
    encoding
        Of JSONL and CSV. None: UTF-8, with or without a byte order mark, else CP949.

    Returns
    -------
    DataFrame
        In this order: ``doc_id`` (unique text), ``page_id`` (where absent: ``doc_id``),
        ``system`` (where absent: ``"default"``), ``doc_type``, ``kind`` (amount, code, date,
        text), ``language``, ``reference``, ``hypothesis``, ``confidence`` (0 to 1), ``image``,
        ``box`` (left, top, right, bottom as shares of the image); then columns of the file's own.
        Null is null or absent in the file. A null ``reference`` means that there is none, ``""``
        that the right text is empty; in CSV an empty cell is null and ``""`` in quotes is empty,
        but an empty ``hypothesis`` is always a text in which the OCR read nothing.
        ``.attrs`` has the path, the format and the encoding.

    Raises
    ------
    InputError
        Nothing is read in part. Of each kind of problem the message tells the first ten rows and
        how many there are.

    Notes
    -----
    Rows are read and checked one at a time and kept in columns, so that memory grows with the
    documents and not with the file: at its peak by about 1 kB for each field of 20 characters.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     pool = Path(folder, "pool.csv")
    ...     _ = pool.write_text('doc_id,reference,hypothesis\na,,x\nb,"",y\n')
    ...     read_pool(pool)[["doc_id", "reference"]].isna().values.tolist()
    [[False, True], [False, False]]
    """
    from ocrjury.readers.pool_frame import pool_frame  # noqa: PLC0415  # pandas is slow to import

    if format is not None and format not in get_args(Format):
        raise InputError(
            f"format must be one of {', '.join(map(repr, get_args(Format)))}; found {format!r}."
        )
    chosen = format or detect_format(path)
    if reference is not None:
        raise InputError(
            f"a {chosen} pool holds its references in the column 'reference'; found "
            f"reference={str(reference)!r}. Leave it out."
        )
    problems = Problems(str(path), "row" if chosen == "parquet" else "line")
    known = None if chosen == "parquet" else _encoding(path, encoding)
    frame = pool_frame(_records(path, known, problems, form=chosen), problems)
    frame.attrs.update(path=str(path), format=chosen, encoding=known)
    return frame


def _encoding(path: PathLike, encoding: str | None) -> str:
    """Return the encoding of a file; a byte order mark of UTF-8 never is text."""
    if encoding is None:
        return detect_encoding(path)
    try:
        name = codecs.lookup(encoding).name
    except LookupError as error:
        raise InputError(
            f"encoding {encoding!r} is unknown; use a name such as 'utf-8' or 'cp949'."
        ) from error
    return "utf-8-sig" if name == "utf-8" else name


def _records(path: PathLike, encoding: str | None, problems: Problems, *, form: Format) -> Records:
    """Return the records of a file."""
    if form == "parquet" or encoding is None:
        return parquet_records(path)
    if form == "jsonl":
        return jsonl_records(path, encoding, problems)
    return csv_records(path, encoding, problems)
