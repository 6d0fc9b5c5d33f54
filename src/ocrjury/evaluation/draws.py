"""Draws of documents, or of pages with all that was read of them, as the campaign wishes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.pages import SIDE_BY_SIDE, check_pages, page_of_documents
from ocrjury.evaluation.risks import risk_of
from ocrjury.sampling import (
    draw_sample,
    extend_sample,
    inclusion_probabilities,
    outputs_of,
    page_frame,
    pages_for,
)
from ocrjury.store.documents import SampledItem

_PAGE = "page"
TOGETHER = (
    "All outputs of a page are drawn together, with the probability of the page: {drawn} of "
    "{pages} pages."
)


@dataclass(frozen=True)
class Draw:
    """How a pool's documents are drawn; a *unit* is a document, or a page with all its outputs.

    Attributes
    ----------
    frame
        ``doc_id``, ``risk``, and where they are used ``stratum`` and ``page``.
    options
        The campaign's settings, as `draw_sample` takes them.
    """

    frame: pd.DataFrame
    options: dict[str, Any]

    @cached_property
    def units(self) -> pd.DataFrame:
        """Units of the draw: documents, or pages."""
        if _PAGE not in self.frame:
            return self.frame
        return page_frame(self.frame, page=_PAGE, stratum=self.options["stratum"])

    @property
    def note(self) -> str | None:
        """Template of the sentence of the report on a draw of pages, None for documents."""
        return TOGETHER if _PAGE in self.frame else None

    def units_for(self, n: int) -> int:
        """Number of units that hold about ``n`` documents."""
        if _PAGE not in self.frame:
            return n
        return pages_for(n, documents=len(self.frame), pages=len(self.units))

    def sample(self, n: int) -> pd.DataFrame:
        """Draw about ``n`` documents, exactly ``n`` where each is a unit of its own."""
        return self._documents(draw_sample(self.units, n=self.units_for(n), **self.options))

    def enlarged(self, sample: Sequence[SampledItem], *, more: int) -> pd.DataFrame:
        """Extend a sample by about ``more`` documents."""
        drawn = self._drawn(sample)
        n = len(drawn) + self.units_for(more)
        if more <= len(self.frame) - len(sample):  # pages hold about so many, never too many
            n = min(n, len(self.units))
        return self._documents(extend_sample(self.units, drawn=drawn, n=n, **self.options))

    def whole(self, sample: Sequence[SampledItem]) -> pd.DataFrame:
        """All documents of the pool in the order in which a sample would grow."""
        drawn = self._drawn(sample)
        n = len(self.units)
        return self._documents(extend_sample(self.units, drawn=drawn, n=n, **self.options))

    def probabilities(self, n: int) -> "pd.Series[float]":
        """Probability of every document to be in the first ``n`` units, by doc_id."""
        options = {name: value for name, value in self.options.items() if name != "seed"}
        of_unit = pd.Series(0.0, index=pd.Index(self.units["doc_id"]))
        if n:
            of_unit[:] = inclusion_probabilities(self.units, n=n, **options)
        unit = self.frame[_PAGE if _PAGE in self.frame else "doc_id"]
        return pd.Series(of_unit.loc[unit].to_numpy(), index=pd.Index(self.frame["doc_id"]))

    def _documents(self, drawn: pd.DataFrame) -> pd.DataFrame:
        """Documents of the drawn units."""
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


def sampling_draw(case: Case, pool: pd.DataFrame) -> Draw:
    """Draw that the campaign asks for, on its pool.

    Raises
    ------
    InputError
        If the campaign names what the pool does not have.
    """
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
    return Draw(
        frame,
        {
            "shares": wanted.shares.model_dump(),
            "floor": wanted.floor,
            "stratum": None if wanted.stratum is None else "stratum",
            "risk": "risk",
            "seed": case.row.seed,
            "design": wanted.design,
        },
    )
