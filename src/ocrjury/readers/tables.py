"""Tables of documents: their records by format, and the options that they reject."""

from collections.abc import Iterator
from typing import Any

from ocrjury.errors import InputError
from ocrjury.readers.cells import own_names
from ocrjury.readers.csv_rows import csv_records
from ocrjury.readers.encodings import known_encoding
from ocrjury.readers.format_names import Format
from ocrjury.readers.jsonl import jsonl_records
from ocrjury.readers.parts import Unit
from ocrjury.readers.problems import Problems
from ocrjury.readers.sources import PathLike, Source, detect_encoding


def check_table(name: object, form: str, unit: Unit, *, reference: PathLike | None) -> None:
    """Reject options that apply to OCR files only: separate references, and units."""
    if reference is not None:
        raise InputError(
            f"{name}: a {form} pool holds its references in the column 'reference'; found "
            f"reference={str(reference)!r}. Leave it out."
        )
    if unit != "page":
        raise InputError(f"{name} is a table; its rows are the units. Use read_pool.")


def table_records(
    source: PathLike | Source,
    form: Format,
    encoding: str | None,
    *,
    problems: Problems,
    references: bool = False,
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Row numbers of a table with their values; one of references may lack the OCR output."""
    if form == "parquet":
        from ocrjury.readers.parquet import parquet_records  # noqa: PLC0415  # loads pyarrow

        records = parquet_records(source, problems, references=references)
        return _with_output(records) if references else records
    known = known_encoding(encoding) or detect_encoding(source)
    if form == "csv":
        return csv_records(source, known, problems, references=references)
    records = jsonl_records(source, known, problems)
    return _with_output(records) if references else records


def _with_output(
    records: Iterator[tuple[int, dict[str, Any]]],
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Records in which an output is empty where the record names none."""
    for number, values in records:
        lacking = "hypothesis" not in own_names(values)
        yield number, {**values, "hypothesis": ""} if lacking else values
