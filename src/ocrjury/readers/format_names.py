"""Names and suffixes of the formats of a pool, without the code that reads them."""

from typing import Literal, get_args

from ocrjury.errors import InputError

Format = Literal[
    "page", "alto", "hocr", "tsv", "text", "jsonl", "csv", "parquet",
    "textract", "docai", "vision", "azure",
]  # fmt: skip
FORMATS: tuple[Format, ...] = get_args(Format)
TABLES: tuple[Format, ...] = ("jsonl", "csv", "parquet")
"""Formats whose rows are documents with references; files of the others are documents."""

NAMES: dict[Format, str] = {
    "page": "PAGE-XML, any version",
    "alto": "ALTO 1 to 4",
    "hocr": "hOCR",
    "tsv": "Tesseract's table of words",
    "text": "plain text",
    "jsonl": "one JSON object per line",
    "csv": "comma, semicolon or tab",
    "parquet": "Parquet",
    "textract": "AWS Textract",
    "docai": "Google Document AI",
    "vision": "Google Cloud Vision",
    "azure": "Azure Document Intelligence, Read",
}

SUFFIXES: dict[Format, tuple[str, ...]] = {
    "page": ("xml",),
    "alto": ("xml",),
    "hocr": ("hocr", "html", "htm", "xhtml", "xml"),
    "tsv": ("tsv",),
    "text": ("txt",),
    "jsonl": ("jsonl", "ndjson"),
    "csv": ("csv", "tsv"),
    "parquet": ("parquet", "pq"),
    "textract": ("json",),
    "docai": ("json",),
    "vision": ("json",),
    "azure": ("json",),
}
"""Suffixes of files in each format; in a folder ``format=`` selects files by them."""

TABLE_SUFFIXES: dict[str, Format] = {
    suffix: form for form in TABLES for suffix in SUFFIXES[form] if suffix not in SUFFIXES["tsv"]
}


def checked_format(name: str | None) -> Format | None:
    """Format of a name, None without a name; an unknown name is an error."""
    if name is None:
        return None
    for known in FORMATS:
        if name == known:
            return known
    raise InputError(f"format must be one of {', '.join(map(repr, FORMATS))}; found {name!r}.")
