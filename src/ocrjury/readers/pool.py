"""Reading a pool, one row per document, from files of any supported format."""

from typing import TYPE_CHECKING

from ocrjury.readers.batches import no_document
from ocrjury.readers.detection import detect_format
from ocrjury.readers.encodings import known_encoding
from ocrjury.readers.file_sets import find_files
from ocrjury.readers.findings import attributes, warn_of_findings
from ocrjury.readers.format_names import TABLES, Format, checked_format
from ocrjury.readers.parts import Unit, checked_unit
from ocrjury.readers.problems import Problems
from ocrjury.readers.reading import Reading
from ocrjury.readers.sources import PathLike, Source, detect_encoding
from ocrjury.readers.tables import check_table, table_records

if TYPE_CHECKING:
    import pandas as pd


def read_pool(
    path: PathLike,
    *,
    format: Format | None = None,  # noqa: A002  # the public name
    reference: PathLike | None = None,
    encoding: str | None = None,
) -> "pd.DataFrame":
    r"""Documents of a pool: a row for each page of OCR files, or each row of a table.

    Parameters
    ----------
    path
        A file, a folder, a zip archive or a pattern such as ``"ocr/*.hocr"``, local or at any
        address that fsspec knows; a file may be compressed by gzip.
    format
        ``"page"`` (PAGE-XML), ``"alto"``, ``"hocr"``, ``"tsv"`` (Tesseract), ``"text"``,
        ``"textract"``, ``"docai"``, ``"vision"``, ``"azure"``, or a table: ``"jsonl"`` (an object
        per line), ``"csv"`` (delimited by comma, semicolon or tab), ``"parquet"``. None: detect by
        content, else by suffix, for each file separately.
    reference
        File or folder of references, paired by name up to the first dot, in any format. None:
        files marked ``gt`` beside the others, such as ``p1.gt.txt``. Not for tables: their
        references are the column ``reference``.
    encoding
        Encoding of all text files. None: UTF-8, with or without a byte order mark, UTF-16 with
        one, else CP949; XML and HTML declare their own.

    Returns
    -------
    DataFrame
        In this order: ``doc_id`` (unique text; for an OCR file its name up to the first dot),
        ``page_id`` (default: ``doc_id``), ``system`` (default: ``"default"``), ``doc_type``,
        ``kind`` (amount, code, date, text), ``language``, ``reference``, ``hypothesis``,
        ``confidence`` (0 to 1; for a page the mean over its words), ``image``, ``box`` (left, top,
        right, bottom as shares of the image); then any further columns of the file. A value is
        null where it is null or absent in the file. A null ``reference`` means that there is none,
        ``""`` that the right text is empty; in CSV an empty cell is null and ``""`` in quotes is
        empty, but an empty ``hypothesis`` always means that the OCR read nothing.
        ``.attrs`` has path, format, encoding and the source of the confidences; for a folder also
        ``quarantine`` (path, reason and position of what cannot be read), ``unmatched`` (path and
        reason; ``n_without_output`` of them are references, and no row), ``skipped`` and
        ``warnings``.

    Raises
    ------
    InputError
        If a single file cannot be read; it names the file and the position. A table is never read
        in part: for each kind of problem the message gives the first ten rows and the number of
        rows. In a folder the other files are read.

    Warns
    -----
    UserWarning
        If white space of Korean, Chinese or Japanese had to be guessed.

    See Also
    --------
    read_units : lines, words or typed fields instead of pages.
    iter_pool : batch by batch, for pools larger than memory.

    Notes
    -----
    Rows are read and checked one at a time and stored in columns, so that memory grows with the
    documents, not with the file: the peak is about 1 kB for each field of 20 characters.

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
    chosen = checked_format(format)
    files = find_files(path)
    if files.single:
        form = chosen or detect_format(files.files[0])
        if form in TABLES:
            return _table(path, files.files[0], form, reference=reference, encoding=encoding)
    return _documents(path, Reading(chosen, "page", encoding), reference=reference)


def read_units(
    path: PathLike,
    *,
    unit: Unit,
    format: Format | None = None,  # noqa: A002  # the public name
    reference: PathLike | None = None,
    encoding: str | None = None,
) -> "pd.DataFrame":
    r"""Lines, words or typed fields of OCR files as a pool.

    Parameters
    ----------
    unit
        ``"line"``, ``"word"``, ``"field"`` (keys and values of forms, entities and the like in the
        answers of textract, docai and azure) or ``"page"``.
    path, format, reference, encoding
        As for `read_pool`, but tables are not accepted.

    Returns
    -------
    DataFrame
        Columns as in `read_pool`. ``doc_id`` is made of the page's id and the unit's name or
        number; ``kind`` is the service's type of a field's value. Fields have the column ``field``:
        the key on the form, by which they are paired. Lines and words are paired by content. What
        was missed has an empty hypothesis, an invented line or word an empty reference. A page
        whose lines cannot be paired is one row. ``.attrs`` also has ``pairing`` (numbers of paired,
        joined, missed and invented) and ``as_pages`` (page_id and reason of such pages).

    Raises
    ------
    InputError
        As `read_pool` does.

    Warns
    -----
    UserWarning
        As `read_pool` does, and if the lines or words of a page cannot be paired.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     page = Path(folder, "p1.txt")
    ...     _ = page.write_text("진단서\n합계 3,000원\n", encoding="utf-8")
    ...     read_units(page, unit="line")[["doc_id", "hypothesis"]].values.tolist()
    [['p1/line-1', '진단서'], ['p1/line-2', '합계 3,000원']]
    """
    reading = Reading(checked_format(format), checked_unit(unit), encoding)
    return _documents(path, reading, reference=reference)


def _documents(path: PathLike, reading: Reading, *, reference: PathLike | None) -> "pd.DataFrame":
    """Pool frame of OCR files, or of tables in a folder."""
    from ocrjury.readers.pool_frame import frame_of_rows  # noqa: PLC0415  # pandas is slow

    known_encoding(reading.encoding)
    rows = reading.rows(path, reference)
    first = next(rows, None)
    if first is None:
        raise no_document(path, reading)
    rest = (row for part in ([first], rows) for row in part)
    frame = frame_of_rows(rest, name=str(path), quarantine=reading.quarantine)
    if frame.empty:
        raise no_document(path, reading)
    frame.attrs.update(attributes(path, reading))
    warn_of_findings(reading)
    return frame


def _table(
    path: PathLike,
    source: Source,
    form: Format,
    *,
    reference: PathLike | None,
    encoding: str | None,
) -> "pd.DataFrame":
    """Pool frame of one table; one error names all its problems."""
    from ocrjury.readers.pool_frame import pool_frame  # noqa: PLC0415  # as above

    check_table(path, form, "page", reference=reference)
    source = source._replace(name=str(path))
    problems = Problems(str(path), "row" if form == "parquet" else "line")
    known = known_encoding(encoding)
    if known is None and form != "parquet":
        known = detect_encoding(source)
    frame = pool_frame(table_records(source, form, known, problems=problems), problems)
    reading = Reading(form, "page", None if form == "parquet" else known)
    reading.formats[form] = 1
    frame.attrs.update(attributes(path, reading))
    return frame
