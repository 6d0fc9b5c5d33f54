"""Sentences about the distributions of a pool's metrics, their relations and the confusions."""

from ocrjury.findings.pool_metrics import (
    CharacterConfusion,
    Confusions,
    MetricDistribution,
    MetricPair,
    MetricRanks,
    PoolMetrics,
)
from ocrjury.pages.document_text import visible
from ocrjury.pages.numbers import count, decimal, listing, percent, plural
from ocrjury.report.evidence import Examples

SHORT = {
    "cer": "CER",
    "wer": "WER",
    "ned": "NED",
    "bleu": "BLEU",
    "char_f1": "F1",
    "exact_match": "Exact",
}
_EDITS = {"replace": "replaced", "insert": "added", "delete": "missing"}
_KINDS = {
    "replace": "replaced characters",
    "insert": "added characters",
    "delete": "missing characters",
}
_MIXED = 0.05


def value(metric: str, number: float) -> str:
    """A metric as its chart prints it."""
    return decimal(number) if metric == "bleu" else percent(number)


def tail_name(distribution: MetricDistribution) -> str:
    """Name of the percentile on the bad side."""
    return f"{100 * distribution.tail_at:.0f}th percentile"


def distributions_title(metrics: PoolMetrics) -> str:
    """Finding of the histograms."""
    cer = next((row for row in metrics.distributions if row.metric == "cer"), None)
    if cer is None:
        return "No document has a reference, so there is no error rate"
    right = f"{percent(cer.best / cer.n, 0)} of the outputs have no error"
    worst = f"the worst 5% have a CER of {percent(cer.tail, 0)} or more"
    return f"{right}; {worst}"


def distributions_text(metrics: PoolMetrics) -> str:
    """Population of the histograms."""
    missing = metrics.n - metrics.n_reference
    whole = (
        f"All {count(metrics.n)} documents of the pool."
        if not missing
        else f"{count(metrics.n_reference)} of {count(metrics.n)} documents; the others have no "
        "reference."
    )
    beyond = [
        f"{count(row.beyond)} above {percent(row.edges[-1], 0)} {SHORT[row.metric]}"
        for row in metrics.distributions
        if row.beyond
    ]
    tail = f" The last bar also holds what lies beyond: {listing(beyond)}." if beyond else ""
    return f"{whole} Orange: the bad tail.{tail}"


def distribution_alternative(row: MetricDistribution) -> str:
    """Histogram in words."""
    return (
        f"Histogram of {SHORT[row.metric]} over {plural(row.n, 'document')}: median "
        f"{value(row.metric, row.median)}, mean {value(row.metric, row.mean)}, {tail_name(row)} "
        f"{value(row.metric, row.tail)}."
    )


def pair_title(pair: MetricPair) -> str:
    """Finding of a grid of two metrics."""
    if pair.y != "wer":
        low = sum(cell.n for cell in pair.cells if cell.row == 0)
        return f"BLEU is below {decimal(1 / pair.bins)} on {percent(low / pair.n, 0)} of outputs"
    above = pair.above / pair.n
    below = (pair.n - pair.above - pair.equal) / pair.n
    if above <= _MIXED and below <= _MIXED:
        return f"WER equals CER on {percent(pair.equal / pair.n, 0)} of outputs"
    if below > _MIXED:
        return f"WER is above CER on {percent(above, 0)} and below it on {percent(below, 0)}"
    return f"WER is above CER on {percent(above, 0)} of outputs"


def pair_text(pair: MetricPair) -> str:
    """What a grid shows."""
    line = " Dashed: equal." if pair.y == "wer" else ""
    beyond = f" {count(pair.beyond)} lie beyond the axes." if pair.beyond else ""
    return f"n = {count(pair.n)}.{line}{beyond}"


def pair_alternative(pair: MetricPair) -> str:
    """Grid in words."""
    return (
        f"{SHORT[pair.y]} against {SHORT[pair.x]} of {plural(pair.n, 'document')}, counted on a "
        f"grid of {pair.bins} by {pair.bins}: {pair_title(pair)}."
    )


def ranks_title(ranks: MetricRanks) -> str:
    """Finding of the rank correlations."""
    pairs = [
        (abs(ranks.rows[i][j]), i, j)
        for i in range(len(ranks.metrics))
        for j in range(i)
        if ranks.rows[i][j] == ranks.rows[i][j]
    ]
    if not pairs:
        return "The metrics do not vary"
    size, i, j = min(pairs)
    first, second = SHORT[ranks.metrics[j]], SHORT[ranks.metrics[i]]
    if size >= 0.9:
        return f"All metrics rank the outputs much alike (|ρ| ≥ {decimal(size)})"
    return f"{first} and {second} agree least (ρ = {decimal(ranks.rows[i][j])})"


def ranks_alternative(ranks: MetricRanks) -> str:
    """Rank correlations in words."""
    rows = (
        f"{SHORT[ranks.metrics[j]]} and {SHORT[ranks.metrics[i]]} {decimal(ranks.rows[i][j])}"
        for i in range(len(ranks.metrics))
        for j in range(i)
    )
    return f"Spearman’s ρ over {plural(ranks.n, 'document')}: {', '.join(rows)}."


def confusions_title(confusions: Confusions) -> str:
    """Finding of the table of confusions."""
    if not confusions.n:
        return "No character was misread"
    kind, n = max(confusions.edits.items(), key=lambda edit: edit[1])
    return f"{percent(n / confusions.n, 0)} of the character errors are {_KINDS[kind]}"


def confusions_text(confusions: Confusions) -> str:
    """Numbers of edits by kind."""
    parts = [f"{count(n)} {_EDITS[kind]}" for kind, n in confusions.edits.items()]
    return (
        f"{plural(confusions.n, 'wrong character')}: {listing(parts)}, in "
        f"{plural(confusions.distinct, 'different confusion')}."
    )


def confusions_shown(confusions: Confusions, examples: Examples) -> tuple[CharacterConfusion, ...]:
    """Confusions that a report may print: none where it shows no texts."""
    return () if examples == "off" else confusions.pairs


def confusions_note(confusions: Confusions, examples: Examples) -> str:
    """Which confusions are left out, and why; empty where none is."""
    if not confusions.n:
        return ""
    if examples == "off" or (not confusions.pairs and confusions.least_pages == 1):
        return "Characters are not printed, because this report shows no texts."
    if confusions.least_pages > 1:
        return (
            f"Only confusions seen on at least {confusions.least_pages} pages are printed, so that "
            "no rare character tells whose document it is."
        )
    return ""


def character(text: str) -> str:
    """A character as people can see it."""
    return {"": "—", " ": "space"}.get(text) or visible(text)
