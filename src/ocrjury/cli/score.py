"""``ocrjury score``: only the numbers of two texts, files or folders, however they were written."""

import argparse
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.cli.declaring import Commands, add_command, composed
from ocrjury.cli.language_option import DEFAULT, add_language
from ocrjury.cli.pool import add_preset, add_reading, print_left_out
from ocrjury.cli.printing import remark, tell_replaced, waiting
from ocrjury.cli.score_checks import (
    check_any_scored,
    check_common_ids,
    check_groups,
    check_kept,
    check_out,
)
from ocrjury.cli.score_numbers import (
    print_json,
    print_tables,
    score_pool,
    write_scores,
)
from ocrjury.errors import InputError
from ocrjury.language import phrase
from ocrjury.readers.format_names import TABLES, Format, checked_format
from ocrjury.whole_files import write_whole

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.findings.pool_scores import PoolGaps
    from ocrjury.readers import PoolBatches
    from ocrjury.text import TextOptions

SCORE = """error rates of OCR output against its reference: table, JSON, HTML

Character and word error rates and more of OCR output against its reference.

REF and HYP are files or folders in any format that `ocrjury pool formats` lists; files of
folders are paired by their names up to the first dot. Two tables are joined by doc_id. A single
table that has both texts, or a file with NAME.gt.txt beside, needs no HYP.

Ends with 1 if anything could not be read; the rest is scored all the same.

ocrjury score ground-truth/ ocr/
ocrjury score page.gt.xml page.hocr --html differences.html
ocrjury score ground-truth/ ocr/ --html differences.html --language ko
ocrjury score references.txt hypotheses.txt --unit line --options jiwer --align words
ocrjury score gt/ ocr/ --options dinglehopper --json > scores.json
ocrjury score fields.jsonl --by doc_type --set whitespace=remove --set case=fold"""


def add_to(commands: Commands) -> None:
    """Declare the command."""
    parser = add_command(commands, "score", SCORE, run=run)
    parser.add_argument("reference", metavar="REF", help="file or folder of what is right")
    parser.add_argument(
        "hypothesis", metavar="HYP", nargs="?", help="file or folder of what the OCR read"
    )
    add_reading(parser, of="of HYP, ")
    add_preset(parser)
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
        help="one more of cer_normalized wer_bag wer_uax29 mer wil wip; may be repeated",
    )
    parser.add_argument("--by", metavar="COLUMN", help="one summary for each value, e.g. doc_type")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON: summary and documents")
    form.add_argument(
        "--align",
        choices=("words", "characters"),
        help="print texts that differ one above the other, with S, D and I under what the OCR "
        "substituted, deleted and inserted",
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page of all differences")
    add_language(parser, of="the page of --html")
    parser.add_argument("--out", type=Path, help="write every output's scores: .csv or .parquet")


def run(options: argparse.Namespace) -> int:
    """Print the scores; 1 if anything could not be read."""
    from ocrjury.findings.measurement.pool_gaps import gaps_of
    from ocrjury.text import read_options

    check_out(options.out)
    if options.html is not None and not options.html.absolute().parent.is_dir():
        raise InputError(f"--html: the folder {options.html.parent} does not exist.")
    read = (options.reference, options.hypothesis)
    check_kept(read, {"--out": options.out, "--html": options.html})
    chosen = read_options(options.options, options.set)
    pool = read_pairs(options)
    check_groups(pool, options.by, source=options.hypothesis or options.reference)
    scored = score_pool(pool, chosen, also=_also(options.also))
    gaps = gaps_of(pool.attrs)
    check_any_scored(scored, left_out=gaps)
    _write(scored, chosen, gaps=gaps, options=options)
    if options.json:
        print_json(scored, chosen, left_out=pool.attrs, by=options.by)
    else:
        print_tables(scored, chosen, by=options.by, align=options.align)
        print_left_out(gaps)
    return 1 if gaps.n_quarantined else 0


def _also(names: list[str]) -> list[str]:
    from ocrjury.text.metrics import OPTIONAL

    unknown = [name for name in names if name not in OPTIONAL]
    if unknown:
        raise InputError(f"--also must be one of {', '.join(OPTIONAL)}; found {unknown[0]!r}.")
    return list(dict.fromkeys(names))


def _write(
    scored: "pd.DataFrame",
    chosen: "TextOptions",
    *,
    gaps: "PoolGaps",
    options: argparse.Namespace,
) -> None:
    if options.out is not None:
        tell_replaced(options.out)
        write_scores(scored, options.out)
        remark(f"written: {options.out}")
    if options.html is not None:
        from ocrjury.report.score_report import render_score_report, score_report

        read = options.hypothesis or options.reference
        title = Path(read).name or str(read)
        report = score_report(scored, title=title, options=chosen, left_out=gaps, by=options.by)
        page = render_score_report(report, language=options.language or DEFAULT)
        tell_replaced(options.html)
        write_whole(options.html, page)
        remark(f"written: {options.html}")


def read_pairs(options: argparse.Namespace) -> "pd.DataFrame":
    """Pool that the arguments name, each document with its reference."""
    if options.hypothesis is None:
        return _read(options, options.reference, form=options.format)
    if _is_table(options.hypothesis, options.format):
        return _two_tables(options)
    return _read(options, options.hypothesis, reference=options.reference, form=options.format)


def _is_table(path: str, form: str | None) -> bool:
    from ocrjury.readers.detection import detect_format
    from ocrjury.readers.file_sets import find_files

    files = find_files(path)
    return files.single and (checked_format(form) or detect_format(files.files[0])) in TABLES


def _two_tables(options: argparse.Namespace) -> "pd.DataFrame":
    """Rows of one table with the references of another, joined by doc_id in one form (NFC)."""
    import pandas as pd

    if not _is_table(options.reference, None):
        raise InputError(
            f"{options.hypothesis} is a table and {options.reference} is none; compare two tables, "
            "or files and folders of OCR output."
        )
    read = _read(options, options.hypothesis, form=options.format)
    right = _read(options, options.reference, references=True)
    texts = right["hypothesis"] if right["reference"].isna().all() else right["reference"]
    exact = dict(zip(right["doc_id"], texts, strict=True))
    by_id = {composed(doc_id): text for doc_id, text in exact.items()} | exact
    ids = dict.fromkeys(map(composed, read["doc_id"]))
    check_common_ids(ids, by_id, names=f"{options.hypothesis} and {options.reference}")
    matched = [by_id.get(doc_id, by_id.get(composed(doc_id))) for doc_id in read["doc_id"]]
    joined = read.assign(reference=pd.Series(matched, index=read.index, dtype="str"))
    joined.attrs.update(read.attrs)
    lonely = [
        *(
            (options.hypothesis, phrase("doc_id {name}: no reference", name=repr(doc_id)))
            for doc_id in read["doc_id"]
            if composed(doc_id) not in by_id
        ),
        *(
            (options.reference, phrase("doc_id {name}: a reference only", name=repr(doc_id)))
            for doc_id in exact
            if composed(doc_id) not in ids
        ),
    ]
    joined.attrs["n_unmatched"] = len(lonely)
    joined.attrs["n_without_output"] = sum(composed(doc_id) not in ids for doc_id in exact)
    joined.attrs["unmatched"] = [
        {"path": str(path), "reason": reason} for path, reason in lonely[:1000]
    ]
    joined.attrs["n_quarantined"] += right.attrs["n_quarantined"]
    joined.attrs["quarantine"] = [*read.attrs["quarantine"], *right.attrs["quarantine"]]
    return joined


def _read(
    options: argparse.Namespace,
    path: str,
    *,
    reference: str | None = None,
    form: Format | None = None,
    references: bool = False,
) -> "pd.DataFrame":
    """One pool; what cannot be read is left out and noted in ``.attrs``."""
    from ocrjury.readers import iter_pool

    batches = iter_pool(
        path,
        unit=options.unit,
        format=form,
        reference=reference,
        encoding=options.encoding,
        references=references,
    )
    frames: list[pd.DataFrame] = []
    with waiting(f"Reading {path}") as line, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # what was guessed is printed at the end
        for frame in batches:
            frames.append(frame)
            if len(frames) > 1:  # the first batch of a large pool, or all of a small one
                line.update(f"Reading {path}", detail=_so_far(frames, batches))
    return _together(frames, batches)


def _so_far(frames: "list[pd.DataFrame]", batches: "PoolBatches") -> str:
    share = batches.share
    tail = "" if share is None else f", {share:.0%}"
    return f"{sum(map(len, frames)):,} outputs{tail}"


def _together(frames: "list[pd.DataFrame]", batches: "PoolBatches") -> "pd.DataFrame":
    import pandas as pd

    for frame in frames:
        frame.attrs = {}
    pool = frames[0] if len(frames) == 1 else pd.concat(frames, ignore_index=True)
    pool.attrs.update(batches.attrs)
    return pool
