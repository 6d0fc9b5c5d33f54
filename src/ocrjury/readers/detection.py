"""Detection of a file's format by its content, or by its name where the content is ambiguous."""

import codecs
import re

from ocrjury.errors import InputError
from ocrjury.readers.cells import ALIASES, COLUMNS
from ocrjury.readers.content_errors import BadContentError, FileError
from ocrjury.readers.format_names import FORMATS, TABLE_SUFFIXES, Format
from ocrjury.readers.json_values import parse_json
from ocrjury.readers.sources import Place, Source, open_binary, read_bytes
from ocrjury.readers.tesseract_tsv import COLUMNS as TSV_COLUMNS
from ocrjury.text_files import marked_encoding

_HEAD = 1 << 16
_MARK = re.compile(r'["{}\[\]]')
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?', re.DOTALL)
_ROOT = re.compile(r"<(?:[\w.-]+:)?([A-Za-z][\w.-]*)")
_ASIDES = {"<?": "?>", "<!--": "-->"}
_DOCTYPE = re.compile(r"<!DOCTYPE[^\[>]*(\[[^\]]*\]\s*)?>", re.IGNORECASE)
_POOL_NAMES = {column.name for column in COLUMNS if column.required} | {"id", "hypothesis"}
_OWN: dict[Format, set[str]] = {
    "textract": {
        *("Blocks", "ExpenseDocuments", "IdentityDocuments", "DetectDocumentTextModelVersion"),
        *("AnalyzeDocumentModelVersion", "AnalyzeExpenseModelVersion", "AnalyzeIDModelVersion"),
        *("DocumentMetadata", "JobStatus"),
    },
    "vision": {
        *("responses", "fullTextAnnotation", "textAnnotations"),
        *("full_text_annotation", "text_annotations"),
    },
    "azure": {
        *("analyzeResult", "recognitionResults", "readResults", "readResult", "regions"),
        *("modelId", "apiVersion", "stringIndexType", "lastUpdatedDateTime", "createdDateTime"),
    },
    "docai": {
        *("document", "mimeType", "mime_type", "shardInfo", "shard_info", "entities"),
        *("textStyles", "text_styles", "revisions", "documentLayout", "humanReviewStatus"),
    },
}
"""Members of the outermost object that identify one service."""


def detect_format(place: Place) -> Format:
    """Format of a file by its first bytes, else by its name."""
    with open_binary(place) as file:
        head = file.read(_HEAD)
    form = _by_content(head, place)
    if form is not None:
        return form
    suffix = suffix_of(place.relative if isinstance(place, Source) else str(place))
    if suffix == "txt":
        return "text"
    if suffix in TABLE_SUFFIXES:
        return TABLE_SUFFIXES[suffix]
    start = _as_text(head).lstrip()
    if "doc_id" in start.split("\n", 1)[0]:
        return "csv"
    if not start:
        raise FileError(str(place), "the file is empty")
    shown = f".{suffix}" if suffix else ""
    raise FileError(
        str(place),
        f"neither content nor suffix {shown!r} determines the format",
        remedy=f"pass format= one of {', '.join(map(repr, FORMATS))}",
    )


def suffix_of(name: str) -> str:
    """Suffix of a file in lower case, ignoring a suffix of gzip.

    >>> suffix_of("scans/p1.gt.txt"), suffix_of("pool.JSONL.gz"), suffix_of("README")
    ('txt', 'jsonl', '')
    """
    parts = name.replace("\\", "/").rpartition("/")[2].lower().split(".")
    if len(parts) > 2 and parts[-1] in ("gz", "gzip"):
        parts.pop()
    return parts[-1] if len(parts) > 1 else ""


def _by_content(head: bytes, place: Place) -> Format | None:
    """Format by the beginning of a file, None if it is ambiguous."""
    if head.startswith(b"PAR1"):
        return "parquet"
    start = _as_text(head).lstrip()
    if start.startswith("<"):
        return _markup_format(start)
    if start.startswith("\t".join(TSV_COLUMNS)):
        return "tsv"
    if start.startswith("{"):
        return _object_format(start, place)
    if start.startswith("["):
        return _array_format(start, place)
    return None


def _as_text(head: bytes) -> str:
    """Beginning of a file as text; undecodable bytes are replaced."""
    encoding = marked_encoding(head) or "utf-8"
    return head.removeprefix(codecs.BOM_UTF8).decode(encoding, errors="replace").lstrip("\ufeff")


def _markup_format(start: str) -> Format | None:
    """Format of XML or HTML by its outermost element."""
    root = _ROOT.match(start, _root_place(start))
    name = root[1] if root is not None else ""
    known: dict[str, Format] = {"PcGts": "page", "alto": "alto", "html": "hocr"}
    form = known.get(name, known.get(name.lower()))
    if form is None and re.search(r"""class\s*=\s*["'][^"']*\bocrx?_""", start):
        return "hocr"
    return form


def _root_place(start: str) -> int:
    """Position of the outermost element, after declaration, comments and DOCTYPE."""
    place = 0
    while True:
        while start[place : place + 1].isspace():
            place += 1
        aside = next((end for begin, end in _ASIDES.items() if start.startswith(begin, place)), "")
        doctype = _DOCTYPE.match(start, place)
        if aside and (end := start.find(aside, place)) >= 0:
            place = end + len(aside)
        elif doctype is not None:
            place = doctype.end()
        else:
            return place


def _object_format(start: str, place: Place) -> Format:
    """Format of a JSON object by its members: a row of a pool, or a service's answer."""
    names, complete = _members(start)
    if names & _POOL_NAMES or not names:
        return "jsonl"
    form = _service(names)
    if form is None and not complete:
        names |= _all_members(place)
        form = _service(names)
    if form is None and "pages" in names:  # of both Google and Azure
        form = "docai" if "text" in names else "azure"
    if form is None and "status" in names:
        return "azure"
    return form or "jsonl"


def _all_members(place: Place) -> set[str]:
    """Names of a long object's members; none if the file is not one JSON object."""
    try:
        return {name for name, _ in parse_json(read_bytes(place)).members()}
    except (BadContentError, FileError):
        return set()


def _service(names: set[str]) -> Format | None:
    """Service whose answers have these members, None if unknown."""
    return next((form for form, own in _OWN.items() if names & own), None)


def _array_format(start: str, place: Place) -> Format | None:
    """Textract for a list of its answers; other lists are not a pool."""
    names, _ = _members(start, depth=2)
    if names & _OWN["textract"]:
        return "textract"
    if names & (_POOL_NAMES | set(ALIASES)):
        raise InputError(
            f"{place} is one JSON array; write one JSON object per line instead (JSONL)."
        )
    return None


def _members(start: str, depth: int = 1) -> tuple[set[str], bool]:
    """Names of members at a depth of the first object, and whether the object is complete.

    >>> _members('{"a": {"b": [{"a": "x"}]}} {"e": 2}'), _members('{"a": "b')
    (({'a'}, True), ({'a'}, False))
    """
    names: set[str] = set()
    level, place = 0, 0
    while (mark := _MARK.search(start, place)) is not None:
        place = mark.end()
        if mark[0] == '"':
            string = _STRING.match(start, mark.start())
            if string is None:
                break
            place = string.end()
            if string[2] and level == depth:
                names.add(string[1])
            continue
        level += 1 if mark[0] in "{[" else -1
        if level < depth and mark[0] in "}]":
            return names, True
    return names, False
