"""An evaluation as a folder: six tables, each as CSV and Parquet, and one JSON file."""

import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, Final

from ocrjury.evaluation.case import Case, Work
from ocrjury.evaluation.exported_ratings import exported_ratings
from ocrjury.export.cells import Filled, csv_of, fill, parquet_of
from ocrjury.export.estimate_rows import estimate_rows
from ocrjury.export.folder import check_folder, write_folder
from ocrjury.export.item_rows import document_rows, label_rows
from ocrjury.export.measured_rows import (
    agreement_rows,
    bias_rows,
    gain_rows,
    label_share_rows,
    rank_rows,
)
from ocrjury.export.schema import SCHEMA_FILE, evaluation_schema
from ocrjury.export.summary import headline_reason, kind_of, summary_of
from ocrjury.export.tables import (
    AGREEMENT,
    BIAS,
    DOCUMENTS,
    ESTIMATES,
    LABELS,
    RATINGS,
    TABLES,
)
from ocrjury.ratings.dimension_tables import are_stretched
from ocrjury.report.sections.gate import gate_verdict
from ocrjury.report.stored_evaluation import Stored, read_stored
from ocrjury.report_choices import ReportKind

EVALUATION_FILE: Final = "evaluation.json"
PARQUET: Final = ".parquet"
FILES: Final = (
    *(f"{table.name}.{suffix}" for table in TABLES for suffix in ("csv", "parquet")),
    SCHEMA_FILE,
    EVALUATION_FILE,
)
"""Names of all files of an export."""
_UNSEEN = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Characters that a reader of JSON would not see, or would see in the wrong place."""


def write_export(
    case: Case, folder: Path, *, first: Callable[[], object] = lambda: None
) -> dict[str, bytes]:
    """Write the export of an evaluation that was judged; return its files by name.

    Parameters
    ----------
    first
        What is done before a file is written, and after all was read.

    Raises
    ------
    StateError
        If the evaluation was not judged yet.
    InputError
        If the folder holds anything else than an export.
    """
    check_folder(folder, names=FILES, mark=SCHEMA_FILE)
    bodies = export_files(case)
    first()
    write_folder(folder, bodies, mark=SCHEMA_FILE, last=EVALUATION_FILE)
    return bodies


def export_files(case: Case) -> dict[str, bytes]:
    """Files of an export by name; the same evaluation gives the same bytes."""
    kind = kind_of(case.row.state, case.row.held_from)
    return _files(case, read_stored(case.work.store, case.name, final=kind == "final"), kind)


def attached_files(work: Work, stored: Stored, kind: ReportKind) -> dict[str, bytes]:
    """Files of an export that a report has attached: those that people read without a program."""
    bodies = _files(work.case(stored.row.evaluation), stored, kind)
    return {name: body for name, body in bodies.items() if not name.endswith(PARQUET)}


def _files(case: Case, stored: Stored, kind: ReportKind) -> dict[str, bytes]:
    """Files of an export, from what the report is made of."""
    verdict = gate_verdict(stored)
    ratings = exported_ratings(case)
    agreement = stored.by_dimension(stored.agreement)
    tables = (
        fill(RATINGS, (dict(zip(ratings.columns, row, strict=True)) for row in ratings.rows)),
        fill(LABELS, label_rows(stored)),
        fill(
            AGREEMENT,
            chain(
                agreement_rows(agreement),
                label_share_rows(stored.newest_truths),
                rank_rows(stored.by_dimension(stored.rank_correlations)),
                gain_rows(stored.bias),
            ),
        ),
        fill(ESTIMATES, estimate_rows(stored, verdict)),
        fill(BIAS, bias_rows(stored.bias, stretched=are_stretched(case.campaign.rubric.scales))),
        fill(DOCUMENTS, document_rows(stored)),
    )
    bodies: dict[str, bytes] = {}
    described = {filled.table.name: _described(filled, bodies) for filled in tables}
    rows = {filled.table.name: filled.to_json() for filled in tables[2:5]}
    headline = next((row for row in rows[ESTIMATES.name] if row["headline"]), None)
    reason = None if headline else headline_reason(stored, verdict, kind=kind)
    body = {
        **summary_of(stored, verdict, kind=kind),
        "headline": headline,
        "headline_reason": reason,
        "tables": described,
        **rows,
    }
    bodies[SCHEMA_FILE] = _json(evaluation_schema())
    bodies[EVALUATION_FILE] = _json(body)
    return bodies


def _described(filled: Filled, bodies: dict[str, bytes]) -> dict[str, Any]:
    """Entry of a table in ``evaluation.json``; adds its files to the bodies."""
    name = filled.table.name
    files = {"csv": csv_of(filled), "parquet": parquet_of(filled)}
    bodies |= {f"{name}.{suffix}": body for suffix, body in files.items()}
    return {
        "row": filled.table.row,
        "rows": len(filled.rows),
        "columns": [column.name for column in filled.columns],
        **{suffix: f"{name}.{suffix}" for suffix in files},
        **{f"{suffix}_sha256": sha256(body).hexdigest() for suffix, body in files.items()},
    }


def _json(body: Mapping[str, Any]) -> bytes:
    """Strict JSON for people and programs, in which no character acts unseen."""
    plain = json.dumps(body, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", plain).encode()
