"""The dimensions taken together."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ocrjury.bias.findings import BiasFinding
from ocrjury.estimate import Estimate, reason_words
from ocrjury.findings.dimensions import Composite, Composites, Correlation, DimensionsFinding
from ocrjury.language import counted, phrase, tr
from ocrjury.pages.bias_rows import effect_text
from ocrjury.pages.numbers import (
    capital,
    decimal,
    interval_text,
    listing,
    paragraph,
    percent,
    range_text,
    series,
)
from ocrjury.report.data import GateVerdict, ReportData
from ocrjury.report.sections.rating_chart import unagreed
from ocrjury.report.stored_evaluation import Stored
from ocrjury.report.ties import clearly_first, span
from ocrjury.rounding import given
from ocrjury.sentences import changed

METHODS = {
    "weighted": phrase("Weighted as the rubric says"),
    "mean": phrase("Plain mean"),
    "pca": phrase("First principal component"),
    "regression": phrase("Weighted by regression"),
}
_INSTEAD = phrase("plain mean instead")


@dataclass(frozen=True, slots=True)
class JointDimensions:
    """The dimensions taken together; ``halo`` is the test of all raters, None without one."""

    correlations: tuple[Correlation, ...] = ()
    composites: tuple[Composite, ...] = ()
    halo: BiasFinding | None = None


def joint_dimensions_of(
    together: DimensionsFinding, composites: Composites, findings: Iterable[BiasFinding]
) -> JointDimensions | None:
    """The dimensions taken together, None where there is nothing to say.

    Parameters
    ----------
    findings
        Of the tests for bias, which tell a halo from items that are alike in every respect.
    """
    halo = next((row for row in findings if row.kind == "halo" and row.rater is None), None)
    if not (together.correlations or composites.rows):
        return None
    return JointDimensions(together.correlations, composites.rows, halo)


def stored_joint_dimensions(stored: Stored) -> JointDimensions | None:
    """The dimensions of an evaluation taken together."""
    bias = () if stored.bias is None else stored.bias.findings
    return joint_dimensions_of(stored.together, stored.composites, bias)


def title(report: ReportData, joint: JointDimensions) -> str:
    """Finding of the table of correlations."""
    known = [row for row in joint.correlations if row.estimate.defined]
    if not known:
        return tr("How dimensions go together cannot be told")
    if len(known) == 1:
        [only] = known
        return tr(
            "{pair} correlate by {r}", pair=pair_text(report, only), r=decimal(only.estimate.value)
        )
    most = clearly_first(known, lambda row: row.estimate)
    if most is None:
        values = span((row.estimate.value for row in known), decimal)
        return tr("Dimensions correlate by {range}", range=values)
    pair, r = pair_text(report, most), decimal(most.estimate.value)
    return tr("{pair} go together most: r = {r}", pair=pair, r=r)


def pair_text(report: ReportData, row: Correlation) -> str:
    """Names of two dimensions."""
    return listing([report.name(row.dimension_a), report.name(row.dimension_b)])


def meaning(joint: JointDimensions) -> str:
    """Sentence on whether a high correlation is halo or truth, as far as a test can tell."""
    either = tr(
        "A high correlation is truth where items that are good in one respect are good in others, "
        "and halo where a rater lets one dimension colour the rest."
    )
    return paragraph([either, _halo_text(joint.halo)])


def _halo_text(halo: BiasFinding | None) -> str:
    if halo is None:
        return tr("Halo was not tested.")
    if halo.status != "tested":
        return tr("Halo cannot be tested here: {reason}.", reason=reason_words(halo.reason))
    interval = interval_text(Estimate(halo.effect, halo.low, halo.high))
    left = tr("{value} ({range})", value=effect_text(halo), range=interval)
    if not halo.flagged:
        return tr(
            "With item effects removed, the correlation is {left}, no more than chance explains: "
            "no evidence of halo.",
            left=left,
        )
    if halo.effect < 0:
        return tr(
            "With item effects removed, the correlation is {left}: raters set dimensions apart "
            "more than the items do.",
            left=left,
        )
    size = _SIZES[halo.level]
    if halo.low <= 0:
        return tr(
            "With item effects removed, the correlation is {left}. The one-sided test finds halo, "
            "a {size} effect; the two-sided interval includes 0.",
            left=left,
            size=size,
        )
    return tr(
        "With item effects removed, the correlation is {left}: part of it is halo, a {size} "
        "effect.",
        left=left,
        size=size,
    )


_SIZES = {
    "low": phrase("small"),
    "medium": phrase("medium"),
    "high": phrase("large"),
    None: phrase("unknown"),
}


def unshown_text(report: ReportData, joint: JointDimensions) -> str | None:
    """Note on correlations that speak of no other items, None without any."""
    keys = {key for row in joint.correlations for key in (row.dimension_a, row.dimension_b)}
    unshown = [
        row for row in report.dimensions if row.key in keys and not report.verdict.shows(row.key)
    ]
    if not unshown:
        return None
    if any(report.verdict.agreed_on(row.key) for row in unshown):
        return tr(
            "Agreement on {dimensions} was not shown, and nobody released the evaluation: "
            "correlations speak of these items only.",
            dimensions=unagreed(report),
        )
    return tr(
        "Correlations with {dimensions}, on which agreement was not shown, speak of these items "
        "only.",
        dimensions=listing([row.name for row in unshown], "or"),
    )


def pairs_text(row: Correlation) -> str:
    """Basis of a correlation."""
    ratings, items = counted(row.n, "rating"), counted(row.estimate.n_items, "item")
    return tr("{ratings} of {items}", ratings=ratings, items=items)


def name(row: Composite) -> str:
    """Score as it is called."""
    return METHODS[row.method]


def made_of(report: ReportData, row: Composite) -> str:
    """Parts of a composite score."""
    if row.used != row.method:
        return tr("{parts}.", parts=capital(row.note or _INSTEAD))
    if row.errors is not None:
        return paragraph([_regressed(report, row, row.errors), row.note or ""])
    if row.loadings is None:
        return listing(_by_dimension(report, {k: percent(w, 0) for k, w in row.weights.items()}))
    loadings = _by_dimension(report, {k: decimal(loading) for k, loading in row.loadings.items()})
    return tr(
        "Loadings {loadings}; {share} of the variance",
        loadings=series(loadings),
        share=percent(row.explained, 0),
    )


def _regressed(report: ReportData, row: Composite, errors: Mapping[str, float]) -> str:
    """Weights of a regression with their standard errors, and how much they explain."""
    weights = {
        key: tr(
            "{share} (SE {error})", share=percent(weight, 0), error=decimal(100 * errors[key], 1)
        )
        for key, weight in row.weights.items()
    }
    return tr(
        "{weights}; {share} of the overall rating’s variance.",
        weights=listing(_by_dimension(report, weights)),
        share=percent(row.explained, 0),
    )


def gold_text(report: ReportData) -> str | None:
    """Note that gold corrects single dimensions only, None without gold."""
    if not any(row.gold for row in report.estimates):
        return None
    return tr("Scores that combine dimensions are not corrected by gold.")


def scale_text(joint: JointDimensions) -> str | None:
    """Note on the scale of the scores, None where it is that of the dimensions."""
    stretched = next((row for row in joint.composites if row.stretched), None)
    if stretched is None:
        return None
    return tr(
        "Dimensions have unlike scales. For these scores each was stretched to run from {low}, "
        "its lower end, to {high}, its upper end.",
        low=given(stretched.low),
        high=given(stretched.high),
    )


def untrusted(report: ReportData, row: Composite) -> list[str]:
    """Dimensions that a score uses and of which nothing is printed."""
    return list(map(report.name, untrusted_keys(row, report.verdict)))


def untrusted_keys(row: Composite, verdict: GateVerdict) -> list[str]:
    """Keys of the dimensions that a score uses and of which nothing is printed."""
    return [key for key, weight in row.weights.items() if weight > 0 and not verdict.shows(key)]


def cautions(report: ReportData, *, known: Collection[str]) -> list[str]:
    """Warnings of printed scores that no dimension has, with whatever share of a weight."""
    joint = report.get(JointDimensions)
    rows = [] if joint is None else [row for row in joint.composites if not untrusted(report, row)]
    texts = dict.fromkeys(text for row in rows for text in row.others.warnings)
    of_dimensions = {_without_share(text) for text in known}
    return [text for text in texts if _without_share(text) not in of_dimensions]


def _without_share(text: str) -> str:
    return str(changed(text, "share", lambda _: ""))


def composites_title(report: ReportData, joint: JointDimensions) -> str:
    """Finding of the table of scores: how much the way of making them matters."""
    known = [
        row.others.value
        for row in joint.composites
        if row.others.defined and not untrusted(report, row)
    ]
    if len(known) < 2:
        return tr("All dimensions as one score")
    low, high = decimal(min(known)), decimal(max(known))
    if low == high:
        return tr("All dimensions as one score: {score}, however it is made", score=low)
    return tr(
        "All dimensions as one score: {range}, depending on how it is made",
        range=range_text(low, high),
    )


def _by_dimension(report: ReportData, texts: Mapping[str, str]) -> list[str]:
    return [
        f"{dimension.name} {texts[dimension.key]}"
        for dimension in report.dimensions
        if dimension.key in texts
    ]
