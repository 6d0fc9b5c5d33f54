"""The sampled items that represent the pool on a dimension, with inclusion probabilities.

Main rounds draw in stages: round j rates the documents n_(j-1) + 1 to n_j of the draw, and
pi(n) is a document's probability to be among the first n. Where a stage does not count, because
it was not rated on the dimension or all its ratings were set aside, a document's probability to
be drawn in one of those that do is the sum of pi(n_j) - pi(n_(j-1)) over them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from ocrjury.arrays import Integers
from ocrjury.estimation.auxiliary import AuxiliaryColumns, auxiliary_columns
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.draws import sampling_draw
from ocrjury.evaluation.passing_gold import GOLD
from ocrjury.evaluation.type_estimates import rows_of_types
from ocrjury.store.documents import SampledItem

_LEAST = 0.05
"""Part of its whole probability that a document of a stage has at least: a draw in rank order
keeps a few that the probabilities alone would not."""


class Sample(NamedTuple):
    """The items that count with what is known of them and of their pool.

    Numbers of documents and means of the auxiliaries are by document type too; None stands for
    documents without a type. ``sources`` are the pool's columns behind the auxiliaries, ``whole``
    the auxiliaries of every document of the pool.
    """

    items: pd.DataFrame
    auxiliary: np.ndarray
    pool_mean: np.ndarray
    names: list[str]
    sources: list[str]
    pool_types: dict[object, int]
    type_means: dict[object, np.ndarray]
    whole: np.ndarray


class KnownSample(NamedTuple):
    """The part of a `Sample` by which two evaluations are compared."""

    items: pd.DataFrame
    auxiliary: np.ndarray
    pool_mean: np.ndarray


class Stage(NamedTuple):
    """The items of one main round, as places of the draw, and on which dimensions they count."""

    first: int
    last: int
    dimensions: frozenset[str]

    def holds(self, item: SampledItem) -> bool:
        """Return whether an item of the sample was drawn in this stage."""
        return self.first <= (item.draw_number or 0) <= self.last


def rated_sample(case: Case, pool: pd.DataFrame, dimensions: Sequence[str]) -> Sample:
    """Sample as it counts on all of some dimensions."""
    (sample,) = rated_samples(case, pool, [dimensions])
    return sample


def rated_samples(
    case: Case, pool: pd.DataFrame, wanted: Iterable[Sequence[str]]
) -> Iterator[Sample]:
    """Yield the sample as it counts on each of several groups of dimensions.

    What they share is computed once: auxiliaries depend on the number of items and on the judges.
    """
    places_of, types = pd.Index(pool["doc_id"]), rows_of_types(pool)
    known: dict[tuple[object, ...], _Known] = {}
    for dimensions in wanted:
        items = sampled_frame(case, pool, dimensions)
        judges = case.campaign.auxiliaries_on(dimensions)
        key = (len(items), *judges)
        if key not in known:
            known[key] = _known(auxiliary_columns(pool, n=len(items), judges=judges), types)
        of, mean, type_means = known[key]
        places = places_of.get_indexer(pd.Index(items["doc_id"]))
        yield Sample(
            items.drop(columns="doc_id"),
            of.matrix[places],
            mean,
            of.names,
            of.sources,
            {name: len(rows) for name, rows in types.items()},
            type_means,
            of.matrix,
        )


class _Known(NamedTuple):
    """Auxiliaries of a pool with their means, also by document type."""

    columns: AuxiliaryColumns
    mean: np.ndarray
    type_means: dict[object, np.ndarray]


def _known(columns: AuxiliaryColumns, types: Mapping[object, Integers]) -> _Known:
    matrix = columns.matrix
    means = {name: matrix[rows].mean(axis=0) for name, rows in types.items()}
    return _Known(columns, matrix.mean(axis=0), means)


def known_sample(case: Case, pool: pd.DataFrame, dimension: str) -> KnownSample:
    """Sample as it counts on a dimension, to be compared."""
    sample = rated_sample(case, pool, [dimension])
    return KnownSample(sample.items, sample.auxiliary, sample.pool_mean)


def sampled_frame(case: Case, pool: pd.DataFrame, dimensions: Sequence[str]) -> pd.DataFrame:
    """Items that count on all of some dimensions, as estimators take them, with their documents."""
    return sample_frame(case, stage_probabilities(case, pool, dimensions))


def sample_frame(case: Case, probabilities: Mapping[str, float]) -> pd.DataFrame:
    """Sampled items whose inclusion probabilities are given, as estimators take them."""
    return pd.DataFrame(
        [
            {
                "item": item.item,
                "doc_id": item.doc_id,
                "doc_type": item.doc_type,
                "inclusion_probability": probabilities[item.item],
                "stratum": item.stratum,
                "reason": item.reason,
                "cluster": item.draw_number,
            }
            for item in case.sample
            if item.item in probabilities
        ]
    )


def stage_probabilities(
    case: Case, pool: pd.DataFrame, dimensions: Sequence[str]
) -> dict[str, float]:
    """Inclusion probability of every item that counts on all of some dimensions."""
    stages = main_stages(case)
    counting = [stage for stage in stages if stage.dimensions >= set(dimensions)]
    if len(counting) in {0, len(stages)}:
        return {item.item: float(item.inclusion_probability or 0.0) for item in case.sample}
    draw = sampling_draw(case, pool)
    bounds = sorted({bound for stage in counting for bound in (stage.first - 1, stage.last)})
    pi = {n: draw.probabilities(n).to_numpy() for n in bounds}
    of_stages = sum(pi[stage.last] - pi[stage.first - 1] for stage in counting)
    whole = np.maximum(of_stages, _LEAST * pi[bounds[-1]])
    probability = dict(zip(draw.frame["doc_id"], whole.tolist(), strict=True))
    return {
        item.item: min(probability[item.doc_id], 1.0)
        for item in case.sample
        if any(stage.holds(item) for stage in counting)
    }


def counting_items(case: Case, dimension: str) -> set[str]:
    """Sampled items that count on a dimension, all of them if no stage does."""
    stages = main_stages(case)
    counting = [stage for stage in stages if dimension in stage.dimensions] or stages
    return {item.item for item in case.sample if any(stage.holds(item) for stage in counting)}


def main_stages(case: Case) -> list[Stage]:
    """Stages of the draw, in the order of their main rounds."""
    number = {item.item: item.draw_number or 0 for item in case.sample}
    place_of_round: dict[int, int] = {}
    for row in case.assignments:
        if case.kinds[row.round] == "main" and row.reason != GOLD and row.item in number:
            first = place_of_round.get(row.round, number[row.item])
            place_of_round[row.round] = min(first, number[row.item])
    starts = sorted(place_of_round.values())
    ends = [*(start - 1 for start in starts[1:]), max(number.values(), default=0)]
    rated = _rated(case, number)
    return [
        Stage(first, last, _dimensions(rated, first, last))
        for first, last in zip([1, *starts[1:]], ends, strict=True)
        if last >= first
    ]


def _rated(case: Case, number: dict[str, int]) -> dict[str, list[int]]:
    """Places of the draw that have a rating of their own main round, by dimension.

    What was gold in passing and was drawn since says nothing about the rest of its stage.
    """
    own = {(a.round, a.item, a.rater) for a in case.assignments if a.reason != GOLD}
    columns = (case.first_pass[name] for name in ("dimension", "round", "item", "rater"))
    places: dict[str, list[int]] = {}
    for dimension, *given in zip(*columns, strict=True):
        if tuple(given) in own:
            places.setdefault(str(dimension), []).append(number[str(given[1])])
    return places


def _dimensions(rated: dict[str, list[int]], first: int, last: int) -> frozenset[str]:
    return frozenset(
        name for name, places in rated.items() if any(first <= place <= last for place in places)
    )
