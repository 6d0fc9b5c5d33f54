"""PDFs keep the standards that they declare, by veraPDF: PDF/UA-1, and PDF/A-3a in an archive.

Needs ``out/verapdf``, which ``make test-external`` fills, and a JDK.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from weasyprint import HTML

from benchmarks.gallery_kinds import LANGUAGES
from benchmarks.gallery_reports import FOLDER
from benchmarks.report_gallery import write_reports
from tests.external.verapdf.breaches import breaches

KIND = "demo"


@pytest.fixture(scope="module")
def archived(tmp_path_factory):
    """Archive copies of one evaluation, one for each language."""
    write_reports(KIND)
    out = tmp_path_factory.mktemp("archive")
    environment = os.environ | {"OCRJURY_HOME": str(FOLDER / "home")}
    ocrjury = [Path(sys.executable).with_name("ocrjury")]
    listed = [*ocrjury, "evaluation", "list"]
    done = subprocess.run(
        listed, env=environment, check=True, capture_output=True, text=True, timeout=60
    )
    name = done.stdout.splitlines()[-1].split()[0]
    for language in LANGUAGES:
        copied = [*ocrjury, "report", name, "--archive", "--language", language, "--out", out]
        subprocess.run(copied, env=environment, check=True, timeout=300)
    return sorted(out.glob("*.pdf"))


@pytest.mark.parametrize("standard", ["3a", "ua1"])
def test_an_archive_copy_keeps_both_standards(standard, archived):
    assert len(archived) == len(LANGUAGES)
    assert breaches(standard, *archived) == []


@pytest.mark.usefixtures("archived")  # it draws the report, too
def test_the_rules_are_those_of_the_standards(tmp_path):
    report, bare = FOLDER / KIND / "en.pdf", tmp_path / "bare.pdf"
    HTML(string="<title>x</title><h1>y</h1>").write_pdf(bare)

    assert {clause for _, clause, _ in breaches("3a", report)} >= {"6.6.4"}  # it declares no PDF/A
    assert {clause for _, clause, _ in breaches("ua1", bare)} >= {"7.1"}  # it is not tagged
