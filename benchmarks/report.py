"""Processor time and peak memory of a report's PDF, beside Chromium's print of the same page.

Needs what `ocrjury demo` needs and Debian's chromium-headless-shell. Run as
``.venv/bin/python -m benchmarks.report``; writes ``benchmarks/results/report.md``.
"""

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from ocrjury.evaluation.case import at_work
from ocrjury.report import ReportData, build_report, render_html, write_pdf
from ocrjury.report.crops import crop_images
from ocrjury.report.html_size import mailed_html
from ocrjury.store.evaluations import list_evaluations

RESULT = Path(__file__).parent / "results" / "report.md"
EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "korean-claims"
ALONE = ["--no-sandbox", "--no-zygote"]  # without a zygote its processes are its children
OCRJURY = Path(sys.executable).with_name("ocrjury")
CHROMIUM = "/usr/bin/chromium-headless-shell"
MANY, ROUNDS, ADDITIONS = 1000, 3, 20_000_000
AS_RUNS_DO = (
    "import runpy; from ocrjury.spared_work import spare_work; spare_work(); "
    "runpy.run_module('benchmarks.report', run_name='__main__')"
)
GOALS = {"demo": (4.0, None), "many": (12.0, 512.0)}
NAMES = {"demo": "the demo's report", "many": f"with {MANY:,} worst items"}
HEAD = f"""# Reports

PDF of a report from stored numbers. Made by `.venv/bin/python -m benchmarks.report`.

* **processor**: seconds, user and system, of a new process and all its children: start of Python,
  numbers out of the store, HTML, PDF. The least of {ROUNDS} runs, because others use the machine.
  It spares work as runs of Prefect do (`ocrjury.spared_work`), and finds the modules and
  templates compiled that an earlier run left, as an installation does.
* **memory**: peak of the largest of these processes.
* **with {MANY:,} worst items**: the demo's report with {MANY:,} fields of the bundled pool in its
  list, each with the crop of its page; its rows are built before its HTML, in the same process.
  The PDF has all of the crops, the HTML file as many as keep it below 5 MB.
* **Chromium**: `chromium-headless-shell --print-to-pdf` of the page of that PDF, start included. It
  is asked for neither PDF/UA nor the check that every letter has a glyph."""


class Cost(NamedTuple):
    """What a command took."""

    seconds: float
    megabytes: float


def main() -> None:
    """Measure, and write the table; with a kind and folders, be the process that is measured."""
    if len(sys.argv) > 1:
        write_report(sys.argv[1], Path(sys.argv[2]))
        return
    with tempfile.TemporaryDirectory(prefix="ocrjury-report-") as place:
        lines = [HEAD, *table(Path(place))]
    RESULT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(lines) + "\n")


def table(place: Path) -> Iterator[str]:
    """Yield the lines of the table and the machine's speed."""
    os.environ["OCRJURY_HOME"] = str(place / "home")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # compiling anew would be a quarter of the time
    demo = [OCRJURY, "demo", "--out", str(place)]
    subprocess.run(demo, check=True, capture_output=True, timeout=600)  # noqa: S603  # ours
    yield "\n| report | HTML, MB | processor | goal | memory, MB | goal | Chromium | ratio |"
    yield "|---|--:|--:|---|--:|---|--:|--:|"
    for kind in NAMES:
        yield row(kind, place)
    yield (
        f"\n{ADDITIONS // 1_000_000} million additions in Python took {speed():.2f} s then; "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}."
    )


def row(kind: str, place: Path) -> str:
    """Line of one report."""
    ours = least([sys.executable, "-c", AS_RUNS_DO, kind, str(place)])
    file, page = place / f"{kind}.html", place / f"{kind}-whole.html"
    target = f"--print-to-pdf={place / 'chromium.pdf'}"
    theirs = least([CHROMIUM, *ALONE, "--no-pdf-header-footer", target, page.as_uri()])
    seconds, megabytes = GOALS[kind]
    return (
        f"| {NAMES[kind]} | {file.stat().st_size / 1e6:.1f} "
        f"| {ours.seconds:.1f} | {_goal(ours.seconds, seconds)} "
        f"| {ours.megabytes:.0f} | {_goal(ours.megabytes, megabytes)} "
        f"| {theirs.seconds:.1f} | {ours.seconds / theirs.seconds:.1f} |"
    )


def _goal(value: float, goal: float | None) -> str:
    if goal is None:
        return ""
    return f"{goal:g}, {'met' if value <= goal else 'missed'}"


def least(command: Sequence[str]) -> Cost:
    """Least of several runs; the peak is that of the same run."""
    return min(cost(command) for _ in range(ROUNDS))


def cost(command: Sequence[str]) -> Cost:
    """Cost of a command and of the processes that it waited for."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:  # noqa: S603  # ours
        complaint = child.stderr.read() if child.stderr else b""
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(complaint.decode())
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def speed() -> float:
    """Seconds of the processor for a plain loop, to compare machines."""
    start, total = time.process_time(), 0
    for number in range(ADDITIONS):
        total += number
    return time.process_time() - start


def write_report(kind: str, place: Path) -> None:
    """HTML and PDF of the newest evaluation of the store."""
    with at_work() as work:
        newest = list_evaluations(work.engine)[-1].evaluation
        data = build_report(work.store, newest)
    data = data if kind == "demo" else with_many_items(data)
    html = render_html(data)
    (place / f"{kind}.html").write_text(mailed_html(data, html), encoding="utf-8")
    write_pdf(html, place / f"{kind}.pdf")
    (place / f"{kind}-whole.html").write_text(html, encoding="utf-8")  # for Chromium


def with_many_items(data: ReportData) -> ReportData:
    """The report with many rows of worst items, each with a crop of its own."""
    lines = (EXAMPLE / "fields.jsonl").read_text(encoding="utf-8").splitlines()
    fields, known = list(map(json.loads, lines[:MANY])), data.items.rows
    rows = tuple(
        dataclasses.replace(known[place % len(known)], doc_id=field["doc_id"], image=crop)
        for place, (field, crop) in enumerate(zip(fields, crops(fields), strict=True))
    )
    return dataclasses.replace(data, items=dataclasses.replace(data.items, rows=rows))


def crops(fields: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Crop of each field, page after page, as the list of worst items makes them."""
    for image, on_page in groupby(fields, key=itemgetter("image")):
        yield from crop_images(EXAMPLE / image, [field["box"] for field in on_page])


if __name__ == "__main__":
    main()
