"""``ocrjury pool``: what a pool holds, and how close its texts come to their references."""

import argparse
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.cli.declaring import Commands, Parser, add_command, add_group
from ocrjury.cli.printing import fields, heading, say, table, tell_replaced
from ocrjury.cli.score_checks import check_any_scored, check_groups, check_kept, check_out
from ocrjury.cli.score_numbers import (
    print_summary,
    score_pool,
    write_scores,
)
from ocrjury.pages.numbers import plural
from ocrjury.readers.format_names import FORMATS, NAMES, SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from ocrjury.findings.pool_scores import PoolGaps, Unused

GROUP = """read and score a pool of OCR results

ocrjury pool check ocr/ --reference ground-truth/
ocrjury pool score fields.jsonl
ocrjury pool score fields.jsonl --by doc_type"""
CHECK = """what a pool holds, and what of it cannot be used

What a pool holds: documents, formats, references; files and rows that cannot be
read, and files without a pair. Ends with 1 if anything cannot be read.

ocrjury pool check ocr/ --reference ground-truth/
ocrjury pool check 'scans/*.hocr' --unit line
ocrjury pool check invoices.zip --unit field"""
FORMATS_HELP = """the formats that can be read

ocrjury pool formats"""
SCORE = """character and word error rates of a pool, with intervals

Character and word error rates of a pool, with intervals. Ends with 1 if anything could not be
read; the rest is scored all the same.

ocrjury pool score fields.jsonl
ocrjury pool score fields.jsonl --by doc_type
ocrjury pool score fields.jsonl --options jiwer --out scores.csv
ocrjury pool score ocr/ --reference ground-truth/"""
SHOWN = 20
"""Files of each list that are printed."""


def add_to(commands: Commands) -> None:
    """Declare the commands."""
    group = add_group(commands, "pool", GROUP)
    check = add_command(group, "check", CHECK, run=run_check)
    add_source(check)
    add_command(group, "formats", FORMATS_HELP, run=run_formats)
    score = add_command(group, "score", SCORE, run=run_score)
    add_source(score)
    add_preset(score)
    score.add_argument("--by", metavar="COLUMN", help="one summary for each value, e.g. doc_type")
    score.add_argument("--out", type=Path, help="write every output's scores: .csv or .parquet")


def run_score(options: argparse.Namespace) -> int:
    """Print the summary of a pool's scores; 1 if anything could not be read."""
    from ocrjury.findings.measurement.pool_gaps import gaps_of
    from ocrjury.text import TextOptions

    check_out(options.out)
    check_kept((options.file, options.reference), {"--out": options.out})
    chosen = TextOptions.preset(options.options)
    pool = read_source(options)
    check_groups(pool, options.by, source=options.file)
    scored = score_pool(pool, chosen)
    gaps = gaps_of(pool.attrs)
    check_any_scored(scored, left_out=gaps)
    print_summary(scored, by=options.by)
    say()
    say(f"signature: {scored.attrs['signature']}")
    if options.out is not None:
        tell_replaced(options.out)
        write_scores(scored, options.out)
        say(f"written: {options.out}")
    print_left_out(gaps)
    return 1 if gaps.n_quarantined else 0


def add_source(parser: Parser) -> None:
    """Declare the arguments that say what is read, and how."""
    parser.add_argument(
        "file", help="a file, folder, zip archive or quoted pattern; a path or a URL"
    )
    parser.add_argument(
        "--reference",
        metavar="PATH",
        help="file or folder of what is right, paired by name [files NAME.gt.* beside]",
    )
    add_reading(parser)


def add_reading(parser: Parser, *, of: str = "") -> None:
    """Declare the arguments that say how files are read."""
    parser.add_argument(
        "--unit",
        default="page",
        metavar="UNIT",
        help="what a document of an OCR file is: page line word field [page]",
    )
    parser.add_argument("--format", help=f"{of}see `ocrjury pool formats` [by content]")
    parser.add_argument("--encoding", help="such as latin-1 [utf-8 or utf-16, else cp949]")


def add_preset(parser: Parser) -> None:
    """Declare the argument that says how texts are compared."""
    parser.add_argument(
        "--options",
        default="default",
        metavar="PRESET",
        help="how texts are compared: default jiwer dinglehopper ocrd nlptutti [default]",
    )


def read_source(options: argparse.Namespace) -> "pd.DataFrame":
    """Pool that the arguments name."""
    from ocrjury.readers import read_pool, read_units

    more = {
        "format": options.format,
        "reference": options.reference,
        "encoding": options.encoding,
    }
    # print_left_out prints what was guessed.
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        if options.unit == "page":
            return read_pool(options.file, **more)
        return read_units(options.file, unit=options.unit, **more)


def run_check(options: argparse.Namespace) -> int:
    """Print what a pool holds and what cannot be used; 1 if anything cannot."""
    from ocrjury.findings.measurement.pool_gaps import gaps_of

    pool = read_source(options)
    gaps = gaps_of(pool.attrs)
    with_reference, with_confidence = pool["reference"].notna(), pool["confidence"].notna()
    forms = [f"{form} ({number:,})" for form, number in gaps.formats.items()]
    empty = empty_outputs(pool)
    fields(
        [
            ("outputs", f"{len(pool):,}"),
            *([("empty", f"{len(empty):,}, such as {empty.iloc[0]}")] if len(empty) else []),
            ("pages", f"{pool['page_id'].nunique():,}"),
            ("formats", ", ".join(forms)),
            ("references", f"{int(with_reference.sum()):,}"),
            ("confidences", f"{int(with_confidence.sum()):,}"),
            *(("", f"{form}: {source}") for form, source in gaps.confidence_source.items()),
        ]
    )
    print_left_out(gaps)
    return 1 if gaps.n_quarantined else 0


def empty_outputs(pool: "pd.DataFrame") -> "pd.Series[str]":
    """Documents in which the OCR read nothing."""
    return pool["doc_id"][pool["hypothesis"].str.strip() == ""]


def print_left_out(gaps: "PoolGaps") -> None:
    """Print what is in quarantine, has no pair, was skipped, and what to know."""
    _print_list(
        f"{plural(gaps.n_quarantined, 'file or row', 'files or rows')} cannot be read",
        gaps.n_quarantined,
        gaps.quarantine,
    )
    unmatched, skipped = plural(gaps.n_unmatched, "file"), plural(gaps.n_skipped, "file")
    _print_list(f"{unmatched} without a pair", gaps.n_unmatched, gaps.unmatched)
    _print_list(f"{skipped} skipped", gaps.n_skipped, gaps.skipped)
    _print_list(
        f"{plural(gaps.n_as_pages, 'page')} scored as a whole, because the {gaps.unit}s cannot be "
        "paired",
        gaps.n_as_pages,
        gaps.as_pages,
    )
    if gaps.pairing:
        kinds = (f"{number:,} {kind}" for kind, number in gaps.pairing.items())
        say()
        say(f"{gaps.unit}s: {', '.join(kinds)}.")
    for sentence in gaps.warnings:
        say()
        say(sentence)


def _print_list(title: str, count: int, entries: "Sequence[Unused]") -> None:
    if not count:
        return
    heading(f"{title}:")
    rows = [
        [", ".join(filter(None, (entry.where, entry.position))), entry.reason]
        for entry in entries[:SHOWN]
    ]
    table(["where", "why"], rows)
    if count > SHOWN:
        say(f"and {count - SHOWN:,} more")


def run_formats(options: argparse.Namespace) -> None:
    """Print the formats that can be read."""
    from ocrjury.readers.formats import CONFIDENCES

    del options
    table(
        ["format", "what", "files", "confidence"],
        [
            [
                form,
                NAMES[form],
                " ".join(f".{s}" for s in SUFFIXES[form]),
                CONFIDENCES.get(form, ""),
            ]
            for form in FORMATS
        ],
    )
