"""Scoring of a whole pool: its batches are scored by an engine, and their files joined.

Engines score batches serially or in parallel, with the same result: every batch is scored by the
same function from the same file.
"""

import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ocrjury import __version__
from ocrjury.scoring.batch_files import (
    BatchJob,
    BatchOutcome,
    Unscored,
    kept_outcome,
    score_batch,
    without_scores,
)
from ocrjury.scoring.joining import join_batches
from ocrjury.text.options import TextOptions
from ocrjury.whole_files import write_whole

BATCH_ROWS = 20_000
"""Documents of a batch: about a second of work, so that fifty batches hold a million fields."""

MOST_NAMED = 100
"""Documents without scores that a record names; further ones are only counted."""

Engine = Callable[[Iterator[BatchJob]], Iterator[BatchOutcome]]


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of scoring: documents and batches done, and batches that were there before.

    ``total`` is how many documents there are, about, while not all are read; None where nobody
    knows.
    """

    rows: int = 0
    batches: int = 0
    kept: int = 0
    total: int | None = None


@dataclass(frozen=True, slots=True)
class ScoredPool:
    """A scored pool as a file, and what was not scored.

    Attributes
    ----------
    path
        A Parquet file: the columns of the pool, then `ocrjury.scoring.batch_files.SCORES`.
    rows, batches, kept
        Documents, batches, and batches that an earlier run had finished.
    unscored
        Documents without scores though they have a reference, a hundred at most.
    n_unscored
        How many there are.
    """

    path: Path
    rows: int
    batches: int
    kept: int
    unscored: tuple[Unscored, ...]
    n_unscored: int


def score_one_by_one(jobs: Iterator[BatchJob]) -> Iterator[BatchOutcome]:
    """Yield the outcome of each batch, scored in this process."""
    return map(score_batch, jobs)


Tick = Callable[[Progress], None]


def score_pool_in_batches(
    frames: Iterable[pd.DataFrame],
    target: Path,
    *,
    folder: Path,
    options: TextOptions,
    engine: Engine = score_one_by_one,
    tick: Tick = lambda _: None,
    share: Callable[[], float | None] = lambda: None,
) -> ScoredPool:
    """Pool scored and written to one Parquet file, in the memory of a few batches.

    Parameters
    ----------
    frames
        Batches of a pool as `ocrjury.readers.iter_pool` yields them, none empty.
    target
        File to write. The same batches give the same bytes with any engine.
    folder
        Where batches lie; to be removed once the scored pool is safe. A run that was killed finds
        there what it had finished, and does not score it again. Every process that scores must
        reach it.
    engine
        Takes batches and yields their outcomes in any order.
    tick
        Called after every batch.
    share
        Returns how much of the pool was read so far, 0 to 1, as `PoolBatches.share` does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    run = _Run(folder, options, share)
    for outcome in engine(run.jobs(frames)):
        run.note(outcome)
        tick(run.progress)
    tick(run.progress)
    parts, lost = run.parts()
    rows = join_batches(parts, target)
    unscored = [entry for number in sorted(run.unscored) for entry in run.unscored[number]]
    return ScoredPool(
        path=target,
        rows=rows,
        batches=len(parts),
        kept=run.kept,
        unscored=tuple(unscored[:MOST_NAMED]),
        n_unscored=len(unscored) + lost,
    )


class _Run:
    """The batches of one run, by number."""

    def __init__(
        self, folder: Path, options: TextOptions, share: Callable[[], float | None]
    ) -> None:
        self._folder = folder
        self._share = share
        self._options = options
        self._jobs: dict[int, BatchJob] = {}
        self._failed: dict[int, str] = {}
        self._done: set[int] = set()
        self._rows = self._read = 0
        self.kept = 0
        self.unscored: dict[int, tuple[Unscored, ...]] = {}

    @property
    def progress(self) -> Progress:
        """Progress of the run."""
        share = self._share()
        total = round(self._read / share) if share else None
        return Progress(self._rows, len(self._done), self.kept, total)

    def jobs(self, frames: Iterable[pd.DataFrame]) -> Iterator[BatchJob]:
        """Write batches to files and yield those that have no scores yet."""
        for number, frame in enumerate(frames):
            self._read += len(frame)
            body = _parquet(frame)
            name = f"{number:06d}-{_digest(body, self._options)}.parquet"
            source, target = self._folder / f"read-{name}", self._folder / f"scored-{name}"
            job = BatchJob(number, len(frame), str(source), str(target), self._options)
            self._jobs[number] = job
            kept = kept_outcome(number, target)
            if kept is not None:
                self.kept += 1
                self.note(kept)
                continue
            write_whole(source, body)
            yield job

    def note(self, outcome: BatchOutcome) -> None:
        """Note what became of a batch."""
        self._done.add(outcome.number)
        self._rows += outcome.rows
        if outcome.error is not None:
            self._failed[outcome.number] = outcome.error
            return
        Path(self._jobs[outcome.number].source).unlink(missing_ok=True)
        if outcome.unscored:
            self.unscored[outcome.number] = outcome.unscored

    def parts(self) -> tuple[list[Path], int]:
        """File of every batch in order, and how many documents lost their scores."""
        parts, lost = [], 0
        for number in sorted(self._jobs):
            job = self._jobs[number]
            path = Path(job.target)
            if number in self._failed or not path.exists():
                path = self._folder / f"failed-{path.name}"
                without_scores(job, path)
                self.unscored[number] = (Unscored("", self._failed.get(number, "lost")),)
                lost += job.rows - 1
            parts.append(path)
        return parts, lost


def _parquet(frame: pd.DataFrame) -> bytes:
    """Batch as the bytes of a file."""
    frame.attrs = {}
    body = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), body)
    return body.getvalue()


def _digest(body: bytes, options: TextOptions) -> str:
    """Name for a batch that is scored in this way by this version."""
    how = json.dumps([options.options_hash, __version__])
    return hashlib.sha256(how.encode() + body).hexdigest()[:32]
