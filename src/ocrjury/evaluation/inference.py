"""Infer the truth of every item from all ratings that count."""

from collections.abc import Collection, Hashable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd

from ocrjury.adaptive import settled_values
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.case_cache import once
from ocrjury.evaluation.truth_methods import method_on
from ocrjury.ratings import RatingTable, rating_tables
from ocrjury.ratings.export_columns import CLUSTER, ITEM_WEIGHT
from ocrjury.truth import Truth, aggregate, calibrated_truth
from ocrjury.truth.calibration import LEAST_TO_CALIBRATE

NOT_RATED = ("pilot", "gold", "repeat")
"""Kinds of ratings on items outside the sample, and second ratings."""

EXPLORE = "explore"
"""Reason of an assignment whose item was drawn at random."""

PER_ITEM = ("probabilities", "label", "median", "mean", "confidence", "tied", "known")
"""Fields of a truth that hold a value for each item."""


class Inferred(NamedTuple):
    """Ratings of the sample and its truths, by dimension."""

    tables: dict[str, RatingTable]
    truths: dict[str, Truth]

    @property
    def of_labels(self) -> "Inferred":
        """Part with the dimensions whose truth is a category."""
        names = self.labelled
        return Inferred(
            {name: self.tables[name] for name in names}, {name: self.truths[name] for name in names}
        )

    @property
    def labelled(self) -> list[str]:
        """Dimensions whose truth is a category; on a continuous scale it is a number."""
        return [name for name, table in self.tables.items() if table.scale.kind != "interval"]

    def uncertain_items(self, target: float) -> set[Hashable]:
        """Items whose label is less certain than a target on any dimension."""
        truths = [self.truths[name] for name in self.labelled]
        return {
            item
            for truth in truths
            for item, confidence in zip(truth.items, truth.confidence, strict=True)
            if confidence < target
        }


DECIDING = ("adjudication", "panel")
"""Rounds in which people decide what raters could not."""


class _Ratings(NamedTuple):
    """Ratings by dimension: of the sample, with gold outside it, and settled labels.

    ``blind`` is ``with_gold`` without the decisions on items drawn at random.
    """

    tables: dict[str, RatingTable]
    with_gold: dict[str, RatingTable]
    blind: dict[str, RatingTable]
    settled: dict[str, dict[Any, Any]]


@once
def infer_truths(case: Case) -> Inferred:
    """Infer the truths of all dimensions; labels of adjudicators and panels are final.

    Where a rating is known of a fair sample of items, a truth that does not know it is fitted and
    calibrated first, then one that does: gold, else what was decided of items drawn at random.
    """
    return _infer_from(case, case.ratings)


def infer_without(case: Case, raters: Collection[str]) -> Inferred:
    """`infer_truths` as if some raters had not taken part."""
    return _infer_from(case, case.ratings[~case.ratings["rater"].isin(raters)])


def _infer_from(case: Case, rated: pd.DataFrame) -> Inferred:
    ratings, drawn = _gather(case, rated), _decided_at_random(case, rated)
    gold, fair = named_gold(case), fair_gold(case)
    truths = {
        name: _only(
            _infer(
                case,
                ratings.with_gold[name],
                gold=fair[name] or drawn[name],
                settled={**ratings.settled[name], **gold[name]},
                blind=None if fair[name] else ratings.blind[name],
            ),
            table.items,
        )
        for name, table in ratings.tables.items()
    }
    return Inferred(ratings.tables, truths)


def infer_untold(case: Case) -> Inferred:
    """Infer truths without gold labels, from the ratings of gold outside the sample too.

    Gold shows what such truths are worth; see `ocrjury.adaptive.check_gain`.
    """
    ratings, gold = _gather(case, case.ratings), named_gold(case)
    truths = {}
    for name, table in ratings.with_gold.items():
        settled = {k: value for k, value in ratings.settled[name].items() if k not in gold[name]}
        truths[name] = _infer(case, table, gold={}, settled=settled)
    return Inferred(ratings.with_gold, truths)


def named_gold(case: Case) -> dict[str, dict[Any, Any]]:
    """Known ratings by dimension and item, as the scale names them."""
    names = _names(case)
    return {name: _named(case.gold.get(name, {}), names[name]) for name in case.dimensions}


def fair_gold(case: Case) -> dict[str, dict[Any, Any]]:
    """`Case.fair_gold` by dimension and item, as the scale names the ratings."""
    names = _names(case)
    return {name: _named(case.fair_gold.get(name, {}), names[name]) for name in case.dimensions}


def explored_items(case: Case) -> list[str]:
    """Items of adaptive rounds that were drawn at random and are still asked for, if of others."""
    rows = [row for row in case.assignments if case.kinds[row.round] == "adaptive"]
    kept = {(row.round, row.item) for row in rows if row.state != "withdrawn"}
    drawn = [row for row in rows if row.reason == EXPLORE and (row.round, row.item) in kept]
    return list(dict.fromkeys(row.item for row in drawn if row.item not in case.excluded))


def _gather(case: Case, rated: pd.DataFrame) -> _Ratings:
    ratings = rated[~rated["round_kind"].isin(NOT_RATED)]
    in_passing = rated[rated["round_kind"] == "gold"]
    tables = tables_of(case, ratings)
    # Ratings of gold outside the sample show how good each rater is.
    everything = pd.concat([ratings, in_passing]) if len(in_passing) else ratings
    with_gold = tables_of(case, everything) if len(in_passing) else tables
    drawn = explored_items(case)
    decided = everything["round_kind"].isin(DECIDING) & everything["item"].isin(drawn)
    blind = tables_of(case, everything[~decided]) if decided.any() else with_gold
    settled, names = _settled(case, ratings), _names(case)
    known = {name: _named(settled.get(name, {}), names[name]) for name in case.dimensions}
    return _Ratings(tables, with_gold, blind, known)


def _decided_at_random(case: Case, rated: pd.DataFrame) -> dict[str, dict[Any, Any]]:
    """Decisions of adjudicators and panels on the items drawn at random, by dimension.

    Nothing unless it is all of them and enough to calibrate with: the ones on which raters
    differed say nothing about the others.
    """
    drawn, names = explored_items(case), _names(case)
    if len(drawn) < LEAST_TO_CALIBRATE:
        return {name: {} for name in case.dimensions}
    adjudicated = rated[rated["round_kind"] == "adjudication"]
    decided = {
        name: dict(zip(some["item"], some["rating"], strict=True))
        for name, some in adjudicated.groupby("dimension")
    }
    settled = _settled(case, rated)
    by_dimension: dict[str, dict[Any, Any]] = {}
    for name in case.dimensions:
        known = {**decided.get(name, {}), **settled.get(name, {})}
        fair = all(item in known for item in drawn)
        own = {item: known[item] for item in drawn} if fair else {}
        by_dimension[name] = _named(own, names[name])
    return by_dimension


def tables_of(case: Case, ratings: pd.DataFrame, **options: Any) -> dict[str, RatingTable]:
    """Ratings by dimension; where categories are names, the store keeps their places."""
    scales, names = case.campaign.rubric.scales, _names(case)
    tables: dict[str, RatingTable] = {}
    for name in case.dimensions:
        own = ratings[ratings["dimension"] == name]
        own = own.assign(rating=own["rating"].map(names[name])) if names[name] else own
        tables |= rating_tables(own, scale=scales, dimensions=[name], **options)
    return tables


@once
def first_pass_tables(case: Case) -> dict[str, RatingTable]:
    """Ratings by dimension that agreement is measured on, every item weighted.

    Items that were drawn because they look wrong would make raters look more alike than they are
    on the pool. Items that were drawn together count as one draw.
    """
    return tables_of(case, weighted_first_pass(case), item_weight=ITEM_WEIGHT, cluster=CLUSTER)


@once
def weighted_first_pass(case: Case) -> pd.DataFrame:
    """Ratings that agreement is measured on, with the weight of each item."""
    weight = {item.item: item.weight for item in case.sample}
    return case.first_pass.assign(**{ITEM_WEIGHT: case.first_pass["item"].map(weight)})


def _settled(case: Case, ratings: pd.DataFrame) -> dict[str, dict[Any, float]]:
    scales = case.campaign.rubric.scales
    return settled_values(ratings, ordered={name: own.ordered for name, own in scales.items()})


def _named(values: Mapping[Any, float], names: Mapping[float, Any]) -> dict[Any, Any]:
    return {item: names.get(value, value) for item, value in values.items()}


def _names(case: Case) -> dict[str, dict[float, Any]]:
    """Category of every place by dimension on a nominal scale; other scales need no names."""
    return {
        name: {} if scale.ordered else dict(zip(scale.numbers, scale.categories, strict=True))
        for name, scale in case.campaign.rubric.scales.items()
    }


def _infer(
    case: Case,
    table: RatingTable,
    *,
    gold: Mapping[Any, Any],
    settled: Mapping[Any, Any],
    blind: RatingTable | None = None,
) -> Truth:
    wanted = case.campaign.truth
    method = method_on(table.scale, wanted.method)
    options: dict[str, Any] = {"method": method}
    if method == "dawid_skene":
        options |= {"prior": wanted.prior, "class_prior": wanted.class_prior}
    if gold:
        return calibrated_truth(table, gold, known=settled, blind=blind, **options)
    return aggregate(table, gold=settled or None, **options)


def _only(truth: Truth, items: tuple[Hashable, ...]) -> Truth:
    if truth.items == items:
        return truth
    places = {item: place for place, item in enumerate(truth.items)}
    rows = [places[item] for item in items]
    columns = {name: getattr(truth, name) for name in PER_ITEM}
    kept: dict[str, Any] = {
        name: None if column is None else column[rows] for name, column in columns.items()
    }
    return replace(truth, items=items, **kept)
