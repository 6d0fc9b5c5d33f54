"""How the items were chosen."""

from ocrjury.pages.numbers import count, decimal, percent, plural, short_hash, signed
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Part, Sampling, StratumCounts

PART_NAMES: dict[Part, str] = {
    "random": "Random",
    "stratified": "Stratified",
    "error_focused": "Error-focused",
}


def stratum_words(sampling: Sampling) -> str:
    """Return the stratum's column as people call it."""
    return {"doc_type": "document type"}.get(sampling.stratum, sampling.stratum.replace("_", " "))


def purpose(sampling: Sampling, part: Part) -> str:
    """Return why a part exists."""
    return {
        "random": "A plain picture of the pool",
        "stratified": f"Enough items of every {stratum_words(sampling)}",
        "error_focused": risk_words(sampling),
    }[part]


def risk_words(sampling: Sampling) -> str:
    """Return what made a document likely to be drawn by the error-focused part."""
    if sampling.risk == "none":
        return "Not used: neither references nor confidences are known"
    if sampling.risk == "expected spread":
        return f"More often where {sampling.spread_from} showed that the outcome varies"
    if " close to " in sampling.risk:
        return f"Settle doubt: more often where {sampling.risk}"
    where = {
        "cer": "the error rate is high",
        "confidence": "OCR confidence is low",
        "cer and confidence": "the error rate is high, or confidence low without a reference",
    }.get(sampling.risk, f"the {sampling.risk} is high")
    return f"Find failures: more often where {where}"


def lead(sampling: Sampling) -> str:
    """Return the section in two sentences."""
    if sampling.everything:
        if sampling.pool_size == 1:
            return "The pool has one document, and it was drawn."
        return f"All {plural(sampling.pool_size, 'document')} of the pool were drawn."
    share = percent(sampling.n / sampling.pool_size, 1)
    drawn = (
        f"{count(sampling.n)} of {plural(sampling.pool_size, 'document')} ({share}) were drawn at "
        "random with known probabilities."
    )
    if not sampling.focused:
        return f"{drawn} Each is weighted by the inverse of its inclusion probability."
    if sampling.risk == "expected spread" or " close to " in sampling.risk:
        return (
            f"{drawn} Documents on which a rating tells most were drawn with a higher probability "
            "on purpose; each is weighted by the inverse of its inclusion probability."
        )
    return (
        f"{drawn} Documents that are likely to be bad were drawn with a higher probability on "
        "purpose; each is weighted by the inverse of its inclusion probability, so difficult ones "
        "count less."
    )


def weights_text(sampling: Sampling) -> str:
    """Return how far the weights spread."""
    if sampling.everything:
        return "Every document stands for itself."
    low, high = (decimal(one, 1) for one in (sampling.weight_low, sampling.weight_high))
    if low == high:
        return f"Every drawn document stands for {low} documents of the pool."
    return (
        f"One drawn document stands for {low} to {high} documents of the pool "
        f"(median {decimal(sampling.weight_median, 1)})."
    )


def parts_text(report: ReportData) -> str:
    """Return what the mean ratings of the parts are."""
    headline = report.shown_headline
    on = "" if headline is None else f" on {report.name(headline.dimension)}"
    return f"The mean rating is that of the part’s items{on}, each counted alike."


BALANCE_NAMES = {
    "cer": "Character error rate",
    "no_error": "Documents without an error",
    "confidence": "OCR confidence",
}


def balance_title(sampling: Sampling) -> str:
    """Return the finding of the table: whether the weights bring back the pool."""
    off = [abs(row.weighted - row.pool) for row in sampling.balance]
    plain = [abs(row.sample - row.pool) for row in sampling.balance]
    if max(plain) < 0.02:
        return "The sample looks like the pool as it is"
    if max(off) < max(plain) / 2:
        return "The sample differs from the pool on purpose; its weights bring the pool back"
    return "The sample differs from the pool, with its weights too"


DESIGNS = {
    "mixture": "One draw; a document’s inclusion probability is a mixture of the parts below.",
    "stratified": "Every document has the same inclusion probability, and every stratum a fixed "
    "count.",
    "target": "Inclusion probabilities are proportional to the expected spread of one outcome; a "
    "tenth of the sample is drawn at random in case that expectation is wrong.",
}


def reproduce_text(report: ReportData) -> str:
    """Return what draws the same documents again."""
    who = report.identity
    if who.seed is None or not who.pool_hash:
        return ""
    return f"Seed {who.seed} draws the same documents from pool {short_hash(who.pool_hash)} again."


def size_text(sampling: Sampling) -> str | None:
    """Return how the sample compares with the recommended size."""
    wanted = sampling.recommended_n
    if wanted is None:
        return None
    verb = "reaches" if sampling.n >= wanted else "stays below"
    return (
        f"A share known within 5 points at 95% takes {plural(wanted, 'document')} of a pool of "
        f"{count(sampling.pool_size)}; this sample of {count(sampling.n)} {verb} that."
    )


def weighting_text(report: ReportData) -> str | None:
    """Return what the weights did to the headline."""
    headline = report.shown_headline
    if headline is None or headline.naive is None or not headline.others.defined:
        return None
    moved = headline.others.value - headline.naive
    scale = 100 if headline.is_share else 1
    unit = "percentage points" if headline.is_share else "points"
    return (
        f"Weighting and the pool’s error rates move the headline by {signed(moved * scale)} {unit}."
    )


def shares(sampling: Sampling, row: StratumCounts) -> tuple[float, float]:
    """Return a stratum's share of the sample and of the pool."""
    return row.sample / max(sampling.n, 1), row.pool / max(sampling.pool_size, 1)


def _extra(sampling: Sampling, row: StratumCounts) -> float:
    """Return by how much a stratum's share of the sample exceeds that of the pool."""
    drawn, pool = shares(sampling, row)
    return drawn - pool


def chart_title(sampling: Sampling) -> str:
    """Return the finding of the chart of sample against pool."""
    if sampling.everything:
        return "Every document of the pool is in the sample"
    row = max(sampling.strata, key=lambda row: _extra(sampling, row))
    if _extra(sampling, row) < 0.02:
        return f"The sample has the pool’s mix of {stratum_words(sampling)}s"
    drawn, pool = shares(sampling, row)
    return (
        f"{row.stratum} is most over-represented: {percent(drawn, 0)} of the sample, "
        f"{percent(pool, 0)} of the pool"
    )


def chart_alternative(sampling: Sampling) -> str:
    """Return the chart in words."""
    rows = [f"{row.stratum} {row.sample} of {count(row.pool)}" for row in sampling.strata]
    return f"{chart_title(sampling)}. Drawn of pool: {', '.join(rows)}."


def recommendations_title(report: ReportData) -> str:
    """Return how many recommendations were followed."""
    judged = [row for row in report.recommendations if row.met is not None]
    met = sum(bool(row.met) for row in judged)
    return f"{met} of {plural(len(judged), 'recommendation')} for human evaluation met"
