"""Ratings of an evaluation as a table that gives its gate and its headline without the store."""

from itertools import compress
from typing import Any, NamedTuple

from ocrjury.evaluation.case import Case
from ocrjury.evaluation.evidence import answered, evidence_on
from ocrjury.evaluation.gate_looks import looks_at_ratings
from ocrjury.evaluation.rated_sample import rated_sample
from ocrjury.ratings.export_columns import (
    AUXILIARY,
    CLUSTER,
    COUNTS,
    HEADLINE,
    KIND,
    KNOWN,
    LOOK,
    LOOKS,
    PROBABILITY,
    ROUND,
    SEED,
    SESSION,
    WEIGHT,
)
from ocrjury.scales import Scale
from ocrjury.store.ratings import RatingRow, list_ratings

COLUMNS = (
    *("item", "rater", "dimension", "rating", ROUND, KIND, "source"),
    *(SESSION, "position", "repeat", "submitted_at"),
    *(COUNTS, WEIGHT, PROBABILITY, "stratum", CLUSTER, KNOWN, LOOK, LOOKS, SEED, HEADLINE),
)

Cells = dict[str, Any]


class Exported(NamedTuple):
    """Names of the columns, and one row for each rating."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def exported_ratings(case: Case) -> Exported:
    """Every rating that counts for something, in a fixed order.

    Those of first passes bear what `ocrjury.estimation.RatedSample.from_export` needs: the
    probability to be drawn and answered, and each auxiliary variable minus its mean over the pool.
    """
    stored = list_ratings(case.work.engine, case.name)
    drawn = _drawn(case) if stored and case.row.pool_hash else {}
    looks = looks_at_ratings(case)
    scales, sample = case.campaign.rubric.scales, {item.item: item for item in case.sample}
    rows: list[Cells] = []
    for rating in stored:
        key = rating.dimension, rating.item
        row = _own(rating, scales[rating.dimension]) | {
            SEED: case.row.seed,
            HEADLINE: int(rating.dimension == case.campaign.target_dimension),
            KNOWN: case.fair_gold.get(key[0], {}).get(key[1]),
            CLUSTER: sample[rating.item].draw_number if rating.item in sample else None,
        }
        if rating.round_kind == "main":
            look, planned = looks[rating.round, rating.dimension]
            row |= {COUNTS: 1, WEIGHT: sample[rating.item].weight, LOOK: look, LOOKS: planned}
            row |= drawn.get(key, {})
        rows.append(row)
    names = dict.fromkeys(name for cells in drawn.values() for name in cells)
    columns = tuple(dict.fromkeys((*COLUMNS, *names)))
    return Exported(columns, [tuple(map(row.get, columns)) for row in rows])


def _own(rating: RatingRow, scale: Scale) -> Cells:
    """Cells of the rating itself."""
    return {
        "item": rating.item,
        "rater": rating.rater,
        "dimension": rating.dimension,
        "rating": _shown(rating.value, scale),
        ROUND: rating.round,
        KIND: rating.round_kind,
        "source": rating.source,
        SESSION: rating.session,
        "position": rating.position,
        "repeat": rating.repeat,
        "submitted_at": rating.at.isoformat(),
        COUNTS: 0,
    }


def _shown(value: float, scale: Scale) -> object:
    """Rating as raters gave it: a category's name, a whole number, or a number."""
    if not scale.ordered:
        return scale.categories[int(value)]
    return int(value) if value.is_integer() else value


def _drawn(case: Case) -> dict[tuple[str, str], Cells]:
    """Cells from the sample for each answered item, by dimension and item."""
    pool = case.pool()
    cells: dict[tuple[str, str], Cells] = {}
    for dimension in case.dimensions:
        sample = rated_sample(case, pool, [dimension])
        sampled = answered(sample, evidence_on(case, dimension).item_means.index)
        stratum = dict(zip(sample.items["item"], sample.items["stratum"], strict=True))
        varies = [name != "constant" for name in sample.names]
        names = [AUXILIARY + name for name in compress(sample.names, varies)]
        centred = (sampled.auxiliary - sample.pool_mean)[:, varies].tolist()
        chances = sampled.probability.tolist()
        for item, chance, known in zip(sampled.items, chances, centred, strict=True):
            of_item = {PROBABILITY: chance, "stratum": stratum[item]}
            cells[dimension, item] = of_item | dict(zip(names, known, strict=True))
    return cells
