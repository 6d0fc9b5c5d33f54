"""Inputs that are made to be expensive: how each is made, and who reads it."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

from benchmarks.worst_files import SHEET, jpeg_of_scans, lying_workbook, sheet_of, workbook_of
from ocrjury.campaign.yaml_source import read_yaml
from ocrjury.file_limits import LONGEST_TAG, MAX_CHARACTERS
from ocrjury.frontends.sheets.answers import read_level
from ocrjury.frontends.sheets.returned_workbook import FoundCell
from ocrjury.frontends.sheets.texts import same_text
from ocrjury.frontends.sheets.upload import check_upload
from ocrjury.korean import with_particle
from ocrjury.pages.document_text import mask
from ocrjury.pages.page_images import open_page
from ocrjury.readers import iter_pool
from ocrjury.readers.hocr import read_hocr
from ocrjury.scales import Scale
from ocrjury.text import score_texts
from ocrjury.text.amounts import read_amount

_HALF = MAX_CHARACTERS // 2 - 10
"""Characters of each of two texts where a pool's row has the most; its name takes a few."""
_OF_A_ROW = f"{_HALF:,} characters each"


SECONDS, MEGABYTES = 20, 600
"""Limits of a child that reads an input: seconds of the processor, and memory beyond its first.

The dearest takes 6 to 12, as fast as the machine is at the moment; what grows with the square of
the length would take minutes.
"""


class Worst(NamedTuple):
    """An input, its reader, what it took before the reader had limits, and how it ends now.

    Files that people read on their own machines, and no stranger hands in, may take more.
    """

    what: str
    size: str
    before: str
    make: Callable[[], Any]
    read: Callable[[Any], object]
    ends: Literal["read", "refused"] = "read"
    seconds: int = SECONDS
    megabytes: int = MEGABYTES


def _hocr(title: str) -> bytes:
    """Page whose title is this."""
    return f'<html><body><div class="ocr_page" title="{title}">x</div></body></html>'.encode()


def _unlike(length: int) -> list[str]:
    """Two texts of random letters."""
    letters = random.Random(1)
    return ["".join(letters.choices("abcdefghij ", k=length)) for _ in range(2)]


def _row(number: int, more: dict[str, int]) -> str:
    """Line of a pool in JSON."""
    return json.dumps({"doc_id": str(number), "hypothesis": "x", **more}) + "\n"


def _pool(text: str) -> object:
    """Read a pool in JSON batch by batch."""
    with TemporaryDirectory() as folder:
        Path(folder, "pool.jsonl").write_text(text, "utf-8")
        return sum(map(len, iter_pool(folder)))


def _yaml(text: str) -> object:
    """Read a campaign's file."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "campaign.yaml")
        path.write_text(text, "utf-8")
        return read_yaml(path)


def _picture(body: bytes) -> object:
    """Open the image of a page."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "page.jpg")
        path.write_bytes(body)
        return open_page(path, masks=None, enough=2200)


def _upload(body: bytes) -> object:
    """Read a workbook that somebody sent."""
    return check_upload(body, "r.xlsx")


_LETTERS = tuple(zip("abcdefgh", "bcdefghi", strict=True))

INPUTS: dict[str, Worst] = {
    "hocr-open-quote": Worst(
        "hOCR: a title of letters and a quote that is never closed",
        "99,000 characters",
        "0.64 s for 400, cubic",
        lambda: _hocr("a" * (LONGEST_TAG - 1000) + "'"),
        read_hocr,
    ),
    "hocr-quotes": Worst(
        "hOCR: a title of quotes",
        "99,000 characters",
        "",
        lambda: _hocr("a " + "'" * (LONGEST_TAG - 1001)),
        read_hocr,
    ),
    "amount-dashes": Worst(
        "amount: dashes before a letter and a digit",
        "1,000,000 characters",
        "1.1 s for 11,000, quadratic",
        lambda: "-" * 1_000_000 + "x1",
        read_amount,
    ),
    "amount-separators": Worst(
        "amount: digits and separators",
        "1,000,000 characters",
        "",
        lambda: "1.,'" * 250_000,
        read_amount,
    ),
    "cell-spaces": Worst(
        "sheet: a cell of spaces between two characters",
        "32,000 characters",
        "1.1 s for 16,000, quadratic",
        lambda: FoundCell("1" + " " * 32_000 + "x", "s"),
        lambda cell: read_level(cell, Scale.likert(1, 5)),
        "refused",
    ),
    "scores-unlike": Worst(
        "scores: two unlike texts",
        _OF_A_ROW,
        "5.2 s for 200,000, quadratic",
        lambda: [[text] for text in _unlike(_HALF)],
        lambda sides: score_texts(*sides),
    ),
    "scores-marks": Worst(
        "scores: a letter with marks, none in its order",
        _OF_A_ROW,
        "0.6 s for 20,000, quadratic",
        lambda: [["a" + "\u0301\u0323" * (_HALF // 2)], ["a" + "\u0323\u0301" * (_HALF // 2)]],
        lambda sides: score_texts(*sides),
    ),
    "scores-flags": Worst(
        "scores: a run of flags",
        _OF_A_ROW,
        "4.1 s for 40,000, quadratic",
        lambda: [["🇰🇷" * (_HALF // 2)], ["🇰" + "🇰🇷" * (_HALF // 2 - 1)]],
        lambda sides: score_texts(*sides, metrics=["cer", "wer_uax29"]),
    ),
    "cell-escapes": Worst(
        "sheet: a cell of escapes of escapes",
        "700,000 characters",
        "",
        lambda: "_x005F" * 116_000 + "_x0041_",
        lambda text: same_text(text, "a"),
    ),
    "korean-particle": Worst(
        "report: a particle after a name of blanks",
        "1,000,000 characters",
        "",
        lambda: " " * 1_000_000 + "x",
        lambda name: with_particle(name, "은/는"),
    ),
    "page-flags": Worst(
        "report: a masked text of flags",
        "100,000 characters",
        "0.7 s for 20,000, quadratic",
        lambda: "🇰🇷" * 50_000,
        mask,
    ),
    "pool-columns": Worst(
        "pool: five columns of its own in every row",
        "2,000 rows, 0.2 MB",
        "9.2 s, 433 MB",
        lambda: "".join(_row(n, {f"k{n}_{m}": 1 for m in range(5)}) for n in range(2000)),
        _pool,
    ),
    "pool-wide": Worst(
        "pool: a row of columns",
        "100,000 columns, 1.3 MB",
        "over 100 s for 50,000",
        lambda: _row(0, {f"k{m}": 1 for m in range(100_000)}) + _row(1, {}),
        _pool,
    ),
    "yaml-laughs": Worst(
        "campaign: aliases of lists of aliases",
        "0.3 kB, 9⁸ values",
        "0.22 s for 9⁵, exponential",
        lambda: "a: &a [x]\n" + "".join(f"{b}: &{b} [{f'*{a},' * 9}]\n" for a, b in _LETTERS),
        _yaml,
        "refused",
    ),
    "yaml-values": Worst(
        "campaign: a list of numbers",
        "250 kB",
        "3.2 s",
        lambda: "a: [" + "1," * 125_000 + "]",
        _yaml,
        "refused",
    ),
    "yaml-depth": Worst(
        "campaign: lists in one another",
        "250 kB",
        "RecursionError",
        lambda: "a: " + "[" * 250_000,
        _yaml,
        "refused",
    ),
    "yaml-text": Worst(
        "campaign: a folded text",
        "255 kB",
        "",
        lambda: 'a: "' + "x\n " * 85_000 + '"',
        _yaml,
    ),
    "jpeg-scans": Worst(
        "image: a progressive JPEG of 1,000 scans",
        "36 million pixels, 0.2 MB",
        "23 s, 120 MB",
        lambda: jpeg_of_scans(6000, 1000),
        _picture,
        "refused",
    ),
    "jpeg-most-scans": Worst(
        "image: a progressive JPEG of as many scans as are drawn",
        "36 million pixels, 50 scans",
        "",
        lambda: jpeg_of_scans(6000, 44),
        _picture,
    ),
    "workbook-lies": Worst(
        "workbook: a sheet that unpacks to more than its archive says",
        "2 MB, 2 GB unpacked",
        "5.3 s, 2,070 MB, accepted",
        lambda: lying_workbook(2000),
        _upload,
        "refused",
    ),
    "workbook-styles": Worst(
        "workbook: styles without end",
        "11 kB, 4 MB unpacked",
        "10.3 s, 426 MB",
        lambda: workbook_of({"xl/styles.xml": b"<a>" + b"<xf/>" * 800_000 + b"</a>"}),
        _upload,
        "refused",
    ),
    "workbook-merged": Worst(
        "workbook: 1,900,000 merged cells",
        "0.1 MB, 46 MB unpacked",
        "19 s, 1,170 MB",
        lambda: workbook_of({SHEET: sheet_of('<mergeCell ref="A1:B2"/>' * 1_900_000)}),
        _upload,
        "refused",
    ),
}
