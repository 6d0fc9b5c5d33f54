"""Scores as tables for people, and as JSON for programs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.text import TextOptions

CONFUSIONS, IN_JSON = 10, 200


def print_tables(
    scored: "pd.DataFrame", chosen: "TextOptions", *, left_out: Mapping[Any, Any], by: str | None
) -> None:
    """Print summary, most frequent confusions, confidence, and how it was made."""
    from ocrjury.cli.pool_contents import print_left_out
    from ocrjury.cli.printing import say
    from ocrjury.cli.score_summary import print_summary

    print_summary(scored, by=by)
    _print_edits(scored)
    _print_confusions(scored, chosen)
    _print_confidence(scored)
    say()
    say(f"signature: {scored.attrs['signature']}")
    say(f"options: {chosen.options_hash}")
    print_left_out(left_out)


def _print_edits(scored: "pd.DataFrame") -> None:
    """Print the sums of edits."""
    from ocrjury.cli.printing import say
    from ocrjury.pages.numbers import plural

    names = ("edit_distance", "substitutions", "insertions", "deletions", "n_ref_chars")
    total, replaced, added, missing, characters = (int(scored[name].sum()) for name in names)
    say(
        f"{plural(total, 'edit')} of {plural(characters, 'character')}: {replaced:,} replaced, "
        f"{added:,} added, {missing:,} missing."
    )


def _print_confusions(scored: "pd.DataFrame", chosen: "TextOptions") -> None:
    """Print the most frequent edits, if there are any."""
    from ocrjury.cli.printing import heading, right, table
    from ocrjury.pages.document_text import visible
    from ocrjury.pages.numbers import percent
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
    """Print how far confidence can be trusted, where there is any."""
    from ocrjury.cli.printing import say
    from ocrjury.pages.document_text import visible
    from ocrjury.pages.numbers import decimal, estimate_text, plural, value_text
    from ocrjury.text import confidence_reliability

    for system in confidence_reliability(scored):
        if not system.n:
            continue
        trust = f"area under the ROC curve {estimate_text(system.auroc)}"
        if system.n_right in (0, system.n):
            trust = f"all {plural(system.n, 'document')} {'right' if system.n_right else 'wrong'}"
        say()
        say(
            f"confidence of {visible(system.system)}: {trust}, calibration error "
            f"{value_text(system.calibration_error)}, rank correlation with CER "
            f"{decimal(system.rank_correlation.value)}."
        )


def print_json(
    scored: "pd.DataFrame", chosen: "TextOptions", *, left_out: Mapping[Any, Any], by: str | None
) -> None:
    """Print everything as one JSON object; what is undefined is null."""
    from ocrjury.cli.plain_values import json_text, rows_of
    from ocrjury.cli.printing import say
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
        "summary": rows_of(summarize_scores(scored, cluster=cluster)),
        "groups": [] if by is None else rows_of(summarize_scores(scored, by=by, cluster=cluster)),
        "confusions": rows_of(confusions.assign(example=[ids[n] for n in confusions["example"]])),
        "blocks": rows_of(error_rates_by_block(*texts, options=chosen)),
        "confidence": _confidence(scored),
        "documents": rows_of(scored.drop(columns=["reference", "hypothesis", "box"])),
        "left_out": {
            name: left_out[name] for name in ("quarantine", "unmatched", "skipped", "warnings")
        },
    }
    say(json_text(body))


def _confidence(scored: "pd.DataFrame") -> list[dict[str, Any]]:
    """Reliability of the confidence of every system, as plain values."""
    from ocrjury.cli.plain_values import rows_of
    from ocrjury.text import confidence_reliability

    return [
        {
            "system": system.system,
            "n": system.n,
            "n_without": system.n_without,
            "n_right": system.n_right,
            "auroc": system.auroc.to_json(),
            "calibration_error": system.calibration_error.to_json(),
            "rank_correlation": system.rank_correlation.to_json(),
            "curve": rows_of(system.curve),
        }
        for system in confidence_reliability(scored)
    ]


def _texts(scored: "pd.DataFrame") -> tuple[list[str | None], list[str]]:
    """References, None where there is none, and hypotheses."""
    references = [text if isinstance(text, str) else None for text in scored["reference"]]
    return references, scored["hypothesis"].tolist()
