"""One batch of a pool: read from a file, scored, written to another.

Both are Parquet, and a batch's file is named by its content, by how texts are compared and by the
version of this program, so that a file that is there need not be made again. A file is whole or
absent, whatever happens to the process that writes it.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ocrjury.text.metrics import METRICS, TOTALS
from ocrjury.text.options import TextOptions
from ocrjury.text.scoring import score_texts
from ocrjury.whole_files import whole_file

SCORES = (*METRICS, *TOTALS)
"""Columns that every scored pool has; `ocrjury.text.summarize_scores` needs the totals."""

_UNSCORED = b"ocrjury.unscored"
# What a text that no metric expects may raise; InputError is a ValueError.
_FAILURES = (ValueError, ArithmeticError, LookupError, MemoryError, TypeError)


class Unscored(NamedTuple):
    """A document whose metrics could not be computed, and why; never its text."""

    doc_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class BatchJob:
    """A batch to be scored: file it is in, file its scores go to, and how texts are compared."""

    number: int
    rows: int
    source: str
    target: str
    options: TextOptions


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """Outcome of a batch.

    ``error`` says why the whole batch has no scores: the process that had it died.
    """

    number: int
    rows: int
    unscored: tuple[Unscored, ...] = ()
    error: str | None = None


def score_batch(job: BatchJob) -> BatchOutcome:
    """Score the batch of a file and write it, with its scores, to another file.

    A document whose metrics cannot be computed has none, and is named in the outcome.
    """
    frame = pd.read_parquet(job.source)
    scores, unscored = _scores(frame, job.options)
    write_frame(_joined(frame, scores), Path(job.target), unscored)
    return BatchOutcome(job.number, job.rows, unscored)


def without_scores(job: BatchJob, target: Path) -> None:
    """Write a batch whose scores are all missing."""
    frame = pd.read_parquet(job.source)
    scores = pd.DataFrame(np.nan, index=frame.index, columns=list(SCORES))
    write_frame(_joined(frame, scores), target)


def kept_outcome(number: int, path: Path) -> BatchOutcome | None:
    """Outcome of a batch that was scored before; None if its file is not there, or is damaged."""
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError):
        return None
    noted = json.loads((table.schema.metadata or {}).get(_UNSCORED, b"[]"))
    return BatchOutcome(number, table.num_rows, tuple(Unscored(*entry) for entry in noted))


def write_frame(frame: pd.DataFrame, path: Path, unscored: Sequence[Unscored] = ()) -> None:
    """Write a frame completely or not at all."""
    frame.attrs = {}
    table = pa.Table.from_pandas(frame, preserve_index=False)
    noted = {_UNSCORED: json.dumps(unscored, ensure_ascii=False).encode()} if unscored else {}
    table = table.replace_schema_metadata({**(table.schema.metadata or {}), **noted})
    with whole_file(path) as part:
        pq.write_table(table, part)


def _joined(frame: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Documents with their scores, which replace any scores in the pool."""
    own = frame.drop(columns=[name for name in scores if name in frame])
    return pd.concat([own, scores], axis=1)


def _scores(frame: pd.DataFrame, options: TextOptions) -> tuple[pd.DataFrame, tuple[Unscored, ...]]:
    """Scores of all documents, and the documents that could not be scored."""
    references = [None if pd.isna(text) else text for text in frame["reference"]]
    hypotheses = frame["hypothesis"].tolist()
    values = np.full((len(frame), len(SCORES)), np.nan)
    unscored = []
    for start, stop, scores in _halving(references, hypotheses, options):
        if isinstance(scores, str):  # the reason why there are none
            unscored.append(Unscored(str(frame["doc_id"].iloc[start]), scores))
        else:
            values[start:stop] = scores.to_numpy()
    return pd.DataFrame(values, columns=list(SCORES)), tuple(unscored)


def _halving(
    references: list[str | None], hypotheses: list[str], options: TextOptions, *, start: int = 0
) -> Iterator[tuple[int, int, pd.DataFrame | str]]:
    """Yield scores of stretches, in halves where a whole fails; of a single one, why it fails."""
    stop = start + len(references)
    try:
        scores = score_texts(references, hypotheses, options=options, metrics=SCORES)
    except _FAILURES as error:
        if len(references) == 1:
            yield start, stop, f"{type(error).__name__}"
            return
    else:
        yield start, stop, scores
        return
    half = len(references) // 2
    yield from _halving(references[:half], hypotheses[:half], options, start=start)
    yield from _halving(references[half:], hypotheses[half:], options, start=start + half)
