"""``ocrjury pool``: what a pool holds, and how close its texts come to their references."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.cli.declaring import add_command, add_group
from ocrjury.cli.pool_contents import (
    add_source,
    print_left_out,
    read_source,
    run_check,
    run_formats,
)
from ocrjury.cli.score_summary import check_out, print_summary, score_pool, write_scores
from ocrjury.errors import InputError

if TYPE_CHECKING:
    from ocrjury.cli.declaring import Commands

SCORE = [
    "ocrjury pool score fields.jsonl",
    "ocrjury pool score fields.jsonl --by doc_type",
    "ocrjury pool score fields.jsonl --options jiwer --out scores.csv",
    "ocrjury pool score ocr/ --reference ground-truth/",
]
CHECK = [
    "ocrjury pool check ocr/ --reference ground-truth/",
    "ocrjury pool check 'scans/*.hocr' --unit line",
    "ocrjury pool check invoices.zip --unit field",
]


def add_to(commands: "Commands") -> None:
    """Declare the commands."""
    group = add_group(
        commands,
        "pool",
        summary="read and score a pool of OCR results",
        examples=[CHECK[0], SCORE[0], SCORE[1]],
    )
    check = add_command(
        group,
        "check",
        summary="what a pool holds, and what of it cannot be used",
        about=(
            "What a pool holds: documents, formats, references; files and rows that cannot be "
            "read, and files without a pair. Ends with 1 if anything cannot be read."
        ),
        examples=CHECK,
        run=run_check,
    )
    add_source(check)
    add_command(
        group,
        "formats",
        summary="the formats that can be read",
        examples=["ocrjury pool formats"],
        run=run_formats,
    )
    _add_score(group)


def _add_score(group: "Commands") -> None:
    """Declare the command that scores."""
    score = add_command(
        group,
        "score",
        summary="character and word error rates of a pool, with intervals",
        examples=SCORE,
        run=run_score,
    )
    add_source(score)
    score.add_argument(
        "--options",
        default="default",
        metavar="PRESET",
        help="how texts are compared: default jiwer dinglehopper ocrd nlptutti [default]",
    )
    score.add_argument("--by", metavar="COLUMN", help="one summary for each value, e.g. doc_type")
    score.add_argument("--out", type=Path, help="write every document's scores: .csv or .parquet")


def run_score(options: argparse.Namespace) -> int:
    """Print the summary of a pool's scores."""
    from ocrjury.cli.printing import say
    from ocrjury.text import TextOptions

    check_out(options.out)
    chosen = TextOptions.preset(options.options)
    pool = read_source(options)
    if options.by is not None and options.by not in pool.columns:
        raise InputError(
            f"{options.file} has no column {options.by!r}; found {', '.join(pool.columns)}."
        )
    scored = score_pool(pool, chosen)
    print_summary(scored, by=options.by)
    say()
    say(f"signature: {scored.attrs['signature']}")
    if options.out is not None:
        write_scores(scored, options.out)
        say(f"written: {options.out}")
    print_left_out(pool.attrs)
    return 0
