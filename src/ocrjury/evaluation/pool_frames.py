"""The pool of an evaluation, batch by batch, fit to be stored."""

import json
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pandas as pd

from ocrjury.campaign.config import Campaign
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.findings.measurement.pool_gaps import gaps_of
from ocrjury.findings.pool_scores import PoolGaps
from ocrjury.readers import PoolBatches, iter_pool
from ocrjury.readers.judge_columns import judge_columns, number_columns
from ocrjury.readers.masks import COLUMN as MASKS
from ocrjury.readers.masks import Box, masked_pages, read_masks
from ocrjury.scoring.batch_files import SCORES
from ocrjury.scoring.pool_run import BATCH_ROWS

MOST_LISTED = 100
"""Entries of each list of findings that are stored; the rest is counted."""


class PoolFrames:
    """One pass over the pool of a campaign, and what was left out on the way."""

    def __init__(self, case: Case) -> None:
        campaign = case.campaign
        self._campaign = campaign
        self._judged = dict.fromkeys([*campaign.pool.judged_columns, *campaign.pool.auxiliaries])
        self._columns: dict[str, None] = {}
        self._masks = masks_of(campaign)
        self._unmasked = set(self._masks)
        self._refuse_own_names()
        self._batches: PoolBatches = iter_pool(
            case.row.pool_uri,
            batch=BATCH_ROWS,
            format=campaign.pool.format,
            encoding=campaign.pool.encoding,
            reference=campaign.reference_location,
        )

    def __iter__(self) -> Iterator[pd.DataFrame]:
        """Yield the documents, with the scores of automatic judges as numbers."""
        frames = iter(self._batches)
        while True:
            with _guesses_kept():
                frame = next(frames, None)
            if frame is None:
                break
            self._columns |= dict.fromkeys(map(str, frame.columns))
            yield self._with_masks(self._with_judges(_storable(frame)))
        absent = [name for name in self._judged if name not in self._columns]
        if absent:
            # Refused in the words of the reader, which names every column that exists.
            self._judge_cells(pd.DataFrame(columns=list(self._columns)))
        self._refuse_unknown_pages()

    @property
    def share(self) -> float | None:
        """Share of the pool that was read, None before anything is known."""
        return self._batches.share

    @property
    def gaps(self) -> PoolGaps:
        """Documents left out and warnings, for the record; no text of a document."""
        return gaps_of(self._batches.attrs, most=MOST_LISTED)

    def _with_judges(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Documents with the scores of judges; a batch may lack a column that others have."""
        if not self._judged:
            return frame
        whole = frame.assign(**{n: None for n in self._judged if n not in frame})
        scores = self._judge_cells(whole)
        return whole.assign(**{str(name): scores[name] for name in scores})

    def _with_masks(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Documents with their masked areas, as JSON that a snapshot can hold."""
        self._unmasked -= {*frame["doc_id"], *frame["page_id"]}
        if MASKS not in frame and not self._masks:
            return frame
        areas = masked_pages(frame, self._masks)
        cells = [None if boxes is None else json.dumps(boxes) for boxes in areas]
        return frame.assign(**{MASKS: pd.Series(cells, index=frame.index, dtype="str")})

    def _refuse_unknown_pages(self) -> None:
        """Refuse a file of masks with a name that no page has: that page would be shown."""
        if self._unmasked and self._campaign.gold_pool_location is None:
            raise InputError(unknown_pages(self._campaign, sorted(self._unmasked)))

    def _judge_cells(self, frame: pd.DataFrame) -> pd.DataFrame:
        pool = self._campaign.pool
        scores = judge_columns(frame, pool.judges, scale=self._campaign.rubric.scales)
        others = [name for name in pool.auxiliaries if name not in scores]
        return scores.join(number_columns(frame, others))

    def _refuse_own_names(self) -> None:
        """Refuse a judge's column that this program fills itself."""
        pool = self._campaign.pool
        for key, names in (("judges", pool.judged_columns), ("auxiliaries", pool.auxiliaries)):
            taken = [name for name in names if name in SCORES]
            if taken:
                raise InputError(
                    f"pool.{key} names the column {', '.join(map(repr, taken))}, which this "
                    "program fills itself. Give the judge's column another name in the pool."
                )


def masks_of(campaign: Campaign) -> dict[str, tuple[Box, ...]]:
    """Boxes of the campaign's file of masks, empty without one."""
    return {} if campaign.masks_path is None else read_masks(campaign.masks_path)


def unknown_pages(campaign: Campaign, names: Sequence[str]) -> str:
    """Sentence on names in the file of masks that no page has."""
    shown = ", ".join(map(repr, names[:5]))
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return (
        f"{campaign.masks_path} masks {shown}{more}, which no page and no document of the pool is "
        "called. Fix the name, or remove the row."
    )


@contextmanager
def _guesses_kept() -> Iterator[None]:
    """Leave a reader's warnings to the findings, which have them too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def _storable(pool: pd.DataFrame) -> pd.DataFrame:
    """Pool with a replacement character for NUL, which PostgreSQL refuses in a text."""
    texts: pd.DataFrame = pool.select_dtypes("str")
    return pool.assign(**{str(n): texts[n].str.replace("\0", "\ufffd") for n in texts})
