"""Design of the sample."""

import math
import statistics
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from ocrjury.findings.sampling import Balance, RiskReason, SampleDesign
from ocrjury.language import phrase, tr, trn
from ocrjury.pages.numbers import (
    count,
    decimal,
    paragraph,
    percent,
    plural,
    range_text,
    short_hash,
)
from ocrjury.report.data import ReportData
from ocrjury.report.risk_words import FAVOURED, favoured, focus
from ocrjury.report.sections import Section
from ocrjury.report.sections.counts import Counts, counts_of, documents_text, pool_text
from ocrjury.report.sections.recommendations import recommendations_of
from ocrjury.report.stored_evaluation import Stored
from ocrjury.sampling import sample_size
from ocrjury.sampling.designs import (
    COMPONENTS,
    PART_NAMES,  # noqa: F401  # for the template
    Component,
    Design,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplePart:
    """One of the parts whose probabilities add up to a document's inclusion probability.

    ``mean_rating`` is the plain mean of the part's item means on the headline dimension, nan
    where nothing was rated; ``mean_weight`` the mean of 1 / inclusion probability.
    """

    reason: Component
    share: float
    items: int
    mean_weight: float
    mean_rating: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumCounts:
    """Documents of one stratum in the pool, and how many of them each part drew."""

    stratum: str
    pool: int
    drawn: Mapping[Component, int]

    @property
    def sample(self) -> int:
        """Number drawn in all."""
        return sum(self.drawn.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """The design of the sample."""

    pool_size: int
    n: int
    stratum: str
    parts: tuple[SamplePart, ...]
    strata: tuple[StratumCounts, ...]
    weight_low: float
    weight_median: float
    weight_high: float
    reasons: tuple[RiskReason, ...] = (RiskReason("cer"),)
    """Reasons why the error-focused part drew some documents more often; empty if it drew none."""
    recommended_n: int | None = None
    """Documents for a share within 5 points at 95 %, this pool's size taken into account."""
    note: str | None = None
    """Departure from the plan, as a sentence."""
    design: Design = "mixture"
    spread_from: str | None = None
    """Evaluation that showed where the outcome of the design target varies."""
    balance: tuple[Balance, ...] = ()
    pages: int | None = None
    """Pages of the pool where whole pages were drawn."""
    drawn_pages: int | None = None
    """Pages drawn with all their outputs, None where documents were drawn one by one."""

    @property
    def units(self) -> int:
        """Number of what was drawn from: documents, or pages."""
        return self.pool_size if self.pages is None else self.pages

    @property
    def everything(self) -> bool:
        """Whether the whole pool was taken."""
        return self.n >= self.pool_size

    @property
    def divided(self) -> bool:
        """Whether the pool has more than one stratum."""
        return len(self.strata) > 1

    @property
    def focused(self) -> bool:
        """Whether documents that are likely to be bad were drawn with a higher probability."""
        aimed = any(row.reason == "error_focused" and row.share > 0 for row in self.parts)
        return aimed and bool(self.reasons)


def sampling_of(stored: Stored) -> Sampling | None:
    """Design of the sample, None if none was drawn."""
    design, sampled = stored.design, [i for i in stored.items if i.purpose == "sample"]
    if design is None or not sampled:
        return None
    weights = [1 / (item.inclusion_probability or 1.0) for item in sampled]
    drawn = Counter((str(item.stratum), item.reason) for item in sampled)
    return Sampling(
        pool_size=stored.row.pool_size or 0,
        n=len(sampled),
        stratum=design.stratum or "all",
        parts=_parts(stored, design),
        strata=tuple(
            StratumCounts(
                stratum=name,
                pool=size,
                drawn={part: drawn[name, part] for part in COMPONENTS},
            )
            for name, size in design.pool_strata.items()
        ),
        weight_low=design.weight_min,
        weight_median=statistics.median(weights),
        weight_high=design.weight_max,
        reasons=design.reasons,
        recommended_n=sample_size(population=stored.row.pool_size),
        note=design.note,
        design=design.design,
        spread_from=design.spread_from,
        balance=design.balance,
        pages=design.pages,
        drawn_pages=None if design.pages is None else len({i.draw_number for i in sampled}),
    )


def _parts(stored: Stored, design: SampleDesign) -> tuple[SamplePart, ...]:
    estimates = stored.estimates.get(stored.target_dimension)
    means = {} if estimates is None else estimates.parts
    parts = []
    for part in COMPONENTS:
        items = [i for i in stored.items if i.reason == part]
        # Other designs never had the part; in a mixture it is said that it could not be used.
        if not items and not design.shares[part] and design.design != "mixture":
            continue
        weights = [1 / (i.inclusion_probability or 1.0) for i in items]
        parts.append(
            SamplePart(
                reason=part,
                share=design.shares[part],
                items=len(items),
                mean_weight=statistics.fmean(weights) if weights else math.nan,
                mean_rating=means.get(part, math.nan),
            )
        )
    return tuple(parts)


def stratum_words(sampling: Sampling) -> str:
    """Stratum's column as people call it."""
    if sampling.stratum == "doc_type":
        return tr("document type")
    return sampling.stratum.replace("_", " ")


def purpose(sampling: Sampling, part: Component) -> str:
    """Purpose of a part."""
    of = {"stratum": stratum_words(sampling)}
    return {
        "random": tr("A plain picture of the pool"),
        "stratified": tr("Enough items of every {stratum}", **of)
        if sampling.divided
        else tr("As the random part: the pool has no two {stratum}s to balance", **of),
        "error_focused": risk_words(sampling),
    }[part]


def risk_words(sampling: Sampling) -> str:
    """Reasons that made a document likely to be drawn by the error-focused part."""
    if any(reason.kind == "spread" for reason in sampling.reasons):
        return tr(
            "More often where {evaluation} showed that the outcome varies",
            evaluation=sampling.spread_from,
        )
    return focus(sampling.reasons)


def lead(sampling: Sampling, counts: Counts | None = None) -> str:
    """Section in two sentences."""
    if sampling.everything:
        return trn(
            "The pool has one item, and it was drawn.",
            "All {n} items of the pool were drawn.",
            sampling.pool_size,
        )
    pool = plural(sampling.pool_size, "document") if counts is None else pool_text(counts)
    drawn = tr(
        "{n} of {pool} ({share}) were drawn at random with known probabilities.",
        n=count(sampling.n),
        pool=pool,
        share=percent(sampling.n / sampling.pool_size, 1),
    )
    if not sampling.focused:
        alike = tr("Each is weighted by the inverse of its inclusion probability.")
        return paragraph([drawn, alike])
    return paragraph([drawn, FAVOURED[favoured(sampling.reasons)]])


def weights_text(sampling: Sampling) -> str:
    """Spread of the weights."""
    if sampling.everything:
        return tr("Every item stands for itself.")
    low, high = (decimal(weight, 1) for weight in (sampling.weight_low, sampling.weight_high))
    if low == high:
        return tr("Every drawn item stands for {n} items of the pool.", n=low)
    return tr(
        "One drawn item stands for {range} items of the pool (median {median}).",
        range=range_text(low, high),
        median=decimal(sampling.weight_median, 1),
    )


def means_text(report: ReportData, sampling: Sampling) -> str | None:
    """Meaning of the parts' mean ratings; None where nothing is estimated, and none are printed."""
    headline = report.shown_headline
    if headline is None or all(math.isnan(part.mean_rating) for part in sampling.parts):
        return None
    return tr(
        "The mean rating is that of the part’s items on {dimension}, each counted alike.",
        dimension=report.name(headline.dimension),
    )


DESIGNS = {
    "mixture": phrase("One draw; an item’s inclusion probability is a mixture of the parts below."),
    "stratified": phrase(
        "Every item has the same inclusion probability, and every stratum a fixed count."
    ),
    "target": phrase(
        "Inclusion probabilities are proportional to the expected spread of one outcome; a tenth "
        "of the sample is drawn at random in case that expectation is wrong."
    ),
}


def reproduce_text(report: ReportData) -> str:
    """Facts with which the same documents are drawn again."""
    who = report.identity
    if who.seed is None or not who.pool_hash:
        return ""
    return tr(
        "Seed {seed} draws the same items from pool {pool} again.",
        seed=who.seed,
        pool=short_hash(who.pool_hash),
    )


def size_text(sampling: Sampling, counts: Counts | None = None) -> str | None:
    """Size of the sample beside the recommended one."""
    wanted = sampling.recommended_n
    if wanted is None:
        return None
    needed = documents_text(counts, wanted)
    pool, n = count(sampling.pool_size), count(sampling.n)
    if sampling.n >= wanted:
        return tr(
            "A share known within 5 points at 95% takes {needed} of a pool of {pool}, all drawn "
            "with the same probability; this sample of {n} reaches that number.",
            needed=needed,
            pool=pool,
            n=n,
        )
    return tr(
        "A share known within 5 points at 95% takes {needed} of a pool of {pool}, all drawn with "
        "the same probability; this sample of {n} stays below that number.",
        needed=needed,
        pool=pool,
        n=n,
    )


SECTION = Section(
    "sampling",
    phrase("How the items were chosen"),
    "report/sampling.html.j2",
    lambda _: True,
    {"sampling": sampling_of, "counted": counts_of, "recommendations": recommendations_of},
)
