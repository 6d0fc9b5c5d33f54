"""Pages of reports as small pictures: kept, and compared with a tolerance.

A page is drawn at 32 dots per inch and cut into cells of 5 mm. Two cells differ if their mean greys
are more than 10 of 255 apart; two pages differ if more than 1 % of their cells do. On the pages of
a pilot's report, other smoothing of edges changed at most 0.7 % of the cells, a chart that is gone
1.9 % or more, and a block of 5 cm that is moved by 3 mm 2.8 % or more.
"""

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

DPI, FINER, CELL, THUMBNAIL = 32, 3, 6, 210
FAR, MOST = 10, 0.01


def pages_of(pdf: Path, *, finer: int = FINER) -> list[Image.Image]:
    """Every page of a PDF in grey.

    They are drawn so many times finer and then made small, so that greys tell how much ink there is
    and not how edges are smoothed.
    """
    return [page.convert("L").reduce(finer) for page in _drawn(pdf, "-r", str(DPI * finer))]


def thumbnails(pdf: Path) -> list[Image.Image]:
    """Every page of a PDF in colour, small."""
    return _drawn(pdf, "-scale-to-x", str(THUMBNAIL), "-scale-to-y", "-1")


def _drawn(pdf: Path, *size: str) -> list[Image.Image]:
    with (
        tempfile.TemporaryDirectory() as folder
    ):  # of PPM: to compress a PNG takes longer than all else
        command = ["pdftoppm", *size, str(pdf), f"{folder}/page"]
        done = subprocess.run(command, check=True, capture_output=True, timeout=300)  # noqa: S603  # ours
        if done.stderr:  # poppler leaves out the rest of a page that it cannot read
            raise ValueError(f"{pdf}: {done.stderr.decode(errors='replace')}")
        return [Image.open(path).convert("RGB") for path in sorted(Path(folder).glob("*.ppm"))]


def share_that_differs(one: Image.Image, other: Image.Image) -> float:
    """Share of the cells of a page that differ; 1 if the pages are not equally large."""
    if one.size != other.size:
        return 1.0
    far = np.abs(_cells(one) - _cells(other)) > FAR
    return float(far.mean())


def differing(kept: Sequence[Image.Image], drawn: Sequence[Image.Image]) -> list[str]:
    """What differs between the pages of two reports, in words; nothing if they look alike."""
    if len(kept) != len(drawn):
        return [f"{len(drawn)} pages instead of {len(kept)}"]
    shares = [share_that_differs(*pair) for pair in zip(kept, drawn, strict=True)]
    return [
        f"page {page}: {share:.1%} of the cells differ"
        for page, share in enumerate(shares, 1)
        if share > MOST
    ]


def _cells(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.reduce(CELL), dtype=float)


def pack(reports: Sequence[Sequence[Image.Image]], path: Path) -> None:
    """Write pages as one picture, a row for each report; free places are black."""
    width, height = reports[0][0].size
    columns = max(map(len, reports))
    sheet = Image.new("L", (width * columns, height * len(reports)))
    for row, pages in enumerate(reports):
        for column, page in enumerate(pages):
            sheet.paste(page, (column * width, row * height))
    sheet.save(path, quality=20, method=6)


def unpack(path: Path, rows: int, size: tuple[int, int]) -> list[list[Image.Image]]:
    """Pages of each report in a picture that `pack` wrote, each of a size."""
    sheet = Image.open(path).convert("L")
    width, height = size
    places = [
        [
            sheet.crop((left, row * height, left + width, (row + 1) * height))
            for left in range(0, sheet.width, width)
        ]
        for row in range(rows)
    ]
    return [[page for page in pages if np.asarray(page).mean() > 1] for pages in places]


def contact_sheet(pages: Sequence[Image.Image], path: Path, *, columns: int = 4) -> None:
    """Write pages side by side, small, as they lie on a table."""
    gap, ground = 8, (226, 231, 235)
    width, height = pages[0].size
    rows = -(-len(pages) // columns)
    size = (columns * (width + gap) + gap, rows * (height + gap) + gap)
    sheet = Image.new("RGB", size, ground)
    for place, page in enumerate(pages):
        row, column = divmod(place, columns)
        sheet.paste(page, (gap + column * (width + gap), gap + row * (height + gap)))
    sheet.save(path, quality=60, method=6)
