"""``ocrjury report --ratings``: a report on ratings that were collected without ocrjury."""

import argparse
from pathlib import Path

from ocrjury.campaign.settings import Settings
from ocrjury.cli.agreement import EXIT_CODES, read_declared, with_context
from ocrjury.cli.printing import say
from ocrjury.errors import InputError
from ocrjury.readers import read_pool
from ocrjury.report.bare import BareOptions, build_bare_report
from ocrjury.report.html import render_html
from ocrjury.report.pdf import write_pdf


def run_bare_report(options: argparse.Namespace) -> int:
    """Write HTML and PDF about a file of ratings; the exit code is that of the verdict."""
    if options.out is None:
        raise InputError("report --ratings needs --out FOLDER, where the report goes.")
    file, scale = read_declared(options, options.ratings)
    name = options.ratings.stem
    data = build_bare_report(
        with_context(file, scale),
        scale=scale,
        issued_at=Settings.from_environment().now(),
        pool=None if options.pool is None else read_pool(options.pool),
        options=BareOptions(
            title=options.title or name,
            name=name,
            examples=options.examples,
            images=_images(options),
        ),
    )
    page = render_html(data)
    options.out.mkdir(parents=True, exist_ok=True)
    html = options.out / f"{name}.html"
    html.write_text(page, encoding="utf-8")
    say(str(html))
    pdf = options.out / f"{name}.pdf"
    write_pdf(page, pdf)
    say(str(pdf))
    return 0 if options.exit_zero else EXIT_CODES[data.verdict.decision]


def _images(options: argparse.Namespace) -> Path | None:
    """Return the folder of page images: the one that is named, else the pool's own."""
    if options.images is not None:
        return Path(options.images)
    if options.pool is None or "://" in options.pool:
        return None
    return Path(options.pool).absolute().parent
