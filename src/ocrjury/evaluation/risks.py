"""Risk of documents, which decides how likely they are drawn, by a rule or earlier results."""

import pandas as pd

from ocrjury.campaign.sections import Borderline
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.earlier_evaluations import earlier_cases
from ocrjury.findings.sampling import SampleDesign
from ocrjury.sampling import SpreadBands, choose_risk, spread_bands

FEWEST_ITEMS = 50
"""Rated documents without which an earlier evaluation does not show where an outcome varies."""
NO_EARLIER = (
    "No earlier evaluation shows where the outcome varies, so the design target went by the risk: "
    "{}."
)


def risk_of(case: Case, pool: pd.DataFrame) -> "pd.Series[float]":
    """Risk of every document.

    ``attrs`` say by which rule, and for the design target the bands that it came from. Once a
    sample is drawn they are those of the draw: what other evaluations find later changes nothing.
    """
    wanted = case.campaign.sampling
    if wanted.design == "target" and wanted.risk == "auto":
        bands, source = _bands(case, pool)
        if bands is not None:
            risk = bands.of(pool)
            risk.attrs |= {"rule": "expected spread", "spread": bands.to_json(), "from": source}
            return risk
    close_to = wanted.borderline or Borderline()
    risk = choose_risk(pool, rule=wanted.risk, score=close_to.score, threshold=close_to.threshold)
    if wanted.design == "target" and wanted.risk == "auto":
        risk.attrs["fallback"] = NO_EARLIER.format(risk.attrs["rule"])
    return risk


def _bands(case: Case, pool: pd.DataFrame) -> tuple[SpreadBands | None, str | None]:
    """Expected spread of the outcome by band, and the evaluation that it comes from."""
    if case.row.design is not None:
        design = SampleDesign.from_json(case.row.design)
        kept = design.spread
        bands = None if kept is None else SpreadBands(kept.by, kept.edges, kept.spread)
        return bands, design.spread_from
    by = next((name for name in ("cer", "confidence") if pool[name].notna().any()), None)
    for earlier in reversed(earlier_cases(case)):
        rated = _outcomes(case, earlier)
        if by is not None and rated[by].notna().sum() >= FEWEST_ITEMS:
            return spread_bands(rated, by=by), earlier.name
    return None, None


def _outcomes(case: Case, earlier: Case) -> pd.DataFrame:
    """Outcomes of the documents of an earlier sample.

    The outcome is the target's share if the campaign has one, else that a document is unusable.
    """
    target, scale = case.campaign.report.target, case.campaign.rubric.scale
    dimension = target.dimension if target else case.dimensions[0]
    given = earlier.first_pass[earlier.first_pass["dimension"] == dimension]
    if target is not None and target.share_at_least is not None:
        reached = given["rating"] >= target.share_at_least
    else:
        reached = given["rating"] <= scale.low
    share = reached.astype(float).groupby(given["item"]).mean()
    rows = [
        {
            "outcome": share[item.item],
            "cer": item.scores.get("cer"),
            "confidence": item.confidence,
            "inclusion_probability": item.inclusion_probability,
        }
        for item in earlier.sample
        if item.item in share.index
    ]
    columns = ["outcome", "cer", "confidence", "inclusion_probability"]
    return pd.DataFrame(rows, columns=columns)
