"""Draws of documents, or of pages with all that was read of them, as the campaign wishes.

How likely a document is drawn depends on its risk: by a rule, or by earlier results.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypedDict

import pandas as pd

from ocrjury.campaign.sections import Borderline
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.earlier_cases import earlier_cases
from ocrjury.evaluation.pages import SIDE_BY_SIDE, check_pages, page_of_documents
from ocrjury.language import phrase
from ocrjury.sampling import (
    SpreadBands,
    choose_risk,
    draw_sample,
    extend_sample,
    inclusion_probabilities,
    outputs_of,
    page_frame,
    pages_for,
    spread_bands,
)
from ocrjury.sampling.designs import Design
from ocrjury.sampling.reasons import Reason, rule_of
from ocrjury.store.documents import SampledItem

_PAGE = "page"
TEXTS = ("hypothesis", "image", "box")
"""Columns of a pool that only its items need; whether there is a reference, plans ask."""
FEWEST_ITEMS = 50
"""Rated documents without which an earlier evaluation does not show where an outcome varies."""


class DrawOptions(TypedDict):
    """The campaign's settings, as `draw_sample` takes them."""

    shares: Mapping[str, float]
    floor: int
    stratum: str | None
    risk: str
    design: Design


@dataclass(frozen=True)
class Draw:
    """Draw of a pool's units; a *unit* is a document, or a page with all its outputs.

    Attributes
    ----------
    frame
        ``doc_id``, ``risk``, and where they are used ``stratum`` and ``page``.
    seed
        Identifies the draw.
    """

    frame: pd.DataFrame
    options: DrawOptions
    seed: int

    @cached_property
    def units(self) -> pd.DataFrame:
        """Units of the draw: documents, or pages."""
        if _PAGE not in self.frame:
            return self.frame
        return page_frame(self.frame, page=_PAGE, stratum=self.options["stratum"])

    @property
    def pages(self) -> int | None:
        """Number of pages of the pool where whole pages are drawn, None for documents."""
        return len(self.units) if _PAGE in self.frame else None

    def units_for(self, n: int) -> int:
        """Number of units that hold about ``n`` documents."""
        if _PAGE not in self.frame:
            return n
        return pages_for(n, documents=len(self.frame), pages=len(self.units))

    def sample(self, n: int) -> pd.DataFrame:
        """Draw about ``n`` documents, exactly ``n`` where each is a unit of its own."""
        n = self.units_for(n)
        return self._documents(draw_sample(self.units, n=n, seed=self.seed, **self.options))

    def enlarged(self, sample: Sequence[SampledItem], *, more: int) -> pd.DataFrame:
        """Extend a sample by about ``more`` documents."""
        drawn = self._drawn(sample)
        n = len(drawn) + self.units_for(more)
        if more <= len(self.frame) - len(sample):  # pages hold about so many, never too many
            n = min(n, len(self.units))
        return self._extended(drawn, n=n)

    def whole(self, sample: Sequence[SampledItem]) -> pd.DataFrame:
        """All documents of the pool in the order in which a sample would grow.

        First those with which it would be twice as large, then those with which it would hold half
        of the others: which documents come next depends on the size that is drawn.
        """
        drawn = self._drawn(sample)
        n, everything = len(drawn), len(self.units)
        for size in sorted({min(2 * n, everything), (n + everything) // 2}):
            if size > len(drawn):
                drawn = self._extend(drawn, n=size)
        return self._extended(drawn, n=everything)

    def probabilities(self, n: int) -> "pd.Series[float]":
        """Probability of every document to be in the first ``n`` units, by doc_id."""
        of_unit = pd.Series(0.0, index=pd.Index(self.units["doc_id"]))
        if n:
            of_unit[:] = inclusion_probabilities(self.units, n=n, **self.options)
        unit = self.frame[_PAGE if _PAGE in self.frame else "doc_id"]
        return pd.Series(of_unit.loc[unit].to_numpy(), index=pd.Index(self.frame["doc_id"]))

    def _extend(self, drawn: pd.DataFrame, *, n: int) -> pd.DataFrame:
        return extend_sample(self.units, drawn=drawn, n=n, seed=self.seed, **self.options)

    def _extended(self, drawn: pd.DataFrame, *, n: int) -> pd.DataFrame:
        return self._documents(self._extend(drawn, n=n))

    def _documents(self, drawn: pd.DataFrame) -> pd.DataFrame:
        if _PAGE not in self.frame:
            return drawn
        return outputs_of(drawn, self.frame, page=_PAGE)

    def _drawn(self, sample: Sequence[SampledItem]) -> pd.DataFrame:
        """Sample as `extend_sample` takes it."""
        rows = [
            {"doc_id": item.doc_id, "draw_number": item.draw_number, "reason": item.reason}
            for item in sample
        ]
        drawn = pd.DataFrame(rows)
        if _PAGE not in self.frame:
            return drawn
        page = self.frame.set_index("doc_id")[_PAGE]
        named = drawn.assign(doc_id=page.loc[drawn["doc_id"]].to_numpy())
        return named.drop_duplicates("doc_id", ignore_index=True)


def sampling_pool(case: Case) -> pd.DataFrame:
    """Scored pool as a draw needs it.

    Texts, which take most of the memory of a large pool, are read where they tell which outputs
    belong together.
    """
    together = case.campaign.rounds.page.systems == SIDE_BY_SIDE
    return case.pool(without=() if together else TEXTS)


def sampling_draw(case: Case, pool: pd.DataFrame) -> Draw:
    """Draw that the campaign asks for; raises `InputError` if it names what the pool lacks."""
    wanted = case.campaign.sampling
    if wanted.stratum is not None and wanted.stratum not in pool.columns:
        raise InputError(
            f"sampling.stratum names the column {wanted.stratum!r}, which the pool lacks; "
            f"it has {', '.join(pool.columns[:11])}."
        )
    risk = risk_of(case, pool)
    frame = pd.DataFrame({"doc_id": pool["doc_id"], "risk": risk})
    if wanted.stratum is not None:
        frame["stratum"] = pool[wanted.stratum].fillna("(none)").astype(str)
    if case.campaign.rounds.page.systems == SIDE_BY_SIDE:
        pages = page_of_documents(pool, alike=True)
        check_pages(pool, pages)
        frame[_PAGE] = pages
    frame.attrs.update(getattr(risk, "attrs", {}))
    options = DrawOptions(
        shares=wanted.shares.model_dump(),
        floor=wanted.floor,
        stratum=None if wanted.stratum is None else "stratum",
        risk="risk",
        design=wanted.design,
    )
    return Draw(frame, options, seed=case.row.seed)


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
            reasons = (Reason("spread"),)
            risk.attrs |= {"rule": rule_of(reasons), "reasons": reasons}
            risk.attrs |= {"spread": bands.to_json(), "from": source}
            return risk
    close_to = wanted.borderline or Borderline()
    risk = choose_risk(
        pool,
        rule=wanted.risk,
        judge=case.campaign.risk_judge,
        score=close_to.score,
        threshold=close_to.threshold,
    )
    if wanted.design == "target" and wanted.risk == "auto":
        risk.attrs["fallback"] = phrase(
            "No earlier evaluation shows where the outcome varies, so the design target went by "
            "the risk: {rule}.",
            rule=risk.attrs["rule"],
        )
    return risk


def _bands(case: Case, pool: pd.DataFrame) -> tuple[SpreadBands | None, str | None]:
    """Expected spread of the outcome by band, and the evaluation that it comes from."""
    if (design := case.row.design) is not None:
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
    target, dimension = case.campaign.report.target, case.campaign.target_dimension
    scale = case.campaign.rubric.scales[dimension]
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
