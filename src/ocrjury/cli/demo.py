"""``ocrjury demo``: the whole chain once on the bundled pool."""

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.opening_notice import check_choices
from ocrjury.cli.printing import fields, say, waiting
from ocrjury.cli.report_options import check_folder
from ocrjury.cli.store_access import open_existing

if TYPE_CHECKING:
    from ocrjury.findings.cover import Cover

DEMO = """run the whole chain on the bundled pool, with simulated raters

Run the whole chain once, in this process, on the bundled pool: real OCR output of
72 fictional Korean claim pages. The raters are simulated, and every page of the report says so.
It writes report.html and report.pdf, shows the verdict, and ends with 0 whatever the verdict is.

ocrjury demo
ocrjury demo --out reports --seed 7"""
STARTS = "Demo: Prefect is starting"


def add_to(commands: Commands) -> None:
    """Declare the command."""
    demo = add_command(commands, "demo", DEMO, run=run_demo_command)
    demo.add_argument(
        "--out", type=Path, default=Path("out"), help="folder for report.html and report.pdf [out]"
    )
    demo.add_argument(
        "--seed", type=int, help="of the draw and the simulated raters [the example's]"
    )


def run_demo_command(options: argparse.Namespace) -> None:
    """Run the demo, and print what it made and where its run is seen."""
    from ocrjury.deployments.demo import run_demo
    from ocrjury.deployments.installation import Installation
    from ocrjury.store.reports import list_reports

    check_choices(None, options.seed)
    check_folder(options.out)
    started = time.monotonic()
    with waiting(STARTS) as line:
        line.update(STARTS)
        made = run_demo(
            Installation.from_environment(),
            out=options.out,
            seed=options.seed,
            tell=lambda news: line.update(f"Demo: {news}"),
        )
    with open_existing() as work:
        say_cover(list_reports(work.engine, made.evaluation)[-1].cover)
    for path in (made.html, made.pdf):
        if path is not None:
            say(f"{path}  ({size_text(path.stat().st_size)})")
    say(
        f"The chain took {time.monotonic() - started:.0f} s. The OCR output is real, the raters are"
    )
    say("simulated. Open report.html in a browser first.")
    # A browser that has not signed in is asked at the first page only, and refused at any other.
    first = made.run.partition("/runs/")[0]
    say(f"To see the run: `ocrjury up`, and sign in once at {first} (`ocrjury up --password`).")
    say(f"Then open {made.run}")
    say("To begin with your own documents: `ocrjury campaign new claims`")


def size_text(size: int) -> str:
    """Size of a file, so round that another run and another release print it again.

    Examples
    --------
    >>> size_text(439_000)
    '0.4 MB'
    """
    return f"{size / 1e6:.1f} MB"


def say_cover(cover: "Cover") -> None:
    """Print what the cover of a report says: the verdict on agreement, and the estimate."""
    from ocrjury.pages.headline_words import headline_text

    headline = cover.headline
    estimate = (
        [("estimate", str(cover.withheld))]
        if headline is None
        else [(headline.caption, headline_text(headline))]
    )
    fields([("agreement", cover.verdict), ("outcome", cover.sentence), *estimate])
