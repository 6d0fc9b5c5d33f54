"""The dimensions taken together."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ocrjury.bias.findings import BiasFinding
from ocrjury.estimate import Estimate, reason_words
from ocrjury.findings.dimensions import Composite, Composites, Correlation, DimensionsFinding
from ocrjury.pages.bias_rows import effect_text
from ocrjury.pages.numbers import decimal, interval_text, listing, percent, plural
from ocrjury.report.data import GateVerdict, ReportData
from ocrjury.report.stored import Stored

METHODS = {
    "weighted": "Weighted as the rubric says",
    "mean": "Plain mean",
    "pca": "First principal component",
    "regression": "Weighted by regression",
}


@dataclass(frozen=True, slots=True)
class Together:
    """The dimensions taken together; ``halo`` is the test of all raters, None without one."""

    correlations: tuple[Correlation, ...] = ()
    composites: tuple[Composite, ...] = ()
    halo: BiasFinding | None = None


def together_of(
    together: DimensionsFinding, composites: Composites, findings: Iterable[BiasFinding]
) -> Together | None:
    """The dimensions taken together, None where there is nothing to say.

    Parameters
    ----------
    findings
        Of the tests for bias, which tell a halo from items that are alike in every respect.
    """
    halo = next((row for row in findings if row.kind == "halo" and row.rater is None), None)
    if not (together.correlations or composites.rows):
        return None
    return Together(together.correlations, composites.rows, halo)


def stored_together(stored: Stored) -> Together | None:
    """The dimensions of an evaluation taken together."""
    bias = () if stored.bias is None else stored.bias.findings
    return together_of(stored.together, stored.composites, bias)


def strongest(together: Together) -> Correlation | None:
    """Two dimensions that go together most, None where none can be told."""
    known = [row for row in together.correlations if row.estimate.defined]
    return max(known, key=lambda row: row.estimate.value) if known else None


def title(report: ReportData, together: Together) -> str:
    """Finding of the table of correlations."""
    row = strongest(together)
    if row is None:
        return "How dimensions go together cannot be told"
    names = f"{report.name(row.dimension_a)} and {report.name(row.dimension_b)}"
    if len(together.correlations) == 1:
        return f"{names} correlate by {decimal(row.estimate.value)}"
    return f"{names} go together most: r = {decimal(row.estimate.value)}"


def meaning(together: Together) -> str:
    """Whether a high correlation is halo or truth, as far as a test can tell."""
    return (
        "A high correlation is truth where items that are good in one respect are good in others, "
        f"and halo where a rater lets one dimension colour the rest. {_halo_text(together.halo)}"
    )


def _halo_text(halo: BiasFinding | None) -> str:
    if halo is None:
        return "Nobody tested which it is."
    if halo.status != "tested":
        return f"Which it is cannot be told here: {reason_words(halo.reason)}."
    left = f"{effect_text(halo)} ({interval_text(Estimate(halo.effect, halo.low, halo.high))})"
    sentence = f"With the items taken out, a correlation of {left} is left"
    if not halo.flagged:
        return f"{sentence}, no more than chance explains: nothing speaks for halo."
    if halo.effect < 0:
        return f"{sentence}: raters set dimensions apart more than the items do."
    return f"{sentence}: part of it is halo, a {_SIZES.get(halo.level or '', 'known')} effect."


_SIZES = {"low": "small", "medium": "medium", "high": "large"}


def pairs_text(row: Correlation) -> str:
    """Basis of a correlation."""
    return f"{plural(row.n, 'rating')} of {plural(row.estimate.n_items, 'item')}"


def name(row: Composite) -> str:
    """Score as it is called."""
    return METHODS[row.method]


def made_of(report: ReportData, row: Composite) -> str:
    """Parts of a composite score."""
    if row.used != row.method:
        return f"{_capital(row.note or 'plain mean instead')}."
    if row.errors is not None:
        shares = {
            key: f"{percent(weight, 0)} (SE {decimal(100 * row.errors[key], 1)})"
            for key, weight in row.weights.items()
        }
        made = f"{listing(_by_dimension(report, shares))}; {percent(row.explained, 0)} of the "
        return f"{made}overall rating’s variance. {row.note or ''}".strip()
    if row.loadings is None:
        return listing(_by_dimension(report, {k: percent(w, 0) for k, w in row.weights.items()}))
    loadings = _by_dimension(report, {k: decimal(one) for k, one in row.loadings.items()})
    return f"Loadings {', '.join(loadings)}; {percent(row.explained, 0)} of the variance"


def gold_text(report: ReportData) -> str | None:
    """Note that gold corrects single dimensions only, None without gold."""
    if not any(row.gold for row in report.estimates):
        return None
    return "Scores that combine dimensions are not corrected by gold."


def scale_text(together: Together) -> str | None:
    """Note on the scale of the scores, None where it is that of the dimensions."""
    stretched = next((row for row in together.composites if row.stretched), None)
    if stretched is None:
        return None
    return (
        "Dimensions have unlike scales. For these scores each was stretched to run from "
        f"{stretched.low:g}, its lower end, to {stretched.high:g}, its upper end."
    )


def untrusted(report: ReportData, row: Composite) -> list[str]:
    """Dimensions that a score uses and of which nothing is printed."""
    return list(map(report.name, untrusted_keys(row, report.verdict)))


def untrusted_keys(row: Composite, verdict: GateVerdict) -> list[str]:
    """Keys of the dimensions that a score uses and of which nothing is printed."""
    return [key for key, weight in row.weights.items() if weight > 0 and not verdict.shows(key)]


def composites_title(report: ReportData, together: Together) -> str:
    """Finding of the table of scores: how much the way of making them matters."""
    known = [
        row.others.value
        for row in together.composites
        if row.others.defined and not untrusted(report, row)
    ]
    if len(known) < 2:
        return "All dimensions as one score"
    low, high = decimal(min(known)), decimal(max(known))
    if low == high:
        return f"All dimensions as one score: {low}, however it is made"
    return f"All dimensions as one score: {low} to {high}, depending on how it is made"


def _by_dimension(report: ReportData, texts: Mapping[str, str]) -> list[str]:
    return [
        f"{dimension.name} {texts[dimension.key]}"
        for dimension in report.dimensions
        if dimension.key in texts
    ]


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
