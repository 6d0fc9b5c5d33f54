"""``ocrjury report --compare``: what changed from one evaluation to another."""

import argparse
from dataclasses import replace

from ocrjury.cli.actors import note
from ocrjury.cli.printing import remark
from ocrjury.cli.report_writing import write_both
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError

SHOWN = ("comparison",)


def write_comparison(options: argparse.Namespace) -> int:
    """Write cover, comparison and methods of the later evaluation as HTML and PDF."""
    from ocrjury.evaluation.comparison import compare
    from ocrjury.report import build_report, render_html

    if options.out is None:
        raise InputError("--compare needs --out FOLDER, where the report goes.")
    earlier, later = options.compare
    with open_existing() as work, work.snapshot():
        comparison = compare(work.case(earlier), work.case(later))
        data = build_report(work.store, later, language=options.language)
        identity = replace(
            data.identity,
            # The stored report beside which it stands, not one that would follow.
            version=max(data.identity.version - 1, 1),
            reproduce=f"ocrjury report --compare {earlier} {later} --out FOLDER",
        )
        sections = {**data.sections, "comparison": comparison}
        data = replace(data, identity=identity, sections=sections)
        page = render_html(data, only=SHOWN)
        note(work, "export", f"{later} report compared with {earlier}")
    if comparison.same_outputs:
        remark(
            f"{earlier} and {later} rated the same outputs: a difference shows how ratings vary, "
            "and no change in the texts."
        )
    options.out.mkdir(parents=True, exist_ok=True)
    html = options.out / f"{later}-compared-with-{earlier}-{data.identity.language}.html"
    write_both(html, page, printed=page)
    return 0
