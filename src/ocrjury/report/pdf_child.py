"""The child process of ``write_pdf``: a line of JSON and HTML on stdin, PDF on stdout."""

import gc
import json
import logging
import os
import re
import sys
from base64 import b64decode
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.resources import as_file, files
from io import BytesIO
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from ocrjury.report.pdf import keep_words
from ocrjury.report.pdf_archive import conform
from ocrjury.report.pdf_cover import one_page_cover
from ocrjury.report.pdf_letters import letters_line, with_code_points
from ocrjury.report.pdf_libraries import known_by_file, without_search, without_unused
from ocrjury.report.pdf_page import ShortenedPage

with known_by_file(), without_search(), without_unused():
    from weasyprint import HTML, Attachment, Document
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    from ocrjury.report.pdf_anchors import share_anchored
    from ocrjury.report.pdf_bare import leave_bare_boxes
    from ocrjury.report.pdf_boxes import remember_lengths
    from ocrjury.report.pdf_charts import draw_numbered_charts, without_charts
    from ocrjury.report.pdf_labels import draw_labels_at_once
    from ocrjury.report.pdf_lines import remember_lines
    from ocrjury.report.pdf_savings import (
        compress_less,
        convert_by_kind,
        remember_patterns,
        remember_references,
        style_markers_of_lists,
    )
    from ocrjury.report.pdf_styles import inherit_at_once
    from ocrjury.report.pdf_texts import remember_texts

MEMORY = 3 * 2**30
SECONDS = 110
# What the named fonts hold, of Latin, Greek, kana, Chinese and Korean: if a glyph of these is
# missing, the fonts are not installed. Later letters of the same scripts are in no font of many.
_OURS = re.compile(r"[!-~À-ſΑ-Ωα-ωぁ-ゖァ-ヺ一-龥가-힣]")
_MISSING = re.compile(r"\.notdef glyph.*\(U\+([0-9A-F]+)\)", re.DOTALL)
_OF_MISSING = "Too many glyphs missing from"
"""Said of a font that is full, beside what is said of each letter."""


class PackagedFiles(URLFetcher):  # type: ignore[misc]  # WeasyPrint has no types
    """Answer ``pkg:`` from the templates, ``data:``, and ``crop:``; refuse everything else."""

    def __init__(self, crops: Sequence[bytes], charts: Sequence[Element]) -> None:
        # WeasyPrint swallows a fetcher's errors unless told otherwise: no CSS, and still a PDF.
        super().__init__(fail_on_errors=True)
        self.crops, self.charts = crops, charts

    def fetch(self, url: str, headers: dict[str, str] | None = None) -> URLFetcherResponse:
        """A file or picture."""
        if url.startswith("crop:"):
            crop = self.crops[int(url.removeprefix("crop:"))]
            return URLFetcherResponse(url, crop, {"Content-Type": "image/jpeg"})
        if url.startswith("data:"):
            return super().fetch(url, headers)
        with as_file(files("ocrjury") / "templates") as root:
            path = (root / url.removeprefix("pkg:")).resolve()
            if not url.startswith("pkg:") or not path.is_relative_to(root.resolve()):
                raise ValueError(f"refused: {url}")
            return URLFetcherResponse(url, path.read_bytes())


class Enclosed(NamedTuple):
    """Files to embed, and when they were made."""

    files: Mapping[str, bytes]
    dated: datetime

    @classmethod
    def from_json(cls, header: Mapping[str, Any]) -> "Enclosed":
        """Attachments and date from the parent's header."""
        files = {name: b64decode(body) for name, body in header["attachments"].items()}
        return cls(files, datetime.fromisoformat(header["dated"]))

    def attachments(self) -> list[Attachment]:
        """The files for WeasyPrint, which reads each once."""
        return [
            Attachment(
                file_obj=BytesIO(body),
                name=name,
                description=f"{name}: data of this report",
                created=self.dated,
                modified=self.dated,
                relationship="Data",
            )
            for name, body in sorted(self.files.items())
        ]


class MissingGlyph(Exception):  # noqa: N818  # its name is what the parent looks for
    """A letter that the installed fonts should have and do not."""


class Warned(Exception):  # noqa: N818  # the same
    """WeasyPrint left something out of the page."""


class Complaints(logging.Handler):
    """Keep what WeasyPrint complains about."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one message."""
        self.said.append(record.getMessage())


def render(page: ShortenedPage, variant: str, enclosed: Enclosed | None) -> tuple[bytes, list[str]]:
    """PDF and what WeasyPrint said about it."""
    complaints = Complaints()
    logger = logging.getLogger("weasyprint")
    logger.handlers = [complaints]
    attachments = enclosed.attachments() if enclosed else []
    without, charts = without_charts(page.html)

    def layout(html: str) -> Document:
        document = HTML(string=html, url_fetcher=PackagedFiles(page.crops, charts))
        return document.render(pdf_variant=variant)

    def finish(_document: object, pdf: object) -> None:
        conform(pdf, archived=variant.startswith("pdf/a"))

    document = one_page_cover(without, layout)
    pdf = document.write_pdf(finisher=finish, pdf_variant=variant, attachments=attachments)
    return bytes(pdf), complaints.said


def rare_letters(messages: list[str]) -> set[str]:
    """Letters without a glyph; raise if the fonts should have had one."""
    letters = set()
    for message in messages:
        if message.startswith(_OF_MISSING):
            continue
        match = _MISSING.search(message)
        if match is None:
            raise Warned(" ".join(message.split()))
        letter = chr(int(match[1], 16))
        if _OURS.match(letter):
            raise MissingGlyph(f"no font has {letter} (U+{match[1]})")
        letters.add(letter)
    return letters


def whole_pdf(page: ShortenedPage, variant: str, enclosed: Enclosed | None = None) -> bytes:
    """PDF; letters that no font has are printed as their code points, and told to the parent."""
    pdf, warnings = render(page, variant, enclosed)
    letters = rare_letters(warnings)
    if letters:
        page = page._replace(html=keep_words(with_code_points(page.html, letters)))
        pdf, warnings = render(page, variant, enclosed)
        rare_letters(warnings)
        sys.stderr.write(f"{letters_line(letters)}\n")
    return pdf


def limit() -> None:
    """Bound memory and time, where the system can."""
    if sys.platform == "linux":
        import resource  # noqa: PLC0415  # absent elsewhere

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def save_work() -> None:
    """Spare WeasyPrint, in this process, what it would do again or for nothing."""
    remember_patterns()
    remember_references()
    style_markers_of_lists()
    draw_numbered_charts()
    remember_texts(remember_lines())
    remember_lengths()
    leave_bare_boxes()
    inherit_at_once()
    share_anchored()
    draw_labels_at_once()
    compress_less()
    convert_by_kind()


def main() -> None:
    """Write the PDF."""
    gc.disable()  # a process for one page leaves no garbage; looking for it takes a tenth
    limit()
    save_work()
    # What a library prints must not end up in the PDF.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        header = json.loads(sys.stdin.buffer.readline())
        page = ShortenedPage.of(sys.stdin.buffer.read())
        out.write(whole_pdf(page, header["variant"], Enclosed.from_json(header)))
    gc.freeze()  # it is looked for before a process ends, whatever was said


if __name__ == "__main__":
    main()
