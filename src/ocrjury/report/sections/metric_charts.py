"""Sentences about the distributions of a pool's metrics, their relations and the confusions."""

from ocrjury.findings.pool_metrics import (
    CharacterConfusion,
    Confusions,
    MetricDistribution,
    MetricPair,
    MetricRanks,
    PoolMetrics,
)
from ocrjury.language import counted, phrase, tr, trn
from ocrjury.metrics import METRICS
from ocrjury.pages.document_text import visible
from ocrjury.pages.numbers import (
    NOTHING,
    count,
    decimal,
    listing,
    paragraph,
    percent,
    plural,
    series,
)
from ocrjury.report.sections.counts import Counts, documents_text
from ocrjury.report.ties import foremost
from ocrjury.report_choices import Examples

_KINDS = {
    "replace": phrase("replaced characters"),
    "insert": phrase("added characters"),
    "delete": phrase("missing characters"),
}
_MIXED = 0.05
_ALIKE = 0.9


def value(metric: str, number: float) -> str:
    """A metric as its chart prints it."""
    return percent(number) if METRICS[metric].is_share else decimal(number)


def tail_name(distribution: MetricDistribution) -> str:
    """Name of the percentile on the bad side."""
    return tr("{n}th percentile", n=f"{100 * distribution.tail_at:.0f}")


def distributions_title(metrics: PoolMetrics) -> str:
    """Finding of the histograms."""
    cer = next((row for row in metrics.distributions if row.metric == "cer"), None)
    if cer is None:
        return tr("No output has a reference, so there is no error rate")
    return tr(
        "{right} of the outputs have no error; the worst 5% have a CER of {tail} or more",
        right=percent(cer.best / cer.n, 0),
        tail=percent(cer.tail, 0),
    )


def distributions_text(metrics: PoolMetrics, counts: Counts | None = None) -> str:
    """Population of the histograms."""
    pool = documents_text(counts, metrics.n)
    whole = (
        tr("All {documents} of the pool, so without sampling error.", documents=pool)
        if metrics.known
        else tr(
            "All {n} of {documents} that have a reference, so without sampling error.",
            n=count(metrics.n_reference),
            documents=pool,
        )
    )
    return paragraph([whole, tr("Orange: the bad tail."), _beyond_text(metrics)])


def _beyond_text(metrics: PoolMetrics) -> str:
    """Numbers of documents beyond the last bar of each histogram; empty without any."""
    beyond = [
        tr(
            "{n} above {end} {metric}",
            n=count(row.beyond),
            end=percent(row.edges[-1], 0),
            metric=METRICS[row.metric].short_label,
        )
        for row in metrics.distributions
        if row.beyond
    ]
    if not beyond:
        return ""
    return tr("The last bar also holds what lies beyond: {documents}.", documents=listing(beyond))


def distribution_alternative(row: MetricDistribution) -> str:
    """Histogram in words."""
    return trn(
        "Histogram of {metric} over {n} output: median {median}, mean {mean}, {name} {tail}.",
        "Histogram of {metric} over {n} outputs: median {median}, mean {mean}, {name} {tail}.",
        row.n,
        metric=METRICS[row.metric].short_label,
        median=value(row.metric, row.median),
        mean=value(row.metric, row.mean),
        name=tail_name(row),
        tail=value(row.metric, row.tail),
    )


def pair_title(pair: MetricPair) -> str:
    """Finding of a grid of two metrics."""
    if pair.y != "wer":
        low = sum(cell.n for cell in pair.cells if cell.row == 0)
        end, share = decimal(1 / pair.bins), percent(low / pair.n, 0)
        return tr("BLEU is below {end} on {share} of outputs", end=end, share=share)
    above = pair.above / pair.n
    below = (pair.n - pair.above - pair.equal) / pair.n
    if above <= _MIXED and below <= _MIXED:
        return tr("WER equals CER on {share} of outputs", share=percent(pair.equal / pair.n, 0))
    if below > _MIXED:
        return tr(
            "WER is above CER on {above} and below it on {below}",
            above=percent(above, 0),
            below=percent(below, 0),
        )
    return tr("WER is above CER on {share} of outputs", share=percent(above, 0))


def pair_text(pair: MetricPair) -> str:
    """Caption of a grid."""
    line = tr("Dashed: equal.") if pair.y == "wer" else ""
    beyond = trn("{n} lies beyond the axes.", "{n} lie beyond the axes.", pair.beyond)
    return paragraph([all_text(pair.n), line, beyond if pair.beyond else ""])


def all_text(n: int) -> str:
    """Number of documents that a chart counts, which is no sample."""
    return tr("All {n}, no sampling error.", n=count(n))


def ranks_text(ranks: MetricRanks) -> str:
    """Legend of the rank correlations."""
    return paragraph([tr("Spearman’s ρ."), all_text(ranks.n)])


def pair_alternative(pair: MetricPair) -> str:
    """Grid in words."""
    return trn(
        "{y} against {x} of {n} output, counted on a grid of {bins} by {bins}: {finding}.",
        "{y} against {x} of {n} outputs, counted on a grid of {bins} by {bins}: {finding}.",
        pair.n,
        x=METRICS[pair.x].short_label,
        y=METRICS[pair.y].short_label,
        bins=pair.bins,
        finding=pair_title(pair),
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
        return tr("The metrics do not vary")
    least = foremost(pairs, lambda pair: pair[0], decimal, of=min)
    size, i, j = least[0]
    if size >= _ALIKE:
        return tr("All metrics rank the outputs much alike (|ρ| ≥ {size})", size=decimal(size))
    if len(least) > 1:
        return tr(
            "{n} of {pairs} of metrics agree least (|ρ| = {size})",
            n=len(least),
            pairs=plural(len(pairs), "pair"),
            size=decimal(size),
        )
    return tr(
        "{first} and {second} agree least (ρ = {rho})",
        first=METRICS[ranks.metrics[j]].short_label,
        second=METRICS[ranks.metrics[i]].short_label,
        rho=decimal(ranks.rows[i][j]),
    )


def ranks_alternative(ranks: MetricRanks) -> str:
    """Rank correlations in words."""
    pairs = series(
        tr(
            "{first} and {second} {rho}",
            first=METRICS[ranks.metrics[j]].short_label,
            second=METRICS[ranks.metrics[i]].short_label,
            rho=decimal(ranks.rows[i][j]),
        )
        for i in range(len(ranks.metrics))
        for j in range(i)
    )
    return trn(
        "Spearman’s ρ over {n} output: {pairs}.",
        "Spearman’s ρ over {n} outputs: {pairs}.",
        ranks.n,
        pairs=pairs,
    )


def confusions_title(confusions: Confusions) -> str:
    """Finding of the table of confusions."""
    if not confusions.n:
        return tr("No character was misread")
    kind, n = max(confusions.edits.items(), key=lambda edit: edit[1])
    share = percent(n / confusions.n, 0)
    return tr("{share} of the character errors are {kind}", share=share, kind=_KINDS[kind])


def confusions_text(confusions: Confusions) -> str:
    """Numbers of edits by kind."""
    return trn(
        "{n} wrong character: {replaced} replaced, {added} added and {missing} missing, in "
        "{confusions}.",
        "{n} wrong characters: {replaced} replaced, {added} added and {missing} missing, in "
        "{confusions}.",
        confusions.n,
        replaced=count(confusions.edits["replace"]),
        added=count(confusions.edits["insert"]),
        missing=count(confusions.edits["delete"]),
        confusions=counted(confusions.distinct, "different confusion"),
    )


def confusions_shown(confusions: Confusions, examples: Examples) -> tuple[CharacterConfusion, ...]:
    """Confusions that a report may print: none where it shows no texts."""
    return () if examples == "off" else confusions.pairs


def confusions_note(confusions: Confusions, examples: Examples) -> str:
    """Confusions that are left out, with the reason; empty where none is."""
    if not confusions.n:
        return ""
    if examples == "off" or (not confusions.pairs and confusions.least_pages == 1):
        return tr("Characters are not printed, because this report shows no texts.")
    if confusions.least_pages > 1:
        return tr(
            "Only confusions seen on at least {n} pages are printed, so that no rare character "
            "tells whose document it is.",
            n=confusions.least_pages,
        )
    return ""


def character(text: str) -> str:
    """A character as people can see it."""
    return {"": NOTHING, " ": tr("space")}.get(text) or visible(text)
