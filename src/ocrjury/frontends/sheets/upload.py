"""A file that somebody sent: is it a workbook, and is it safe to read? Nothing of it is run."""

import copy
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_SHEET, MAX_SHEET_ROWS
from ocrjury.text_files import read_bytes

MAX_UNPACKED, MAX_PART = 100 << 20, 5 << 20
"""Bytes of all that is packed in a file, and of a part that is no table."""
_PIECE = 1 << 16
MAX_PARTS, MAX_MERGED, MAX_DEPTH = 2_000, 10_000, 60
MAX_IN_TABLE, MAX_IN_OTHERS = 1_500_000, 100_000
"""Elements of a part, of which a cell takes two or three."""
LOCK = "~$"
"""Beginning of the name of the file that a program keeps while a workbook is open."""
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_TABLES = ("xl/worksheets/", "xl/sharedstrings")
_OLE, _ZIP = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"PK\x03\x04"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_STRICT = b"http://purl.oclc.org/ooxml/spreadsheetml/main"
_WORKBOOK = "xl/workbook.xml"
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError),
    *(OSError, OverflowError, RuntimeError, ValueError),
)
_AS_XLSX = "Open it in the spreadsheet program and save it as Excel workbook (.xlsx)"


class Upload(NamedTuple):
    """A workbook that is safe to read: its bytes, and what stands in its sheets by their part."""

    body: bytes
    merged: dict[str, list[str]]
    hidden: dict[str, list[int]]


class _Forbidden(Exception):  # noqa: N818  # it never leaves this module
    """A part has something that no workbook needs."""

    def __init__(self, part: str, what: str) -> None:
        super().__init__(f"part {part}: {what}")


def read_upload(path: Path) -> Upload:
    """File that can be read as a workbook.

    `InputError` if it is something else, too large, damaged, protected by a password or hostile.
    """
    return check_upload(read_bytes(path, most=MAX_SHEET), path.name)


def check_upload(body: bytes, name: str) -> Upload:
    """Content of a file that can be read as a workbook; see `read_upload`."""
    if len(body) > MAX_SHEET:
        raise InputError(f"{name} is larger than {MAX_SHEET >> 20} MB.")
    if name.startswith(LOCK):
        raise InputError(f"{name} only says that somebody has the workbook open; it holds nothing.")
    problem = _other_kind(body, Path(name).suffix.lower())
    if problem is not None:
        raise InputError(f"{name} {problem}.")
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            merged, hidden = _checked(archive, name)
    except InputError:
        raise
    except _Forbidden as error:
        raise InputError(f"{name}, {error}. It was not read.") from None
    except _DAMAGED as error:
        raise InputError(
            f"{name} is damaged or was cut off on its way ({_short(error)}). Ask for it again."
        ) from error
    return Upload(body, merged, hidden)


def _other_kind(body: bytes, suffix: str) -> str | None:
    """Reason why a file cannot be a workbook; None if it may be one."""
    if body.startswith(_ZIP):
        return None
    if not body:
        return "is empty"
    if body.startswith(_OLE):
        locked = "is protected by a password. Ask for it without one, or take the password off"
        return locked if _ENCRYPTED in body else f"is in the old format .xls. {_AS_XLSX}"
    if suffix == ".csv" or (suffix in (".txt", ".tsv") and b"\0" not in body):
        return (
            "is a table in CSV, which keeps neither row keys nor types of cells. Ask for the .xlsx "
            "itself; `ocrjury ratings import` takes CSV files of `ocrjury ratings export --open`"
        )
    if body.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        return f"holds XML or HTML under the name of a workbook. {_AS_XLSX}"
    return f"is no workbook. {_AS_XLSX}"


def _checked(
    archive: zipfile.ZipFile, name: str
) -> tuple[dict[str, list[str]], dict[str, list[int]]]:
    """Check every part of an archive; return merged cells and hidden rows by part."""
    entries = archive.infolist()
    problem = _hostile(entries)
    if problem is not None:
        raise InputError(f"{name} {problem}. It was not read.")
    _check_kind({entry.filename for entry in entries}, archive, name)
    merged: dict[str, list[str]] = {}
    hidden: dict[str, list[int]] = {}
    for entry in entries:
        part = entry.filename
        try:
            watch = _watched(part, _pieces(archive, entry))
        except etree.XMLSyntaxError as error:
            raise InputError(
                f"{name} is damaged: its part {part} breaks off or is no XML "
                f"({_short(error)}). Ask for it again."
            ) from None
        if watch is not None:
            merged[part], hidden[part] = watch.merged, watch.hidden
    return merged, hidden


def _pieces(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield a part piece by piece; it must be as large as the archive says."""
    # Python ends at the size that is declared, and whoever reads the part at once unpacks the rest.
    whole = copy.copy(entry)
    whole.file_size = MAX_UNPACKED + 1
    size = 0
    with archive.open(whole) as part:
        while (piece := part.read(_PIECE)) and size <= entry.file_size:
            size += len(piece)
            yield piece
    if size != entry.file_size:
        raise _Forbidden(entry.filename, "it is not as large as the archive says")


def _watched(part: str, pieces: Iterator[bytes]) -> "_Watch | None":
    """Read a part to its end and return its watch; None if it is not XML."""
    start = next(pieces, b"")
    if not _may_be_xml(part, start):
        for _ in pieces:
            pass
        return None
    watch = _Watch(part)
    parser = etree.XMLParser(
        target=watch, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    parser.feed(start)
    for piece in pieces:
        parser.feed(piece)
    parser.close()
    return watch


def _check_kind(names: set[str], archive: zipfile.ZipFile, name: str) -> None:
    """Raise if an archive is another kind of document."""
    if _WORKBOOK in names:
        if any(part.lower().endswith("vbaproject.bin") for part in names):
            raise InputError(f"{name} holds macros. Save it as .xlsx, which has none.")
        if _STRICT in b"".join(_pieces(archive, archive.getinfo(_WORKBOOK))):
            raise InputError(f"{name} is a Strict Open XML workbook. Save it as plain .xlsx.")
        return
    mimetype = b""
    if "mimetype" in names:
        mimetype = next(_pieces(archive, archive.getinfo("mimetype")), b"")[:80]
    kinds = {
        "an OpenDocument sheet (.ods)": b"opendocument.spreadsheet" in mimetype,
        "a binary workbook (.xlsb)": "xl/workbook.bin" in names,
        "a text document (.docx)": "word/document.xml" in names,
        "a Numbers document": any(part.endswith(".iwa") for part in names),
    }
    kind = next((kind for kind, is_it in kinds.items() if is_it), "an archive without a workbook")
    raise InputError(f"{name} is {kind}. {_AS_XLSX}.")


def _hostile(entries: list[zipfile.ZipInfo]) -> str | None:
    """Reason why an archive cannot be a rater's workbook; None if it may be one."""
    names = [entry.filename.lower() for entry in entries]
    if len(entries) > MAX_PARTS:
        return f"has {len(entries):,} parts"
    if len(set(names)) != len(names):
        return "has two parts of one name"
    if any(entry.flag_bits & 1 for entry in entries):
        return "is an encrypted archive"
    if any(entry.compress_type not in _PACKED for entry in entries):
        return "is packed in a way that spreadsheet programs do not use"
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED:
        return f"would unpack to more than {MAX_UNPACKED >> 20} MB"
    large = [
        entry.filename
        for entry, name in zip(entries, names, strict=True)
        if entry.file_size > MAX_PART and _WORKBOOK in names and not name.startswith(_TABLES)
    ]
    return f"has a part {large[0]} of more than {MAX_PART >> 20} MB" if large else None


def _may_be_xml(name: str, data: bytes) -> bool:
    """Return whether a parser may be given a part; its name alone proves nothing."""
    start = data[:64].removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"").lstrip()
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return marked or start.startswith(b"<") or name.lower().endswith((".xml", ".rels"))


class _Watch:
    """Parser target that notes what a part holds; it keeps no tree."""

    def __init__(self, part: str) -> None:
        self.part = part
        self.merged: list[str] = []
        self.hidden: list[int] = []
        self.elements = self.rows = self.depth = 0
        self.most = MAX_IN_TABLE if part.lower().startswith(_TABLES) else MAX_IN_OTHERS

    def doctype(self, *_: object) -> None:
        """Refuse declarations: a workbook has none, and they can hide entities."""
        raise _Forbidden(self.part, "it declares a document type, where entities can hide")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Count an element, and note what matters."""
        self.depth += 1
        self.elements += 1
        match tag.rpartition("}")[2]:
            case "row":
                self._row(attributes)
            case "mergeCell":
                self.merged.append(attributes.get("ref", ""))
        if self.depth > MAX_DEPTH:
            raise _Forbidden(self.part, f"its elements are nested more than {MAX_DEPTH} deep")
        self._check("elements", self.elements, self.most)
        self._check("rows", self.rows, MAX_SHEET_ROWS)
        self._check("merged cells", len(self.merged), MAX_MERGED)

    def end(self, _tag: str) -> None:
        """Leave an element."""
        self.depth -= 1

    def close(self) -> None:
        """Leave the part."""

    def _check(self, what: str, number: int, most: int) -> None:
        """Refuse a part with more of something than a rater's workbook has."""
        if number > most:
            raise _Forbidden(self.part, f"it has more than {most:,} {what}")

    def _row(self, attributes: dict[str, str]) -> None:
        """Count a row, and note one that is hidden."""
        self.rows += 1
        number = attributes.get("r", "")
        if attributes.get("hidden") in ("1", "true") and number.isdecimal():
            self.hidden.append(int(number))


def _short(error: Exception) -> str:
    """First words of a parser's message."""
    return (str(error).splitlines() or [type(error).__name__])[0][:80]
