"""Agreement of every pair of raters."""

from statistics import mean

from ocrjury.findings.agreement import PairKappa, PairSpread
from ocrjury.language import said, tr
from ocrjury.pages.numbers import (
    count,
    decimal,
    estimate_text,
    paragraph,
    plural,
    series,
    value_text,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections.agreement import Agreement, known_columns, weights_text
from ocrjury.report.ties import foremost
from ocrjury.statistics import statistic

ROOMY = 6
"""Raters up to whom a cell of the table of pairs has room for an interval."""
_WEAKEST = 5
_MEAN = "mean_pairwise_weighted_kappa"
_FEW = {None, "no_pairable_items", "too_few_common_items"}
_FEW_IN_COMMON = 20
"""Items on average of which a kappa comes out .05 to .1 too low where most ratings are alike."""


def heat_title(agreement: Agreement) -> str:
    """Finding of the table of pairs: who agree least, unless that is all of them."""
    known = [pair for pair in agreement.pairs if pair.estimate.defined]
    if not known:
        few = all(pair.estimate.reason in _FEW for pair in agreement.pairs)
        return (
            tr("No pair of raters has enough items in common")
            if few
            else tr("No pair of raters has a κ")
        )
    weakest = foremost(known, lambda pair: pair.estimate.value, decimal, of=min)
    pair, kappa = weakest[0], value_text(weakest[0].estimate)
    words = {"first": pair.rater_a, "second": pair.rater_b, "kappa": kappa}
    items = plural(pair.estimate.n_items, "item")
    if len(known) == 1:
        return tr("{first} and {second}: κ {kappa} on {items}", **words, items=items)
    if len(weakest) == 1:
        return tr("{first} and {second} agree least: κ {kappa} on {items}", **words, items=items)
    if len(weakest) == len(known):
        return tr("All pairs of raters agree alike: κ {kappa}", kappa=kappa)
    return tr(
        "{n} of {pairs} of raters agree least: κ {kappa}",
        n=len(weakest),
        pairs=plural(len(known), "pair"),
        kappa=kappa,
    )


def heat_subtitle(report: ReportData) -> str:
    """Meaning of the cells."""
    agreement = report[Agreement]
    kappa = said(statistic(agreement.pairs_statistic).short_label)
    name = report.name(agreement.pairs_dimension or "")
    words = {"kappa": kappa, "name": name}
    if _crowded(agreement):
        cells = tr("Every pair on {name}: {kappa}; n is the number of items both rated.", **words)
    else:
        cells = tr(
            "Every pair on {name}: {kappa}; below it its 95% interval, n is the number of items "
            "both rated.",
            **words,
        )
    return paragraph([cells, weights_text(report)])


def few_in_common(report: ReportData) -> str:
    """Caution on kappas of raters who share few items; empty if they share many."""
    pairs = report[Agreement].pairs
    shared = [pair.estimate.n_items for pair in pairs if pair.estimate.defined]
    if _MEAN not in known_columns(report) or not shared or mean(shared) >= _FEW_IN_COMMON:
        return ""
    number = count(round(mean(shared)))
    if len(shared) == len(pairs):
        average = tr("Two raters share {n} items on average.", n=number)
    else:
        average = tr("Two raters with a κ share {n} items on average.", n=number)
    caution = tr(
        "{kappa} of so few comes out too low where most ratings are alike; {alpha}, which takes "
        "all items together, hardly does.",
        kappa=said(statistic(_MEAN).short_label),
        alpha=said(statistic("krippendorff_alpha").short_label),
    )
    return paragraph([average, caution])


def weakest_pairs(agreement: Agreement) -> list[PairKappa]:
    """Pairs that agree least, with their intervals, where cells have no room for intervals."""
    known = [pair for pair in agreement.pairs if pair.estimate.defined]
    alike = len({decimal(pair.estimate.value) for pair in known}) == 1
    listed = sorted(known, key=lambda pair: pair.estimate.value)[:_WEAKEST]
    return listed if _crowded(agreement) and not alike else []


def _crowded(agreement: Agreement) -> bool:
    return len(pair_raters(agreement)) > ROOMY


def heat_alternative(report: ReportData) -> str:
    """Table of pairs in words."""
    known = [pair for pair in report[Agreement].pairs if pair.estimate.defined]
    unknown = len(report[Agreement].pairs) - len(known)
    parts = series(
        tr(
            "{first} and {second} {estimate}",
            first=pair.rater_a,
            second=pair.rater_b,
            estimate=estimate_text(pair.estimate),
        )
        for pair in known
    )
    return paragraph(
        [
            tr("{sentence}.", sentence=heat_title(report[Agreement])),
            tr("{sentence}.", sentence=parts),
            tr("{pairs} undefined.", pairs=plural(unknown, "pair")) if unknown else "",
        ]
    )


def pair_raters(agreement: Agreement) -> list[str]:
    """Raters of the table of pairs, sorted."""
    return sorted({name for pair in agreement.pairs for name in (pair.rater_a, pair.rater_b)})


def pair_rows(report: ReportData) -> list[tuple[str, PairSpread]]:
    """Spread of the kappas of pairs, by the dimension's name."""
    return [
        (report.name(row.dimension), row.pairs.spread)
        for row in report[Agreement].dimensions
        if row.pairs is not None and row.pairs.rows
    ]


def pairs_title(report: ReportData) -> str:
    """Number of pairs with a kappa."""
    pairs = report[Agreement].pairs
    known = sum(pair.estimate.defined for pair in pairs)
    return tr("κ over {pairs}", pairs=plural(known, "pair")) if known else tr("κ over pairs")


def pairs_text(agreement: Agreement) -> str | None:
    """Reason why some pairs have no kappa, None where all have one."""
    known = sum(pair.estimate.defined for pair in agreement.pairs)
    if known == len(agreement.pairs):
        return None
    return tr(
        "{pairs} undefined: too few items in common, or no variation.",
        pairs=plural(len(agreement.pairs) - known, "pair"),
    )
