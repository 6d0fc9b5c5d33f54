"""Reports of the ten kinds of evaluations in three languages, into ``out/gallery``.

Thirty PDFs take some minutes. Run as ``.venv/bin/python -m benchmarks.gallery_reports [KIND ...]``.
"""

import os
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.gallery_kinds import KINDS
from ocrjury.deployments.demo import run_environment, until_served
from ocrjury.deployments.installation import Installation

FOLDER = Path(__file__).resolve().parents[1] / "out" / "gallery"
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def write_gallery(folder: Path, kinds: list[str]) -> None:
    """Write KIND/LANGUAGE.pdf and .html of some kinds; what stood there is removed."""
    for name in ("home", *kinds):
        shutil.rmtree(folder / name, ignore_errors=True)
    home = str(folder / "home")
    os.environ |= {"OCRJURY_HOME": home, "OCRJURY_CLOCK": NOON.isoformat()}
    installation = Installation.from_environment()
    os.environ |= run_environment(installation)
    wait = until_served(installation)
    # Prefect reads its settings when it is imported.
    from benchmarks.gallery_flow import write_reports  # noqa: PLC0415

    wait()
    write_reports(folder, kinds, NOON)


if __name__ == "__main__":
    write_gallery(FOLDER, sys.argv[1:] or list(KINDS))
