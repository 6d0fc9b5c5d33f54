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
from ocrjury.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.cli.declaring import Commands
    from ocrjury.text import TextOptions

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
SHOWN = (
    *("cer", "cer_nospace", "wer", "ned", "nacc", "bleu"),
    *("char_precision", "char_recall", "char_f1", "exact_match"),
)
BATCH = 2000


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

    _check_out(options.out)
    chosen = TextOptions.preset(options.options)
    pool = read_source(options)
    if options.by is not None and options.by not in pool.columns:
        raise InputError(
            f"{options.file} has no column {options.by!r}; found {', '.join(pool.columns)}."
        )
    scored = _score(pool, chosen)
    _print_summary(scored, by=options.by)
    say()
    say(f"signature: {scored.attrs['signature']}")
    if options.out is not None:
        _write(scored, options.out)
        say(f"written: {options.out}")
    print_left_out(pool.attrs)
    return 0


def _score(pool: "pd.DataFrame", chosen: "TextOptions") -> "pd.DataFrame":
    """Return the pool with its scores, batch by batch."""
    import pandas as pd

    from ocrjury.cli.printing import progress
    from ocrjury.text import score_texts
    from ocrjury.text.metrics import METRICS, TOTALS

    names = [*METRICS, *TOTALS]
    parts = []
    with progress("Scoring", total=len(pool)) as tick:
        for start in range(0, max(len(pool), 1), BATCH):
            part = pool.iloc[start : start + BATCH]
            texts = (part["reference"].tolist(), part["hypothesis"].tolist())
            parts.append(score_texts(*texts, options=chosen, metrics=names))
            tick(len(part))
    scores = pd.concat(parts, ignore_index=True)
    scored = pd.concat([pool.reset_index(drop=True), scores], axis=1)
    scored.attrs = {"signature": chosen.signature(METRICS)}
    return scored


def _print_summary(scored: "pd.DataFrame", *, by: str | None) -> None:
    """Print one row for each metric, and each group if asked."""
    from ocrjury.cli.printing import Column, right, table
    from ocrjury.pages.numbers import NOTHING, decimal
    from ocrjury.text import summarize_scores

    clustered = scored["page_id"].duplicated().any()
    summary = summarize_scores(scored, by=by, cluster="page_id" if clustered else None)
    rows = []
    for one in summary[summary["metric"].isin(SHOWN)].to_dict(orient="records"):
        known = one["low"] == one["low"]
        ends = f"{decimal(one['low'], 3)} to {decimal(one['high'], 3)}" if known else NOTHING
        numbers = [decimal(one[name], 3) for name in ("micro", "macro", "median", "p95", "max")]
        group = [] if by is None else [str(one[by])]
        rows.append([*group, one["metric"], f"{one['n']:,}", *numbers, ends])
    heads: list[Column | str] = [] if by is None else [by]
    heads += ["metric", *right("n", "micro", "macro", "median", "p95", "max", "95 % interval")]
    table(heads, rows)
    _print_gaps(summary, clustered=bool(clustered))


def _print_gaps(summary: "pd.DataFrame", *, clustered: bool) -> None:
    """Print what the numbers leave out and what the interval is of."""
    from ocrjury.cli.printing import say
    from ocrjury.pages.numbers import plural

    cer = summary[summary["metric"] == "cer"]
    missing, empty = int(cer["n_missing"].sum()), int(cer["n_undefined"].sum())
    say()
    if missing:
        say(f"{plural(missing, 'document')} without a reference: not scored.")
    if empty:
        say(f"{plural(empty, 'document')} with an empty reference: CER and WER are undefined.")
    unit = "pages" if clustered else "documents"
    say(f"micro: all edits over all lengths; macro: mean over documents; interval over {unit}.")


def _check_out(path: Path | None) -> None:
    """Refuse a file that could not be written, before any work."""
    if path is None:
        return
    if path.suffix not in (".csv", ".parquet"):
        raise InputError(f"--out must end in .csv or .parquet; found {path.name!r}.")
    if not path.parent.is_dir():
        raise InputError(f"--out: the folder {path.parent} does not exist.")


def _write(scored: "pd.DataFrame", path: Path) -> None:
    """Write the scored pool."""
    if path.suffix == ".csv":
        scored.to_csv(path, index=False, encoding="utf-8-sig")
    else:
        scored.to_parquet(path, index=False)
