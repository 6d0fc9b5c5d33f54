"""One stored evaluation gives the same report, byte for byte, in any process."""

import hashlib
import os
import subprocess
import sys

CODE = """
import sys
from pathlib import Path
from ocrjury.report import build_report, render_html, write_pdf
from ocrjury.store.workspace import open_store

home, evaluation, path = sys.argv[1:]
with open_store(home=Path(home)) as store:
    page = render_html(build_report(store, evaluation))
Path(path).with_suffix(".html").write_text(page, "utf-8")
write_pdf(page, Path(path))
"""


def test_two_processes_render_a_stored_evaluation_alike(small, tmp_path):
    small.dimensions = ["meaning", "layout"]
    for number, row in enumerate(small.pool):
        row["llm"] = 1 + number % 5
    small.write(pool={"path": "pool.jsonl", "judges": {"LLM": {"meaning": "llm"}}}).open()
    if small.rows()[-1] in {"19", "20"}:
        small.decide("proceed")
    assert small.rows()[-1] == "30"

    found = []
    for seed in ("1", "4242"):
        path = tmp_path / seed / "report.pdf"
        path.parent.mkdir()
        subprocess.run(
            [sys.executable, "-c", CODE, os.environ["OCRJURY_HOME"], small.evaluation, str(path)],
            check=True,
            cwd=path.parent,
            env={"PATH": "/usr/bin:/bin", "PYTHONHASHSEED": seed, "TZ": f"UTC-{len(seed)}"},
            timeout=120,
        )
        found.append(
            [
                hashlib.sha256(path.with_suffix(suffix).read_bytes()).hexdigest()
                for suffix in (".html", ".pdf")
            ]
        )

    assert found[0] == found[1]
