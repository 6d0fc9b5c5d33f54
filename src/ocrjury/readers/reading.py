"""One pass over a pool: its rows one by one, and a record of what was left out."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ocrjury.errors import InputError
from ocrjury.language import phrase
from ocrjury.readers.content_errors import BadContentError, FileError
from ocrjury.readers.detection import detect_format
from ocrjury.readers.document_files import (
    DocumentFiles,
    alone,
    best_reference,
    grouped,
    tables_among,
)
from ocrjury.readers.encodings import known_encoding
from ocrjury.readers.file_sets import find_files
from ocrjury.readers.files_read import FilesRead
from ocrjury.readers.format_names import TABLES, Format
from ocrjury.readers.formats import READERS
from ocrjury.readers.ocr_pages import Page
from ocrjury.readers.parts import Unit
from ocrjury.readers.problems import Quarantine, RowProblems
from ocrjury.readers.sources import (
    PathLike,
    Source,
    open_binary,
    read_bytes,
)
from ocrjury.readers.spacing import spaced_as, spaced_by_gaps
from ocrjury.readers.tables import check_table, table_records
from ocrjury.readers.units import page_names, paired, rows_of_page

_LONELY = phrase("a reference without a file of OCR output")


class Row(NamedTuple):
    """A row of a pool, with its file and its position there."""

    path: str
    position: str | None
    record: dict[str, Any]


@dataclass
class Reading:
    """A pass over a pool: its options, progress, and what was left out.

    Parameters
    ----------
    form, unit, encoding
        Options of the caller.
    references
        Whether tables hold references and may lack the OCR output.
    unmatched
        Files without the other half of a pair: ``path`` and ``reason``.
    without_output
        Number of them that are references, and so no row of the pool.
    skipped
        Files not read because another file of the same document was: ``path`` and ``reason``.
    pairing
        Number of lines or words of each kind: paired, joined, missed, invented.
    as_pages
        Pages that are one row because their lines or words cannot be paired: ``page_id`` and
        ``reason``.
    formats
        Number of files read in each format.
    guessed
        Files whose white space had to be guessed.
    files
        Progress through the files.
    """

    form: Format | None = None
    unit: Unit = "page"
    encoding: str | None = None
    references: bool = False
    quarantine: Quarantine = field(default_factory=Quarantine)
    unmatched: list[dict[str, str]] = field(default_factory=list)
    without_output: int = 0
    skipped: list[dict[str, str]] = field(default_factory=list)
    pairing: Counter[str] = field(default_factory=Counter)
    as_pages: list[dict[str, str]] = field(default_factory=list)
    formats: Counter[Format] = field(default_factory=Counter)
    guessed: list[str] = field(default_factory=list)
    files: FilesRead = field(default_factory=FilesRead)

    def rows(self, path: PathLike, reference: PathLike | None) -> Iterator[Row]:
        """Yield the rows of a pool. A bad file is an error if it is the only one, else left out."""
        files = find_files(path)
        if files.single:
            self.files.expect(1)
            yield from self._single(files.files[0], reference)
            self.files.finish()
            return
        tables = tables_among(files.files, self.form)
        if tables and (self.form in TABLES or len(tables) == len(files.files)):
            check_table(path, self.form or "table", self.unit, reference=reference)
        chosen = set(map(str, tables))
        others = [source for source in files.files if str(source) not in chosen]
        documents = self._documents([] if self.form in TABLES else others, reference)
        self.files.expect(len(tables) + len(documents))
        yield from self._tables(tables)
        for document in documents:
            try:
                yield from self._document(document)
            except InputError as error:
                self.quarantine.add_error(str(document.main), error)
            self.files.finish()

    def _single(self, source: Source, reference: PathLike | None) -> Iterator[Row]:
        form = self.form or detect_format(source)
        if form in TABLES:
            check_table(source, form, self.unit, reference=reference)
            yield from self._table(source, form)
            return
        document = alone(source)
        if reference is not None:
            document.reference = self._reference_of(document, reference)
        yield from self._document(document, strict=True)

    def _reference_of(self, document: DocumentFiles, path: PathLike) -> Source | None:
        """Reference of one document: the given file, or the file of its name in a folder."""
        files = find_files(path)
        if files.single:
            return files.files[0]
        for other in grouped(files.files, form=None, references=True):
            if other.doc_id == document.doc_id and other.main is not None:
                return best_reference(document.main, [other.main, *other.others])
        raise InputError(f"{path} holds no reference for the document {document.doc_id!r}.")

    def _documents(self, files: list[Source], reference: PathLike | None) -> list[DocumentFiles]:
        """Documents of a folder, with their references; files without a partner are noted."""
        documents = list(grouped(files, form=self.form, references=False))
        pairing = reference is not None or any(document.reference for document in documents)
        if reference is not None:
            self._match(documents, reference)
        for document in documents:
            if document.main is None and document.reference is not None:
                self._note_alone(document.reference)
            elif document.main is not None and document.reference is None and pairing:
                self._note(document.main, phrase("no reference of this name"))
            self._skip(document, document.others)
        return [document for document in documents if document.main is not None]

    def _match(self, documents: list[DocumentFiles], path: PathLike) -> None:
        """Give each document the reference of its name; note references left over."""
        files = find_files(path)
        if files.single:
            open_binary(files.files[0]).close()  # a missing file has an error of its own
            raise InputError(
                f"reference={str(path)!r} is one file, but the pool is a folder; name a folder."
            )
        references = {
            reference.doc_id: reference
            for reference in grouped(files.files, form=None, references=True)
        }
        for document in documents:
            group = references.pop(document.doc_id, None)
            several = [] if group is None or group.main is None else [group.main, *group.others]
            document.reference = best_reference(document.main, several)
            self._skip(document, (file for file in several if file is not document.reference))
        for reference in references.values():
            if reference.main is not None:
                self._note_alone(reference.main)

    def _skip(self, document: DocumentFiles, sources: Iterable[Source]) -> None:
        reason = phrase("a second file of the document {name}", name=repr(document.doc_id))
        self.skipped += ({"path": str(source), "reason": reason} for source in sources)

    def _note_alone(self, reference: Source) -> None:
        """Note a reference of which the OCR has no output."""
        self._note(reference, _LONELY)
        self.without_output += 1

    def _note(self, source: Source, reason: str) -> None:
        self.unmatched.append({"path": str(source), "reason": reason})

    def _document(self, document: DocumentFiles, *, strict: bool = False) -> list[Row]:
        assert document.main is not None  # noqa: S101  # `_documents` filters
        source = document.main
        form = self.form or detect_format(source)
        pages = self._pages(source, form)
        if self.unit != "field" and any(page.fields for page in pages):
            _check_text(str(source), pages)
        pages = [self._spaced(page, place, document) for place, page in enumerate(pages)]
        references = self._reference_pages(document, strict=strict)
        rows = []
        pairs = paired(pages, references)
        for pair, name in zip(pairs, page_names(document.doc_id, len(pairs)), strict=True):
            try:
                page = rows_of_page(pair, name, self.unit, image=document.image)
            except BadContentError as error:
                raise FileError(str(source), error.reason) from None
            rows += [Row(str(source), None, record) for record in page.records]
            self.pairing += page.kinds
            if page.as_page is not None:
                self.as_pages.append({"page_id": name, "reason": page.as_page})
            if pair.problem is not None:
                self._note(source, pair.problem)
        self.formats[form] += 1
        return rows

    def _pages(self, source: Source, form: Format | None) -> list[Page]:
        chosen = form or detect_format(source)
        if chosen in TABLES:
            content = "JSON of no known service" if chosen == "jsonl" else f"a {chosen} table"
            raise FileError(str(source), f"{content}, where the file of a document is expected")
        try:
            pages = READERS[chosen](read_bytes(source), known_encoding(self.encoding))
        except BadContentError as error:
            raise FileError(str(source), error.reason, error.position) from None
        except RecursionError:
            raise FileError(str(source), "nested too deeply") from None
        if not pages:
            raise FileError(str(source), "no page")
        return pages

    def _spaced(self, page: Page, place: int, document: DocumentFiles) -> Page:
        """Page with the white space of a file beside it, else as the gaps between words suggest."""
        guessed = spaced_by_gaps(page)
        if guessed is None:
            return page
        for source in document.spacing:
            try:
                texts = self._pages(source, None)
            except InputError:
                continue  # not quarantined: it was read for its white space only
            text = texts[place].text if place < len(texts) else ""
            known = spaced_as(page, text)
            if known is not None and spaced_by_gaps(known) is None:
                return known
        if str(document.main) not in self.guessed[-1:]:
            self.guessed.append(str(document.main))
        return guessed

    def _reference_pages(self, document: DocumentFiles, *, strict: bool) -> list[Page] | None:
        """Pages of a document's reference, None if there is none that can be used."""
        if document.reference is None:
            return None
        try:
            return self._pages(document.reference, None)
        except InputError as error:
            if strict:
                raise
            self.quarantine.add_error(str(document.reference), error)
            self._note(document.reference, "a reference that cannot be read")
            return None

    def _tables(self, tables: Iterable[Source]) -> Iterator[Row]:
        """Yield the rows of the tables in a folder."""
        for source in tables:
            try:
                yield from self._table(source, self.form or detect_format(source))
            except InputError as error:
                self.quarantine.add_error(str(source), error)
            self.files.finish()

    def _table(self, source: Source, form: Format) -> Iterator[Row]:
        """Yield the rows of a table; bad lines go to the quarantine."""
        self.formats[form] += 1
        word = "row" if form == "parquet" else "line"
        problems = RowProblems(str(source), word, quarantine=self.quarantine)
        watched = self.files.watched(source)
        rows = None
        if form == "parquet":
            # It takes a second, which only Parquet needs.
            from ocrjury.readers.parquet import count_rows  # noqa: PLC0415

            rows = count_rows(source)
        records = table_records(
            watched, form, self.encoding, problems=problems, references=self.references
        )
        for number, values in records:
            if rows is not None:
                self.files.at_row(number, rows)
            yield Row(str(source), f"{word} {number}", values)


def _check_text(name: str, pages: Iterable[Page]) -> None:
    """Reject an answer of a service that has typed fields but no text of the page."""
    if not any(page.lines for page in pages):
        raise FileError(name, "only typed fields, no text of a page; read them with unit='field'")
