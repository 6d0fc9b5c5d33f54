"""The sample beside the pool: strata, and what is known of every document."""

from operator import sub

from ocrjury.language import phrase, tr
from ocrjury.metrics import METRICS
from ocrjury.pages.numbers import count, percent, series
from ocrjury.report.sections.sampling import Sampling, StratumCounts, stratum_words

BALANCE_NAMES = {
    "cer": METRICS["cer"].stands_for,
    "no_error": phrase("Outputs without an error"),
    "confidence": phrase("OCR confidence"),
}


def balance_title(sampling: Sampling) -> str:
    """Finding of the table: whether the weights bring back the pool."""
    off = [abs(row.weighted - row.pool) for row in sampling.balance]
    plain = [abs(row.sample - row.pool) for row in sampling.balance]
    if max(plain) < 0.02:
        return tr("The sample looks like the pool as it is")
    if max(off) < max(plain) / 2:
        return tr("The sample differs from the pool on purpose; its weights bring it close again")
    return tr("The sample differs from the pool, with its weights too")


def shares(sampling: Sampling, row: StratumCounts) -> tuple[float, float]:
    """A stratum's share of the sample and of the pool."""
    return row.sample / max(sampling.n, 1), row.pool / max(sampling.pool_size, 1)


def chart_title(sampling: Sampling) -> str:
    """Finding of the chart of sample against pool."""
    if sampling.everything:
        return tr("The whole pool is in the sample")
    row = max(sampling.strata, key=lambda row: sub(*shares(sampling, row)))
    drawn, pool = shares(sampling, row)
    if drawn - pool < 0.02:
        return tr("The sample has the pool’s mix of {stratum}s", stratum=stratum_words(sampling))
    return tr(
        "{stratum} is most over-represented: {sample} of the sample, {pool} of the pool",
        stratum=row.stratum,
        sample=percent(drawn, 0),
        pool=percent(pool, 0),
    )


def chart_text(sampling: Sampling) -> str:
    """Caption of the chart, with what it counts."""
    return tr(
        "Share of the sample by part, above the share of the pool; on the right the share of the "
        "sample, and the items drawn of those in the pool. All {n} drawn and all {pool} in the "
        "pool are counted: no sampling error.",
        n=count(sampling.n),
        pool=count(sampling.pool_size),
    )


def chart_alternative(sampling: Sampling) -> str:
    """Chart in words."""
    rows = [
        tr("{name} {n} of {total}", name=row.stratum, n=row.sample, total=count(row.pool))
        for row in sampling.strata
    ]
    return tr("{title}. Drawn of pool: {rows}.", title=chart_title(sampling), rows=series(rows))
