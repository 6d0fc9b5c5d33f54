"""The agreement on one dimension in print: what everybody wants first, the rest if asked for."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields

from ocrjury.cli.coefficient_tables import estimate_row, print_coefficients
from ocrjury.cli.printing import right, say, table
from ocrjury.estimate import Estimate, reason_words
from ocrjury.findings.agreement import (
    AgreementFinding,
    Disagreements,
    ItemSpread,
    PairKappa,
    PairKappas,
    PrevalenceIndices,
    Profile,
)
from ocrjury.gate.actions import OF_ITEMS
from ocrjury.pages.numbers import (
    NOTHING,
    decimal,
    has_interval,
    interval_text,
    percent,
    plural,
    signed,
)
from ocrjury.scales import Scale
from ocrjury.statistics import statistic

_SHOWN = 5  # items in the short list of disagreements, pairs in that of kappas


def print_dimension(
    finding: AgreementFinding, scale: Scale, *, gains: Mapping[str, Estimate], full: bool
) -> None:
    """Print one dimension; ``full`` adds the tables behind the sentences.

    ``gains`` is what alpha would gain without each rater.
    """
    print_coefficients(finding, scale, full=full)
    _print_judges(finding)
    if finding.variants is not None:
        _print_pairs(finding.variants.pairs, full=full)
        if finding.pairs is not None and not full:
            _print_weakest(finding.pairs)
        _print_prevalence(finding.variants.prevalence)
    _print_items(finding, scale, full=full)
    _print_raters(finding.profiles, scale, gains=gains, full=full)
    _print_remarks(finding)


def _print_judges(finding: AgreementFinding) -> None:
    if not finding.judges:
        return
    say()
    rows = [
        row
        for judge in finding.judges
        for row in (
            estimate_row(judge.judge, "judge_alignment", judge.alignment),
            estimate_row(
                f"{judge.judge}: {statistic('judge_ceiling').label}", "judge_ceiling", judge.ceiling
            ),
        )
    ]
    heads = right("value", "95 % interval", "items")
    alignment = statistic("judge_alignment").short_label
    table((f"{alignment} of automatic judges", *heads, "grade"), rows)
    for judge in finding.judges:
        if judge.seat is not None:
            say(f"May {judge.judge} take a rater's seat? {judge.seat.words}.")
            for text in judge.seat.warnings:
                say(f"- {text}")


def _print_pairs(pairs: Sequence[PairKappas], *, full: bool) -> None:
    if not pairs:
        return
    say()
    known = [kappas for kappas in pairs if kappas.spread.n]
    if known:
        heads = right("pairs", "mean", "sd", "lowest", "median", "highest")
        table(
            ("pairs of raters", *heads),
            [(statistic(row.statistic).label, *_spread(row)) for row in known],
        )
    else:
        reasons = dict.fromkeys(reason_words(row.estimate.reason) for row in pairs[0].rows)
        say(f"No pair of raters has a kappa: {'; '.join(reasons) or 'nobody rated'}.")
    if not full:
        return
    for kappas in pairs:
        _print_kappas(kappas.statistic, kappas.rows)


def _print_weakest(kappas: PairKappas) -> None:
    """Print the pairs that agree least, with the weights that fit the scale."""
    known = [row for row in kappas.rows if row.estimate.defined]
    shown = sorted(known, key=lambda row: row.estimate.value)[:_SHOWN]
    if shown:
        _print_kappas(kappas.statistic, shown)
    if len(shown) < len(known):
        say(f"and {len(known) - len(shown):,} pairs that agree more: --full")


def _print_kappas(key: str, rows: Sequence[PairKappa]) -> None:
    """Print kappas of pairs with their intervals and grades."""
    say()
    table(
        (f"{statistic(key).label} of", *right("value", "95 % interval", "items"), "grade"),
        [estimate_row(f"{row.rater_a}, {row.rater_b}", key, row.estimate) for row in rows],
    )


def _spread(pairs: PairKappas) -> tuple[str, ...]:
    """Number, mean, sd, ends and median of the kappas."""
    spread = pairs.spread
    count = f"{spread.n} of {len(pairs.rows)}" if spread.undefined else str(spread.n)
    numbers = (spread.mean, spread.sd, spread.min, spread.median, spread.max)
    return (count, *(decimal(number, 3) for number in numbers))


def _print_prevalence(indices: PrevalenceIndices | None) -> None:
    if indices is None or decimal(indices.prevalence_index) == decimal(None):
        return
    say()
    table(
        ("two raters, two categories", *right("value")),
        [
            (statistic(row.name).label, decimal(getattr(indices, row.name), 3))
            for row in fields(indices)
        ],
    )


def _print_items(finding: AgreementFinding, scale: Scale, *, full: bool) -> None:
    divided = finding.disagreements
    far = f"Ratings {divided.threshold:g} or more apart" if scale.ordered else "Ratings that differ"
    say()
    say(
        f"{far}: {plural(divided.n, 'item')} of {divided.n_items:,} with two or more ratings "
        f"({_share_text(divided)})"
    )
    shown = divided.rows if full else divided.rows[:_SHOWN]
    if shown:
        _print_widest(shown, ordered=scale.ordered)
    if len(shown) < divided.n:
        say(f"and {divided.n - len(shown):,} more: --full")
    if finding.item_means:
        say()
        rows = zip(scale.categories, finding.item_means, strict=True)
        counts = ", ".join(f"{category}: {number:,}" for category, number in rows)
        say(f"Item means, halves rounded up  {counts}")


def _share_text(divided: Disagreements) -> str:
    """Share of the items that divide raters, also weighted if they have weights."""
    counted, share = percent(divided.rate), divided.share
    if not share.defined:
        return counted
    interval = f"95 % interval {interval_text(share, share=True)}"
    weighted = percent(share.value)
    alike = math.isclose(share.value, divided.rate, abs_tol=1e-9)
    return f"{counted}, {interval}" if alike else f"{counted}; weighted {weighted}, {interval}"


def _print_widest(shown: Sequence[ItemSpread], *, ordered: bool) -> None:
    """Print items on which raters disagree; categories have no ends, only a number of values."""
    if ordered:
        table(
            ("item", *right("ratings", "lowest", "highest", "mean")),
            [
                (
                    *(row.item, str(row.n_ratings)),
                    *(f"{row.lowest:g}", f"{row.highest:g}", decimal(row.mean)),
                )
                for row in shown
            ],
        )
        return
    table(
        ("item", *right("ratings", "different")),
        [(row.item, str(row.n_ratings), f"{row.range + 1:g}") for row in shown],
    )


def _print_raters(
    profiles: Sequence[Profile], scale: Scale, *, gains: Mapping[str, Estimate], full: bool
) -> None:
    if not profiles:
        return
    rows = [
        (row.rater, _profile_cells(row, scale, gain=gains.get(row.rater), full=full))
        for row in profiles
    ]
    say()
    table(
        (
            "rater, strictest first" if scale.ordered else "rater",
            *right(*(title for _, cells in rows[:1] for title, _ in cells)),
        ),
        [(rater, *(cell for _, cell in cells)) for rater, cells in rows],
    )


def _profile_cells(
    profile: Profile, scale: Scale, *, gain: Estimate | None, full: bool
) -> list[tuple[str, str]]:
    """Titles and cells of one rater; ``gain`` is what alpha would gain without the rater."""
    cells = [("ratings", str(profile.count))]
    if scale.ordered:
        moments = ("median", "skew", "kurtosis", "low", "high") if full else ()
        cells.append((statistic("rater_mean").short_label.lower(), decimal(profile.mean.value)))
        if full:
            cells.append(("95 % interval", _range(profile.mean)))
        cells += [(name, decimal(getattr(profile, name))) for name in ("sd", *moments)]
        cells.append(("severity", signed(profile.severity.value)))
    if full or not scale.ordered:
        cells += zip(map(str, scale.categories), map(str, profile.counts), strict=True)
    if full:
        title = statistic("alpha_gain").short_label.lower()
        cells.append((title, decimal(None) if gain is None else signed(gain.value, 3)))
    return cells


def _range(mean: Estimate) -> str:
    """Interval of a mean, a dash where it has none."""
    ends = f"{decimal(mean.low)} to {decimal(mean.high)}"
    return ends if has_interval(mean) else NOTHING


def _print_remarks(finding: AgreementFinding) -> None:
    patterns = [
        f"{pattern.sentence} Items: {_named(pattern.subjects)}."
        if pattern.kind in OF_ITEMS
        else pattern.sentence
        for pattern in finding.patterns
    ]
    lines = [*patterns, *(suggestion.sentence for suggestion in finding.suggestions)]
    if lines:
        say()
    for line in lines:
        say(f"- {line}")


def _named(names: Sequence[str]) -> str:
    """The first few of what a sentence is about."""
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"
