"""Coefficients of one dimension in print, with intervals and grades.

A printed interval ends where its statistic ends; JSON holds the interval as it was computed.
"""

import math
from collections.abc import Iterable

from ocrjury.cli.printing import BAD, GOOD, QUIET, WARNING, Cell, Column, right, say, table
from ocrjury.estimate import Estimate, reason_words
from ocrjury.findings.agreement import AgreementFinding, Variants
from ocrjury.pages.numbers import NOTHING, bounded, decimal, has_interval, percent, plural
from ocrjury.pages.statistic_numbers import in_unit
from ocrjury.scales import Scale
from ocrjury.statistics import STATISTICS, grade, statistic

_STYLES = (BAD, WARNING, WARNING, GOOD, GOOD)  # by the level of a grade


def coefficients(finding: AgreementFinding) -> dict[str, Estimate]:
    """Every coefficient of a dimension, in the order of the table of statistics."""
    estimates = {**finding.estimates, **(finding.variants.estimates if finding.variants else {})}
    return {key: estimates[key] for key in STATISTICS if key in estimates}


def print_coefficients(finding: AgreementFinding, scale: Scale, *, full: bool = False) -> None:
    """Print the tables of one dimension; ``full`` adds weights and forms."""
    say(
        f"{plural(finding.n_items, 'item')}, {plural(finding.n_raters, 'rater')}, "
        f"{plural(finding.n_ratings, 'rating')}"
    )
    if finding.n_clusters is not None:
        say(
            f"Drawn in {plural(finding.n_clusters, 'cluster')}, such as pages; every interval "
            "counts a cluster as one draw."
        )
    say()
    rows = [
        (statistic(key).label, key, estimate)
        for key, estimate in coefficients(finding).items()
        if estimate.reason != "scale_mismatch"
    ]
    _print_estimates("coefficient", rows)
    if finding.variants is not None:
        rows += _print_variants(finding.variants, scale, full=full)
    shown = [(bounded(key, estimate), estimate) for _, key, estimate in rows]
    if any(
        has_interval(whole) and (cut.low, cut.high) != (whole.low, whole.high)
        for cut, whole in shown
    ):
        say()
        say("Intervals are cut where their statistic ends; --json has them as computed.")


def _print_variants(
    variants: Variants, scale: Scale, *, full: bool
) -> list[tuple[str, str, Estimate]]:
    """Print the forms of coefficients, and return them."""
    blocks = [(f"{statistic('krippendorff_alpha').label} by level", _by_level(variants, scale))]
    if full:
        blocks += [
            (
                f"with {weights} weights",
                [
                    (statistic(statistic(key).weighted or key).label, key, estimate)
                    for key, estimate in estimates.items()
                ],
            )
            for weights, estimates in variants.weighted.items()
        ]
        by_form = [(form, "icc", estimate) for form, estimate in variants.icc.items()]
        blocks.append(("intraclass correlation by form", by_form))
    for title, rows in blocks:
        if rows:
            say()
            _print_estimates(title, rows)
    if variants.plain_mean.defined:
        say()
        mean = variants.plain_mean
        say(f"plain mean  {decimal(mean.value, 3)}  {interval_cell(mean)}  these items only")
    return [row for _, rows in blocks for row in rows]


def _by_level(variants: Variants, scale: Scale) -> list[tuple[str, str, Estimate]]:
    return [
        (
            f"{level}, the scale's own" if level == scale.level else level,
            "krippendorff_alpha",
            estimate,
        )
        for level, estimate in variants.alpha.items()
    ]


def _print_estimates(title: str, rows: Iterable[tuple[str, str, Estimate]]) -> None:
    heads: tuple[Column | str, ...] = (title, *right("value", "95 % interval", "items"), "grade")
    table(heads, [estimate_row(label, key, estimate) for label, key, estimate in rows])


def estimate_row(label: str, key: str, estimate: Estimate) -> tuple[Cell | str, ...]:
    """Label, value, interval, items and grade; an undefined estimate gives its reason."""
    if not estimate.defined:
        reason = Cell(f"undefined: {reason_words(estimate.reason)}", QUIET)
        return (label, NOTHING, NOTHING, str(estimate.n_items), reason)
    graded = grade(key, estimate.value)
    word = Cell(graded.common, _STYLES[graded.level]) if graded else ""
    interval = interval_cell(bounded(key, estimate), share=statistic(key).is_share)
    return (label, value_cell(key, estimate.value), interval, str(estimate.n_items), word)


def value_cell(key: str, value: float) -> str:
    """Value with three decimals, or more if these would show another grade; a share in percent.

    Examples
    --------
    >>> value_cell("krippendorff_alpha", 0.66651), value_cell("krippendorff_alpha", 0.8149)
    ('0.6665', '0.815')
    >>> value_cell("exact_agreement", 0.8149), value_cell("exact_agreement", 0.89996)
    ('81.5%', '89.996%')
    """
    places = 3
    while places < 6 and grade(key, round(value, places)) != grade(key, value):
        places += 1
    return in_unit(value, key, places)


def interval_cell(ends: Estimate, *, share: bool = False) -> str:
    """Both ends, in percent if the value is a share; a dash where they are not known."""
    if not (math.isfinite(ends.low) and math.isfinite(ends.high)):
        return NOTHING
    low, high = (percent(end) if share else decimal(end, 3) for end in (ends.low, ends.high))
    return f"{low} to {high}"
