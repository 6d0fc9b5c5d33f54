"""The summary of a scored pool as a table, and its scores as a file."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.text import TextOptions

BATCH = 2000
SHOWN = (
    *("cer", "cer_nospace", "cer_normalized", "wer", "wer_bag", "wer_uax29", "ned", "nacc"),
    *("bleu", "char_precision", "char_recall", "char_f1", "exact_match"),
)


def print_summary(scored: "pd.DataFrame", *, by: str | None) -> None:
    """Print one row for each metric, and each group if asked."""
    from ocrjury.cli.printing import Column, right, table
    from ocrjury.pages.numbers import NOTHING, decimal
    from ocrjury.text import summarize_scores

    clustered = scored["page_id"].duplicated().any()
    summary = summarize_scores(scored, by=by, cluster="page_id" if clustered else None)
    rows = []
    place = summary["metric"].map({name: place for place, name in enumerate(SHOWN)})
    shown = summary.assign(_place=place).dropna(subset="_place")
    if by is None:
        shown = shown.sort_values("_place")
    for row in shown.to_dict(orient="records"):
        known = row["low"] == row["low"]
        ends = f"{decimal(row['low'], 3)} to {decimal(row['high'], 3)}" if known else NOTHING
        numbers = [decimal(row[name], 3) for name in ("micro", "macro", "median", "p95", "max")]
        group = [] if by is None else [_group_name(row[by])]
        rows.append([*group, row["metric"], f"{row['n']:,}", *numbers, ends])
    heads: list[Column | str] = [] if by is None else [by]
    heads += ["metric", *right("n", "micro", "macro", "median", "p95", "max", "95 % interval")]
    table(heads, rows)
    _print_gaps(summary, clustered=bool(clustered))


def _group_name(value: object) -> str:
    """Name of a group in print; documents may have none."""
    import pandas as pd

    return "(none)" if pd.isna(value) else str(value)  # type: ignore[call-overload]  # any scalar


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


def check_out(path: Path | None) -> None:
    """Refuse a file that could not be written, before any work."""
    if path is None:
        return
    if path.suffix not in (".csv", ".parquet"):
        raise InputError(f"--out must end in .csv or .parquet; found {path.name!r}.")
    if not path.parent.is_dir():
        raise InputError(f"--out: the folder {path.parent} does not exist.")


def write_scores(scored: "pd.DataFrame", path: Path) -> None:
    """Write the scored pool."""
    if path.suffix == ".csv":
        scored.to_csv(path, index=False, encoding="utf-8-sig")
    else:
        scored.to_parquet(path, index=False)


def score_pool(
    pool: "pd.DataFrame", chosen: "TextOptions", *, also: Sequence[str] = ()
) -> "pd.DataFrame":
    """Pool with its scores, batch by batch."""
    import pandas as pd

    from ocrjury.cli.printing import progress
    from ocrjury.text import score_texts
    from ocrjury.text.metrics import METRICS, OPTIONAL_TOTALS, TOTALS

    names = [*METRICS, *also, *TOTALS, *(OPTIONAL_TOTALS if also else ())]
    parts = []
    with progress("Scoring", total=len(pool)) as tick:
        for start in range(0, len(pool), BATCH):
            part = pool.iloc[start : start + BATCH]
            texts = (part["reference"].tolist(), part["hypothesis"].tolist())
            parts.append(score_texts(*texts, options=chosen, metrics=names))
            tick(len(part))
    scores = pd.concat(parts, ignore_index=True)
    own = pool.drop(columns=[name for name in scores if name in pool]).reset_index(drop=True)
    scored = pd.concat([own, scores], axis=1)
    scored.attrs = {"signature": chosen.signature([*METRICS, *also])}
    return scored
