"""An evaluation as later ones are compared with it, without its pool as far as results hold it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from ocrjury.campaign.content_hashes import content_hash
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.pool_outputs import outputs_of
from ocrjury.evaluation.rated_sample import KnownSample, Sample, known_sample, sample_frame
from ocrjury.findings.comparable_pool import (
    COMPARABLE,
    Comparable,
    Fingerprints,
    KeptSample,
    KeptScores,
)
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.store.results import Finding, latest_findings, result_dimensions, result_time

Draws = tuple[int, str]
"""Identity of random numbers: a seed, and the unit to which they belong."""


class JudgedSample(NamedTuple):
    """Scores of a judge by item, and the sample of the documents that it scored."""

    scores: "pd.Series[float]"
    sample: KnownSample


@dataclass(frozen=True)
class ComparedEvaluation:
    """An evaluation with what comparisons need of it; its pool is read only where nothing is kept.

    Nothing is kept of a rehearsal, nor before the first estimate.
    """

    case: Case

    @property
    def name(self) -> str:
        """Evaluation's name."""
        return self.case.name

    @cached_property
    def pool(self) -> pd.DataFrame:
        """Scored pool."""
        return self.case.pool()

    @cached_property
    def kept(self) -> Comparable | None:
        """Stored findings that later evaluations compare with."""
        engine = self.case.work.engine
        return latest_findings(engine, self.name, Comparable, kind=COMPARABLE).get(ALL_DIMENSIONS)

    @cached_property
    def estimated(self) -> set[str]:
        """Dimensions with an estimate."""
        return result_dimensions(self.case.work.engine, self.name, "estimate")

    @cached_property
    def fingerprints(self) -> Fingerprints:
        """Hashes of what was judged."""
        if self.kept is None:
            return fingerprints(self.case)
        return Fingerprints(self.case.row.pool_hash, self.kept.outputs, self.kept.given)

    @property
    def draws(self) -> Draws:
        """Identity of the random numbers of its draws."""
        return self.case.row.seed, self.case.campaign.rounds.page.systems

    def sample(self, dimension: str) -> KnownSample:
        """Sample as it counts on a dimension."""
        if self.kept is None or dimension not in self.kept.sample_of:
            return known_sample(self.case, self.pool, dimension)
        return _restored(self.case, self.kept.samples[self.kept.sample_of[dimension]])

    def judged(self, dimension: str, judge: str) -> JudgedSample | None:
        """Kept scores of a judge; None where it scored no rated document, or nothing is kept."""
        judged = None if self.kept is None else self.kept.judged.get(dimension, {}).get(judge)
        if judged is None:
            return None
        return JudgedSample(
            pd.Series(judged.scores, dtype=float), _restored(self.case, judged.sample)
        )

    @cached_property
    def estimated_at(self) -> datetime | None:
        """Time of the newest estimate."""
        return result_time(self.case.work.engine, self.name, "estimate")

    def findings(self, record: type[Finding], *, kind: str) -> dict[str, Finding]:
        """Newest findings of a kind by dimension."""
        return latest_findings(self.case.work.engine, self.name, record, kind=kind)


def fingerprints(case: Case) -> Fingerprints:
    """Hashes of what an evaluation judged, as it stands now."""
    return Fingerprints(case.row.pool_hash, outputs_of(case), ratings_given(case))


def ratings_given(case: Case) -> str:
    """Hash of who gave which document what in first passes."""
    columns = ["item", "rater", "dimension", "rating"]
    given = {*case.first_pass[columns].itertuples(index=False, name=None)}
    return content_hash(sorted([*map(str, who), float(value)] for *who, value in given))


def comparable(
    case: Case,
    samples: Mapping[str, Sample | KnownSample],
    judged: Mapping[str, Mapping[str, JudgedSample]],
) -> Comparable:
    """Collect what later evaluations need for a comparison; equal samples are kept once."""
    different: list[KeptSample] = []
    place: dict[str, int] = {}
    for dimension, sample in samples.items():
        kept = _kept(sample)
        if kept not in different:
            different.append(kept)
        place[dimension] = different.index(kept)
    return Comparable(
        given=ratings_given(case),
        samples=tuple(different),
        sample_of=place,
        outputs=outputs_of(case),
        judged={
            dimension: {judge: _kept_scores(case, item) for judge, item in of.items()}
            for dimension, of in judged.items()
        },
    )


def _kept_scores(case: Case, judged: JudgedSample) -> KeptScores:
    items = [item.item for item in case.items if item.item in judged.scores.index]
    scores = judged.scores[items].tolist()
    return KeptScores(scores=dict(zip(items, scores, strict=True)), sample=_kept(judged.sample))


def _kept(sample: Sample | KnownSample) -> KeptSample:
    return KeptSample(
        items=tuple(sample.items["item"]),
        probability=tuple(sample.items["inclusion_probability"].tolist()),
        auxiliary=tuple(map(tuple, np.asarray(sample.auxiliary).tolist())),
        pool_mean=tuple(np.asarray(sample.pool_mean).tolist()),
    )


def _restored(case: Case, kept: KeptSample) -> KnownSample:
    probabilities = dict(zip(kept.items, kept.probability, strict=True))
    return KnownSample(
        sample_frame(case, probabilities).drop(columns="doc_id"),
        np.array(kept.auxiliary, dtype=float).reshape(len(kept.items), len(kept.pool_mean)),
        np.array(kept.pool_mean, dtype=float),
    )
