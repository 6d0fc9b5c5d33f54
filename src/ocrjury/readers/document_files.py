"""Files of one document: the OCR output, its reference, its image.

The name of a document is its file's path below the folder, up to the first dot of the file's name,
in Unicode's composed form: a Mac packs files whose names have their letters apart.
A part ``gt`` after that dot marks a reference: ``p1.txt`` and ``p1.gt.txt`` are a pair.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from ocrjury.normal_forms import normal_form
from ocrjury.readers.detection import suffix_of
from ocrjury.readers.format_names import SUFFIXES, TABLE_SUFFIXES, TABLES, Format
from ocrjury.readers.sources import Source

IMAGES = frozenset(
    ("png", "jpg", "jpeg", "tif", "tiff", "webp", "gif", "bmp", "jp2", "jpx", "pnm", "pbm", "pdf")
)
SPACING = ("txt", "hocr")
"""Suffixes of files that show where white space is, the best first."""

_RANKS = ("tsv", "hocr", "html", "htm", "xhtml", "xml", "json", "txt")


@dataclass
class DocumentFiles:
    """The files of one document."""

    doc_id: str
    main: Source | None = None
    reference: Source | None = None
    image: str | None = None
    spacing: list[Source] = field(default_factory=list)
    others: list[Source] = field(default_factory=list)


def document_id(relative: str) -> str:
    """Document that a file belongs to.

    >>> document_id("p1.gt.txt"), document_id("book/007.hocr"), document_id("README")
    ('p1', 'book/007', 'README')
    """
    path = PurePosixPath(relative)
    return normal_form("NFC", str(path.with_name(path.name.partition(".")[0])))


def is_reference(source: Source) -> bool:
    """Return whether a file's name marks it as a reference."""
    return "gt" in PurePosixPath(source.relative).name.lower().split(".")[1:]


def best_reference(main: Source | None, references: Sequence[Source]) -> Source | None:
    """Reference of a file among those of its document: the first whose name goes on alike, if any.

    Names such as ``scan.2024.01.txt`` and ``scan.2024.02.txt`` are of one document.
    """
    alike = (each for each in references if main is not None and _rest(each) == _rest(main))
    return next(alike, references[0] if references else None)


def _rest(source: Source) -> list[str]:
    """Parts of a file's name after the first dot, but the mark of a reference and the suffix."""
    parts = PurePosixPath(source.relative).name.lower().split(".")[1:]
    if parts[-1:] in (["gz"], ["gzip"]):
        parts.pop()
    return [part for part in parts[:-1] if part != "gt"]


def tables_among(files: Sequence[Source], form: Format | None) -> list[Source]:
    """Files of a folder that are tables.

    With a format of documents there are none; a table format selects files by its suffixes.
    """
    if form is None:
        return [source for source in files if suffix_of(source.name) in TABLE_SUFFIXES]
    if form not in TABLES:
        return []
    wanted = _wanted([files], form)
    return [source for source in files if wanted is None or suffix_of(source.name) in wanted]


def grouped(
    files: Iterable[Source], *, form: Format | None, references: bool
) -> Iterator[DocumentFiles]:
    """Yield the documents that files belong to.

    Parameters
    ----------
    form
        Only files with its usual suffixes are documents; if there are none, all files are.
    references
        Whether the files are references; files marked ``gt`` then take precedence.
    """
    groups: dict[str, list[Source]] = {}
    for source in files:
        groups.setdefault(document_id(source.relative), []).append(source)
    wanted = _wanted(groups.values(), form)
    for name, members in groups.items():
        yield _document(name, members, wanted=wanted, references=references)


def _wanted(groups: Iterable[Sequence[Source]], form: Format | None) -> tuple[str, ...] | None:
    """Suffixes to which a format restricts a folder, None for no restriction."""
    if form is None:
        return None
    suffixes = SUFFIXES[form]
    present = any(suffix_of(source.name) in suffixes for group in groups for source in group)
    return suffixes if present else None


def _document(
    name: str, members: list[Source], *, wanted: tuple[str, ...] | None, references: bool
) -> DocumentFiles:
    """Document made of the files of one name."""
    document = DocumentFiles(name)
    images = [source for source in members if suffix_of(source.name) in IMAGES]
    document.image = images[0].relative if images else None
    texts = [source for source in members if source not in images]
    right = [source for source in texts if is_reference(source)]
    read = [source for source in texts if source not in right]
    if references and right:
        read, right = right, []
    mains = [source for source in read if wanted is None or suffix_of(source.name) in wanted]
    mains.sort(key=_rank)
    if mains:
        document.main = mains[0]
        document.spacing = _spacing(mains[0], read)
        document.others += [source for source in mains[1:] if source not in document.spacing]
    document.reference = best_reference(document.main, right)
    document.others += [source for source in right if source is not document.reference]
    return document


def _rank(source: Source) -> tuple[int, str]:
    """Rank of a file among those of a document; the first, the most informative, is read."""
    suffix = suffix_of(source.name)
    return (_RANKS.index(suffix) if suffix in _RANKS else len(_RANKS), source.relative)


def _spacing(main: Source, read: Sequence[Source]) -> list[Source]:
    """Files that may show where the white space of the main file is."""
    if suffix_of(main.name) in ("json", "txt"):
        return []
    return [
        source
        for suffix in SPACING
        for source in read
        if source is not main and suffix_of(source.name) == suffix
    ]


def alone(main: Source) -> DocumentFiles:
    """Document of a single file, with its reference and image beside it."""
    path = PurePosixPath(main.relative)
    stem, dot, _ = path.name.partition(".")
    document = DocumentFiles(document_id(path.name), main)
    if not dot or is_reference(main):
        return document
    beside = {suffix: main.sibling(f"{stem}.{suffix}") for suffix in ("gt.txt", *SPACING)}
    document.reference = beside["gt.txt"]
    sources = [source for suffix in SPACING if (source := beside[suffix]) is not None]
    document.spacing = _spacing(main, [path for path in sources if path.relative != main.relative])
    names = (f"{stem}.{suffix}" for suffix in ("png", "jpg", "jpeg", "tif", "tiff", "webp"))
    image = next(filter(None, map(main.sibling, names)), None)
    document.image = None if image is None else image.relative
    return document
