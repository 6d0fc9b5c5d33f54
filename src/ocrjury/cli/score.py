"""``ocrjury score``: only the numbers of two texts, files or folders, however they were written."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.cli.declaring import add_command
from ocrjury.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.cli.declaring import Commands
    from ocrjury.text import TextOptions

EXAMPLES = [
    "ocrjury score ground-truth/ ocr/",
    "ocrjury score page.gt.xml page.hocr --html differences.html",
    "ocrjury score references.txt hypotheses.txt --unit line --options jiwer",
    "ocrjury score gt/ ocr/ --options dinglehopper --json > scores.json",
    "ocrjury score fields.jsonl --by doc_type --set whitespace=remove --set case=fold",
]
ABOUT = """Character and word error rates and more of OCR output against its reference.

REF and HYP are files or folders in any format that `ocrjury pool formats` lists; files of
folders are paired by their names up to the first dot. Two tables are joined by doc_id. A single
table that has both texts, or a file with NAME.gt.txt beside, needs no HYP.

Ends with 1 if anything could not be read; the rest is scored all the same."""


def add_to(commands: "Commands") -> None:
    """Declare the command."""
    parser = add_command(
        commands,
        "score",
        summary="error rates of OCR output against its reference: table, JSON, HTML",
        about=ABOUT,
        examples=EXAMPLES,
        run=run,
    )
    parser.add_argument("reference", metavar="REF", help="file or folder of what is right")
    parser.add_argument(
        "hypothesis", metavar="HYP", nargs="?", help="file or folder of what the OCR read"
    )
    _add_comparison(parser)
    parser.add_argument("--by", metavar="COLUMN", help="one summary for each value, e.g. doc_type")
    parser.add_argument("--json", action="store_true", help="print JSON: summary and documents")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page of all differences")
    parser.add_argument("--out", type=Path, help="write every document's scores: .csv or .parquet")


def _add_comparison(parser: argparse.ArgumentParser) -> None:
    """Add how files are read, and how their texts are compared."""
    parser.add_argument(
        "--unit",
        default="page",
        metavar="UNIT",
        help="what a document of an OCR file is: page line word field [page]",
    )
    parser.add_argument("--format", help="of HYP, see `ocrjury pool formats` [by content]")
    parser.add_argument("--encoding", help="such as cp949 [utf-8, else cp949]")
    parser.add_argument(
        "--options",
        default="default",
        metavar="PRESET",
        help="how texts are compared: default jiwer dinglehopper ocrd nlptutti [default]",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="replace an option of the preset, such as words=uax29; may be repeated",
    )
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="METRIC",
        help="one more of cer_normalized wer_bag wer_uax29; may be repeated",
    )


def run(options: argparse.Namespace) -> int:
    """Print the scores; 1 if anything could not be read."""
    from ocrjury.cli.score_numbers import print_json, print_tables
    from ocrjury.cli.score_sources import read_pairs
    from ocrjury.cli.score_summary import score_pool
    from ocrjury.text import read_options

    _check(options)
    chosen = read_options(options.options, options.set)
    pool = read_pairs(options)
    _check_column(pool, options.by)
    scored = score_pool(pool, chosen, also=_also(options.also))
    if scored["ned"].isna().all():
        raise InputError(
            "no document has a reference, so there is nothing to compare. Files are paired by "
            "their names up to the first dot; `ocrjury pool check HYP --reference REF` shows them."
        )
    _write(scored, chosen, pool=pool, options=options)
    shown = print_json if options.json else print_tables
    shown(scored, chosen, left_out=pool.attrs, by=options.by)
    return 1 if pool.attrs["n_quarantined"] else 0


def _check(options: argparse.Namespace) -> None:
    """Refuse a file that could not be written, before any work."""
    from ocrjury.cli.score_summary import check_out

    check_out(options.out)
    if options.html is not None and not options.html.absolute().parent.is_dir():
        raise InputError(f"--html: the folder {options.html.parent} does not exist.")


def _check_column(pool: "pd.DataFrame", by: str | None) -> None:
    """Refuse a column that is not there."""
    if by is not None and by not in pool.columns:
        raise InputError(f"--by: no column {by!r}; found {', '.join(map(str, pool.columns))}.")


def _also(names: list[str]) -> list[str]:
    """Metrics beside the usual ones."""
    from ocrjury.text.metrics import OPTIONAL

    unknown = [name for name in names if name not in OPTIONAL]
    if unknown:
        raise InputError(f"--also must be one of {', '.join(OPTIONAL)}; found {unknown[0]!r}.")
    return list(dict.fromkeys(names))


def _write(
    scored: "pd.DataFrame",
    chosen: "TextOptions",
    *,
    pool: "pd.DataFrame",
    options: argparse.Namespace,
) -> None:
    """Write the files that are asked for."""
    from ocrjury.cli.printing import remark
    from ocrjury.cli.score_summary import write_scores

    if options.out is not None:
        write_scores(scored, options.out)
        remark(f"written: {options.out}")
    if options.html is not None:
        from ocrjury.report.score_report import render_score_report, score_report

        read = options.hypothesis or options.reference
        title = Path(read).name or str(read)
        report = score_report(
            scored, title=title, options=chosen, left_out=pool.attrs, by=options.by
        )
        options.html.write_text(render_score_report(report), encoding="utf-8")
        remark(f"written: {options.html}")
