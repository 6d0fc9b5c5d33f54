"""Picture of three pages of the demo's report for the README: cover, summary, agreement.

Needs Debian's poppler-utils and ``out/report.pdf``, which ``make demo`` leaves. Run as
``.venv/bin/python -m benchmarks.report_pictures``; writes ``docs/report.png``.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
SHOWN = ("OCR HUMAN EVALUATION", "FOR DECISION MAKERS", "Do the raters agree?")
"""What stands on each page that is shown, and on none before it but the contents."""
CONTENTS = 2
GROUND, GAP, HEIGHT, COLOURS = (236, 240, 243), 30, 800, 128


def main() -> None:
    """Draw the pages side by side."""
    report = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "out" / "report.pdf"
    pages = [_picture(report, _page_with(report, words)) for words in SHOWN]
    width = sum(page.width for page in pages) + GAP * (len(pages) + 1)
    sheet = Image.new("RGB", (width, HEIGHT + 2 * GAP), GROUND)
    left = GAP
    for page in pages:
        sheet.paste(page, (left, GAP))
        left += page.width + GAP
    target = ROOT / "docs" / "report.png"
    sheet.quantize(COLOURS, method=Image.Quantize.MEDIANCUT).save(target, optimize=True)
    print(target.relative_to(ROOT), f"{target.stat().st_size // 1024} KiB")


def _page_with(report: Path, words: str) -> int:
    """Number of the first page with some words, the contents apart."""
    said = _output("pdftotext", "-layout", str(report), "-").decode().split("\f")
    return next(
        number for number, text in enumerate(said, 1) if words in text and number != CONTENTS
    )


def _picture(report: Path, page: int) -> Image.Image:
    with tempfile.TemporaryDirectory() as folder:
        base = str(Path(folder) / "page")
        number = str(page)
        size = ["-scale-to-y", str(HEIGHT), "-scale-to-x", "-1"]
        _output("pdftoppm", "-png", "-singlefile", "-f", number, *size, str(report), base)
        return Image.open(f"{base}.png").convert("RGB")


def _output(*command: str) -> bytes:
    return subprocess.run(command, check=True, capture_output=True, timeout=60).stdout  # noqa: S603  # ours


if __name__ == "__main__":
    main()
