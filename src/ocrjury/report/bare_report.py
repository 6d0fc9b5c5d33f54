"""A report on ratings that somebody already has: no campaign, no sample, no rounds.

Nothing is known about how the items were chosen, unless they come with their weights. So every
number speaks of these items only, or of what they stand for by their weights, and the gate only
advises.
"""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pandas as pd

import ocrjury
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.findings.measurement.pool_groups import columns_that_group
from ocrjury.findings.measurement.pool_metrics import measure_pool_metrics, text_facts
from ocrjury.findings.measurement.ratings import Question, measure_ratings
from ocrjury.findings.pool_estimates import PoolEstimates
from ocrjury.gate.policy import GatePolicy, PresetName
from ocrjury.gate.verdict import Verdict
from ocrjury.language import language, phrase, tr
from ocrjury.ratings import RatingTable, rating_tables
from ocrjury.ratings.export_columns import CLUSTER, ITEM_WEIGHT
from ocrjury.report.bare_scores import pool_scores
from ocrjury.report.data import (
    DimensionDecision,
    GateVerdict,
    Headline,
    PrintedDimension,
    ReportData,
    ScaleLabels,
)
from ocrjury.report.design import Design
from ocrjury.report.evidence import Items
from ocrjury.report.identity import Identity
from ocrjury.report.low_ratings import count_table
from ocrjury.report.sections.agreement import agreement_of
from ocrjury.report.sections.differences import differences_of
from ocrjury.report.sections.joint_dimensions import joint_dimensions_of
from ocrjury.report.sections.raters import raters_of_table
from ocrjury.report.sections.recommendations import rating_recommendations
from ocrjury.report.worst_items import worst_items
from ocrjury.report_choices import Examples
from ocrjury.scales import Scales
from ocrjury.text.metrics import METRICS, TOTALS
from ocrjury.text.options import TextOptions
from ocrjury.text.scoring import score_texts

ONLY = "rating"


@dataclass(frozen=True, slots=True, kw_only=True)
class BareOptions:
    """Options of a report on bare ratings."""

    title: str = phrase("Ratings")
    name: str = "ratings"
    examples: Examples = "masked"
    worst_items: int = 8
    images: Path | None = None
    question: Question = field(default_factory=Question)
    text: TextOptions = field(default_factory=TextOptions)
    basis: str | None = None
    """Ratings of a larger file that these are, in words."""
    headline: str | None = None
    """Dimension of the headline; None, or one that is not there: the first."""


def build_bare_report(
    ratings: pd.DataFrame,
    *,
    scale: Scales,
    issued_at: datetime,
    pool: pd.DataFrame | None = None,
    options: BareOptions = BareOptions(),  # frozen
) -> ReportData:
    """Report of ratings without an evaluation around them.

    Parameters
    ----------
    ratings
        Long frame item, rater, rating and, with more than one, dimension. With
        ``item_weight``, one over an item's probability to be drawn, agreement and means are
        weighted; items of one ``cluster`` were drawn together.
    scale
        The declared scale, or that of each dimension.
    issued_at
        Date of the report, aware.
    pool
        What `ocrjury.readers.read_pool` returned, its ``doc_id`` the items; without it the report
        has no error rates and no texts.

    Raises
    ------
    InputError
        If the frame holds no rating, or the pool none of the rated items.
    """
    frame = _long(ratings)
    tables, design = _tables(frame, scale)
    first = options.headline if options.headline in tables else next(iter(tables))
    numbers = _numbers(tables)
    finding = measure_ratings(frame, tables, scale=scale, question=options.question)
    scored = None if pool is None else _scored(pool, numbers, options)
    names = {name: tr("Rating") if name == ONLY else _title(name) for name in tables}
    of_items = {name: _item_means(numbers, name) for name in tables if tables[name].scale.ordered}
    means = {name: design.mean(by_item, tables[name].scale) for name, by_item in of_items.items()}
    human = of_items.get(first, {})
    return ReportData(
        identity=_identity(options, issued_at, frame),
        dimensions=_dimensions(tables, names),
        scale=ScaleLabels.of(tables[first].scale),
        verdict=_verdict(finding.verdict, options.question.policy),
        headline=_headline(first, means.get(first), design),
        n_ratings=sum(table.n_ratings for table in tables.values()),
        counts=tuple(count_table(name, table, design) for name, table in tables.items()),
        estimates=tuple(
            PoolEstimates(dimension=name, these=mean, others=mean) for name, mean in means.items()
        ),
        items=_items(scored, numbers, first=first, options=options),
        sections={
            "recommendations": rating_recommendations(tables[first]),
            "agreement": agreement_of(
                finding.dimensions,
                finding.together,
                dimension=first,
                basis=options.basis or phrase("all ratings of the file"),
            ),
            "differences": differences_of(
                finding.dimensions, numbers, scale=scale, doc_types={}, design=design
            ),
            "raters": raters_of_table(finding, tables, dimension=first, names=names),
            "joint_dimensions": joint_dimensions_of(
                finding.together, design.composites(finding.composites), finding.bias.findings
            ),
            **_of_pool(scored, human, options),
        },
    )


def _title(name: str) -> str:
    """Name of a dimension as it is printed."""
    return name.replace("_", " ").capitalize()


def _identity(options: BareOptions, issued_at: datetime, frame: pd.DataFrame) -> Identity:
    return Identity(
        simulated="source" in frame and bool((frame["source"] == "simulated").any()),
        evaluation=options.name,
        title=options.title,
        issued_at=issued_at,
        package_version=ocrjury.__version__,
        seed=options.question.seed,
        language=language(),
    )


def _dimensions(
    tables: dict[str, RatingTable], names: dict[str, str]
) -> tuple[PrintedDimension, ...]:
    return tuple(
        PrintedDimension(name, title, scale=ScaleLabels.of(tables[name].scale))
        for name, title in names.items()
    )


def _long(ratings: pd.DataFrame) -> pd.DataFrame:
    """Frame with a dimension; raise without a rating."""
    if "rating" not in ratings.columns or not ratings["rating"].notna().any():
        raise InputError(
            "the ratings hold no value in a column 'rating'; found the columns "
            f"{', '.join(map(str, ratings.columns))} and {len(ratings)} row(s)."
        )
    rated = ratings[ratings["rating"].notna()]
    return rated if "dimension" in ratings.columns else rated.assign(dimension=ONLY)


def _numbers(tables: dict[str, RatingTable]) -> pd.DataFrame:
    """Ratings as numbers: of a nominal scale, the place of the category."""
    parts = [
        pd.DataFrame(
            {
                "item": [str(table.items[place]) for place in table.item],
                "rater": [str(table.raters[place]) for place in table.rater],
                "dimension": name,
                "rating": table.values,  # noqa: PD011  # no frame
            }
        )
        for name, table in tables.items()
    ]
    return pd.concat(parts, ignore_index=True)


def _scored(pool: pd.DataFrame, numbers: pd.DataFrame, options: BareOptions) -> pd.DataFrame:
    """Scored pool; raise if it holds none of the rated items."""
    if not pool["doc_id"].astype(str).isin(numbers["item"]).any():
        raise InputError(
            f"none of the {numbers['item'].nunique()} rated items is a doc_id of the pool; the "
            f"first item is {numbers['item'].iloc[0]!r}, the first doc_id "
            f"{pool['doc_id'].iloc[0]!r}. Give the pool that these ratings belong to."
        )
    scores = score_texts(
        pool["reference"].tolist(),
        pool["hypothesis"].tolist(),
        options=options.text,
        metrics=[*METRICS, *TOTALS],
    )
    scored = pd.concat([pool.reset_index(drop=True), scores.reset_index(drop=True)], axis=1)
    scored["doc_id"] = scored["doc_id"].astype(str)
    scored.attrs = {"signature": scores.attrs.get("signature", "")}
    return scored


def _of_pool(
    scored: pd.DataFrame | None, human: dict[str, float], options: BareOptions
) -> dict[str, object]:
    """Records about the pool, none without one."""
    if scored is None:
        return {}
    facts = text_facts([scored], options=options.text, examples=options.examples)
    groups = columns_that_group(map(str, scored), lambda name: scored[name], named=None)
    return {
        "scores": pool_scores(scored, human, seed=options.question.seed),
        "metrics": measure_pool_metrics(scored, facts, groups=groups),
    }


def _item_means(numbers: pd.DataFrame, dimension: str) -> dict[str, float]:
    of = numbers[numbers["dimension"] == dimension]
    return {str(item): float(mean) for item, mean in of.groupby("item")["rating"].mean().items()}


def _verdict(verdict: Verdict, policy: PresetName) -> GateVerdict:
    """Verdict of the gate; nothing depends on it."""
    return GateVerdict(
        decision=verdict.decision,
        grade=verdict.grade,
        reasons=verdict.reasons,
        actions=verdict.actions,
        dimensions=tuple(
            DimensionDecision(
                dimension=name,
                decision=verdict_.decision,
                grade=verdict_.grade,
                reasons=verdict_.reasons,
                needed_items=verdict_.needed_items,
            )
            for name, verdict_ in verdict.by_dimension.items()
        ),
        policy=GatePolicy.preset(policy),
        advisory=True,
    )


def _tables(frame: pd.DataFrame, scale: Scales) -> tuple[dict[str, RatingTable], Design]:
    """Ratings by dimension, and how their items were drawn."""
    weight, cluster = (name if name in frame.columns else None for name in (ITEM_WEIGHT, CLUSTER))
    tables = rating_tables(frame, scale=scale, item_weight=weight, cluster=cluster)
    return tables, Design.of_frame(frame, weight=weight, cluster=cluster)


def _headline(dimension: str, mean: Estimate | None, design: Design) -> Headline | None:
    """Mean of these items, None where the scale has no order."""
    if mean is None:
        return None
    return Headline(
        dimension=dimension,
        these=mean,
        others=mean,
        items_only=True,
        weighted=design.weight is not None,
    )


def _items(
    scored: pd.DataFrame | None, numbers: pd.DataFrame, *, first: str, options: BareOptions
) -> Items:
    """Worst items; without a pool none can be shown."""
    n_rated = numbers.loc[numbers["dimension"] == first, "item"].nunique()
    if scored is None:
        return Items(rows=(), dimension=first, n_rated=n_rated, examples=options.examples)
    return worst_items(
        scored,
        numbers,
        dimension=first,
        count=options.worst_items,
        examples=options.examples,
        images=options.images,
        options=options.text,
    )
