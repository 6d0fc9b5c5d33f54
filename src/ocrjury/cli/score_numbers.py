"""Scores of a pool, as tables for people, as JSON and files for programs."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from ocrjury.cli.printing import Column, heading, progress, right, say, say_json, table
from ocrjury.evaluation.frames import records
from ocrjury.pages.numbers import NOTHING, decimal, estimate_text, percent, plural, value_text
from ocrjury.ratings.csv_tables import write_table
from ocrjury.whole_files import whole_file, whole_text

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.text import ConfidenceReliability, TextOptions
    from ocrjury.text.alignment import Units


CONFUSIONS, IN_JSON = 10, 200
BATCH = 2000


def print_tables(
    scored: "pd.DataFrame",
    chosen: "TextOptions",
    *,
    by: str | None,
    align: "Units | None" = None,
) -> None:
    """Print summary, confusions, confidence, the texts that differ if asked, how it was made."""
    print_summary(scored, by=by)
    _print_edits(scored)
    _print_confusions(scored, chosen)
    _print_confidence(scored)
    if align is not None:
        _print_alignments(scored, chosen, align)
    say()
    say(f"signature: {scored.attrs['signature']}")
    say(f"options: {chosen.options_hash}")


def _print_edits(scored: "pd.DataFrame") -> None:
    names = ("edit_distance", "substitutions", "insertions", "deletions", "n_ref_chars")
    total, replaced, added, missing, characters = (int(scored[name].sum()) for name in names)
    say(
        f"{plural(total, 'edit')} of {plural(characters, 'character')}: {replaced:,} replaced, "
        f"{added:,} added, {missing:,} missing."
    )


def _print_confusions(scored: "pd.DataFrame", chosen: "TextOptions") -> None:
    from ocrjury.pages.document_text import visible
    from ocrjury.text import confusion_table

    confusions = confusion_table(*_texts(scored), options=chosen).head(CONFUSIONS)
    if confusions.empty:
        return

    def sign(text: str) -> str:
        return {"": "(nothing)", " ": "(space)"}.get(text, visible(text))

    ids = scored["doc_id"].tolist()
    heading("what is read as what:")
    table(
        ["reference", "OCR", *right("times", "share"), "for example"],
        [
            [
                sign(row["reference"]),
                sign(row["hypothesis"]),
                f"{row['count']:,}",
                percent(row["share"]),
                visible(ids[row["example"]]),
            ]
            for row in confusions.to_dict("records")
        ],
    )


def _print_confidence(scored: "pd.DataFrame") -> None:
    from ocrjury.pages.document_text import visible
    from ocrjury.readers.pool_frame import NAMELESS
    from ocrjury.text import confidence_reliability

    systems = confidence_reliability(scored)
    nameless = [system.system for system in systems] == [NAMELESS]
    for system in systems:
        if not system.n:
            continue
        of = "" if nameless else f" of {visible(system.system)}"
        say()
        say(
            f"confidence{of}: {_trust(system)}, rank correlation with CER "
            f"{decimal(system.rank_correlation.value)}."
        )


def _trust(system: "ConfidenceReliability") -> str:
    """Sentence on how well a confidence separates right from wrong, and on its calibration."""
    error = f"calibration error {value_text(system.calibration_error)}"
    if system.of_characters:
        return (
            f"{decimal(system.stated)} on average, of the characters {percent(system.accuracy)} "
            f"are right (mean over outputs), {error} against right characters"
        )
    if system.n_right in (0, system.n):
        right = "right" if system.n_right else "wrong"
        return f"all {plural(system.n, 'output')} {right}, {error}"
    return f"area under the ROC curve {estimate_text(system.auroc)}, {error}"


def _print_alignments(scored: "pd.DataFrame", chosen: "TextOptions", units: "Units") -> None:
    """Print every document whose texts differ, one above the other, broken on a terminal only."""
    from ocrjury.pages.document_text import visible
    from ocrjury.text import render_alignment

    width = max(get_terminal_size().columns, 20) if sys.stdout.isatty() else None
    differing = scored[scored["edit_distance"] > 0]
    texts = zip(*(differing[name] for name in ("doc_id", "reference", "hypothesis")), strict=True)
    for doc_id, *pair in texts:
        heading(visible(doc_id))
        say(render_alignment(*pair, units=units, width=width, options=chosen))


def print_json(
    scored: "pd.DataFrame", chosen: "TextOptions", *, left_out: Mapping[Any, Any], by: str | None
) -> None:
    """Print everything as one JSON object; what is undefined is null."""
    from ocrjury.text import (
        confusion_table,
        error_rates_by_block,
        summarize_scores,
    )

    cluster = "page_id" if scored["page_id"].duplicated().any() else None
    texts = _texts(scored)
    ids = scored["doc_id"].tolist()
    confusions = confusion_table(*texts, options=chosen).head(IN_JSON)
    body = {
        "signature": scored.attrs["signature"],
        "options": chosen.to_json(),
        "options_hash": chosen.options_hash,
        "interval_over": cluster or "doc_id",
        "summary": records(summarize_scores(scored, cluster=cluster)),
        "groups": [] if by is None else records(summarize_scores(scored, by=by, cluster=cluster)),
        "confusions": records(confusions.assign(example=[ids[n] for n in confusions["example"]])),
        "blocks": records(error_rates_by_block(*texts, options=chosen)),
        "confidence": _confidence(scored),
        "documents": records(scored.drop(columns=["reference", "hypothesis", "box"])),
        "left_out": {
            name: left_out[name]
            for name in ("quarantine", "unmatched", "skipped", "as_pages", "pairing", "warnings")
        },
    }
    say_json(body)


def _confidence(scored: "pd.DataFrame") -> list[dict[str, Any]]:
    from ocrjury.text import confidence_reliability

    return [
        {
            "system": system.system,
            "n": system.n,
            "n_without": system.n_without,
            "calibrated_against": "characters" if system.of_characters else "texts",
            "n_right": system.n_right,
            "auroc": system.auroc.to_json(),
            "calibration_error": system.calibration_error.to_json(),
            "rank_correlation": system.rank_correlation.to_json(),
            "curve": records(system.curve),
        }
        for system in confidence_reliability(scored)
    ]


def _texts(scored: "pd.DataFrame") -> tuple[list[str | None], list[str]]:
    references = [text if isinstance(text, str) else None for text in scored["reference"]]
    return references, scored["hypothesis"].tolist()


def print_summary(scored: "pd.DataFrame", *, by: str | None) -> None:
    """Print one row for each metric, and each group if asked."""
    from ocrjury.metrics import shown_metrics
    from ocrjury.pages.pool_ranges import long_texts_text
    from ocrjury.text import summarize_scores
    from ocrjury.text.confidences import has_long_texts

    long = has_long_texts(scored)
    clustered = scored["page_id"].duplicated().any()
    summary = summarize_scores(scored, by=by, cluster="page_id" if clustered else None)
    rows = []
    places = {name: place for place, name in enumerate(shown_metrics(long=long))}
    shown = summary.assign(_place=summary["metric"].map(places)).dropna(subset="_place")
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
    if long:
        say(long_texts_text(float(scored["n_ref_chars"].median())))


def _group_name(value: object) -> str:
    """Name of a group in print; documents may have none."""
    import pandas as pd

    return "(none)" if pd.isna(value) else str(value)  # type: ignore[call-overload]  # any scalar


def _print_gaps(summary: "pd.DataFrame", *, clustered: bool) -> None:
    """Print what the numbers leave out and what the interval is of."""
    cer = summary[summary["metric"] == "cer"]
    missing, empty = int(cer["n_missing"].sum()), int(cer["n_undefined"].sum())
    say()
    if missing:
        say(f"{plural(missing, 'output')} without a reference: not scored.")
    if empty:
        say(f"{plural(empty, 'output')} with an empty reference: CER and WER are undefined.")
    unit = "pages" if clustered else "outputs"
    say(f"micro: all edits over all lengths; macro: mean over outputs; interval over {unit}.")


def write_scores(scored: "pd.DataFrame", path: Path) -> None:
    """Write the scored pool."""
    if path.suffix == ".csv":
        cells = scored.astype(object).where(scored.notna(), None)
        with whole_text(path, encoding="utf-8-sig") as file:
            write_table(file, scored.columns, cells.itertuples(index=False, name=None))
    else:
        with whole_file(path) as part:
            scored.to_parquet(part, index=False)


def score_pool(
    pool: "pd.DataFrame", chosen: "TextOptions", *, also: Sequence[str] = ()
) -> "pd.DataFrame":
    """Pool with its scores, batch by batch."""
    import pandas as pd

    from ocrjury.text import score_texts
    from ocrjury.text.metrics import METRICS, OPTIONAL_TOTALS, TOTALS
    from ocrjury.text.scoring import any_too_long

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
    signature = chosen.signature([*METRICS, *also], too_long=any_too_long(scores))
    scored.attrs = {"signature": signature}
    return scored
