"""Pictures of the reports of ten kinds of evaluations: for the guide, and as golden pictures.

Needs Debian's poppler-utils. Run as ``.venv/bin/python -m benchmarks.report_gallery``; takes some
minutes for thirty PDFs, or ``--drawn`` for those that ``out/gallery`` has already. Writes
``docs/pictures/gallery-KIND.webp`` and, with ``--golden``, ``tests/golden/pages/KIND.webp``.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from benchmarks.gallery_kinds import KINDS, LANGUAGES
from benchmarks.gallery_pages import contact_sheet, pack, pages_of, thumbnails
from benchmarks.gallery_reports import FOLDER

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden" / "pages"
LIMIT = 1200


def main() -> None:
    """Write the reports and their pictures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--drawn", action="store_true", help="use the reports of out/gallery")
    parser.add_argument("--golden", action="store_true", help="write the golden pictures, too")
    options = parser.parse_args()
    for place, kind in enumerate(KINDS):
        if not options.drawn:
            write_reports(kind)
        language = LANGUAGES[place % len(LANGUAGES)]
        target = ROOT / "docs" / "pictures" / f"gallery-{kind}.webp"
        contact_sheet(thumbnails(FOLDER / kind / f"{language}.pdf"), target)
        print(target.relative_to(ROOT), language, f"{target.stat().st_size // 1024} KiB")
        if options.golden:
            GOLDEN.mkdir(exist_ok=True)
            pack([pages_of(FOLDER / kind / f"{one}.pdf") for one in LANGUAGES], golden(kind))


def write_reports(kind: str) -> None:
    """Write the reports of a kind in a process and a store of its own."""
    command = [sys.executable, "-m", "benchmarks.gallery_reports", kind]
    subprocess.run(command, check=True, capture_output=True, timeout=LIMIT, cwd=ROOT)  # noqa: S603  # ourselves


def golden(kind: str) -> Path:
    """Where the golden pictures of a kind are."""
    return GOLDEN / f"{kind}.webp"


if __name__ == "__main__":
    main()
