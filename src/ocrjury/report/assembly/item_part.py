"""The worst items with their evidence, and the error rates beside people's scores."""

import math
from pathlib import Path

from ocrjury.errors import InputError
from ocrjury.report.assembly.stored import Body, Stored
from ocrjury.report.crops import crop_image
from ocrjury.report.distributions import histogram, spearman
from ocrjury.report.evidence import ItemRating, Items, MarkedText, WorstItem
from ocrjury.report.marked_text import marked_text
from ocrjury.report.sections import MetricSummary, Point, Scores
from ocrjury.store.documents import SampledItem
from ocrjury.store.results import TruthRow
from ocrjury.text import TextOptions

METRICS = ("cer", "cer_nospace", "wer", "ned", "bleu", "char_f1", "exact_match")


def scores_part(stored: Stored) -> Scores:
    """Return the automatic metrics of the pool, and how people's scores go with them."""
    rated = [item for item in stored.items if item.item in stored.item_means]
    human = [stored.item_means[item.item] for item in rated]
    cer = [_score(item, "cer") for item in rated]
    summary = {one["metric"]: one for one in stored.scores["summary"]}
    return Scores(
        pool_size=stored.row.pool_size or 0,
        n_reference=int(summary["edit_distance"]["n"]),
        metrics=tuple(
            _metric(summary[name], spearman([_score(i, name) for i in rated], human))
            for name in METRICS
            if name in summary
        ),
        histogram=histogram(cer),
        points=tuple(
            Point(x, y, item.reason or "random")  # type: ignore[arg-type]  # one of the parts
            for x, y, item in zip(cer, human, rated, strict=True)
            if math.isfinite(x)
        ),
        rho=spearman(cer, human),
        signature=stored.scores["signature"],
    )


def items_part(stored: Stored) -> Items:
    """Return the items that people rated lowest on the headline's dimension."""
    truths = {t.item: t for t in stored.truths if t.dimension == stored.target_dimension}
    items = {item.item: item for item in stored.items}
    order = sorted(truths.values(), key=lambda t: (_expected(t), t.item))
    worst = order[: stored.campaign.report.worst_items]
    return Items(
        rows=tuple(_worst_item(stored, items[t.item], t) for t in worst),
        dimension=stored.target_dimension,
        n_rated=len(truths),
        examples=stored.campaign.report.examples,
    )


def _expected(truth: TruthRow) -> float:
    """Return what an item is worth on average; a nominal label has no order."""
    return math.inf if truth.mean is None else truth.mean


def _worst_item(stored: Stored, item: SampledItem, truth: TruthRow) -> WorstItem:
    """Return one item as the report shows it."""
    given: dict[str, dict[str, float]] = {}
    for rating in stored.ratings:
        if rating.item == item.item:
            given.setdefault(rating.rater, {})[rating.dimension] = rating.value
    return WorstItem(
        doc_id=item.doc_id,
        page_id=item.page_id,
        doc_type=item.doc_type,
        kind=item.kind,
        language=item.language,
        text=_text(stored, item),
        cer=_known(_score(item, "cer")),
        substitutions=_whole(_score(item, "substitutions")),
        deletions=_whole(_score(item, "deletions")),
        insertions=_whole(_score(item, "insertions")),
        confidence=item.confidence,
        ratings=tuple(ItemRating(rater, values) for rater, values in sorted(given.items())),
        label=float(truth.label) if isinstance(truth.label, int | float) else None,
        label_confidence=truth.confidence,
        image=_image(stored, item),
    )


def _text(stored: Stored, item: SampledItem) -> MarkedText:
    """Return both texts, marked, masked or left out as the campaign says."""
    examples = stored.campaign.report.examples
    if examples == "off":
        return MarkedText()
    options = TextOptions.preset(stored.campaign.pool.options)
    return marked_text(
        item.reference, item.hypothesis, masked=examples == "masked", options=options
    )


def _image(stored: Stored, item: SampledItem) -> str | None:
    """Return the place on the page, where texts may be shown and the image can be read."""
    if stored.campaign.report.examples != "shown" or item.image_uri is None:
        return None
    path = Path(stored.campaign.images_location) / item.image_uri
    try:
        return crop_image(path, item.box)
    except InputError:
        # A report without one picture is better than none.
        return None


def _metric(one: Body, rho: float) -> MetricSummary:
    """Return one line of the table of metrics."""
    number = {
        name: _defined(one[name]) for name in ("micro", "macro", "median", "p95", "low", "high")
    }
    return MetricSummary(
        metric=one["metric"], n=one["n"], n_undefined=one["n_undefined"], rho=rho, **number
    )


def _score(item: SampledItem, name: str) -> float:
    """Return a score of an item, nan where it has none."""
    return _defined(item.scores.get(name))


def _defined(value: float | None) -> float:
    """Return a number, nan for None."""
    return math.nan if value is None else float(value)


def _known(value: float) -> float | None:
    """Return a number, None for nan."""
    return None if math.isnan(value) else value


def _whole(value: float) -> int | None:
    """Return a whole number, None for nan."""
    return None if math.isnan(value) else round(value)
