"""The agreement of a whole file in print: verdict first, then dimension by dimension."""

from collections.abc import Mapping

from ocrjury.bias import BiasFinding
from ocrjury.cli.coefficient_tables import interval_cell, value_cell
from ocrjury.cli.dimension_tables import print_dimension
from ocrjury.cli.printing import Column, fields, heading, right, say, table
from ocrjury.cli.status import grade_head, verdict_cell
from ocrjury.findings.dimensions import Composite, MeanOver
from ocrjury.findings.looks import Looks
from ocrjury.findings.ratings import RatingsFinding
from ocrjury.grades import common_word
from ocrjury.pages.action_words import action_texts
from ocrjury.pages.bias_rows import (
    EFFECTS,
    bias_name,
    effect_interval,
    effect_text,
    p_text,
    why_untested,
)
from ocrjury.pages.numbers import decimal, plural
from ocrjury.ratings.files import SINGLE
from ocrjury.scales import Scales, scale_of
from ocrjury.statistics import STATISTICS, statistic

_ADVICE = "Advice only: nothing is known about how these items were chosen."
_ADVICE_WEIGHTED = "Advice only: the verdict that counts is that of the evaluation's own gate."


def print_finding(
    finding: RatingsFinding,
    scale: Scales,
    *,
    full: bool,
    exported: bool = False,
    gates_look: bool = False,
) -> None:
    """Print everything that `ocrjury agreement` has to say.

    Parameters
    ----------
    gates_look
        Whether the look is that of an evaluation's gate, and not what options say.
    """
    _print_verdict(finding, exported=exported, gates_look=gates_look)
    names = [row.dimension for row in finding.dimensions]
    for row in finding.dimensions:
        heading("Agreement" if names == [SINGLE] else row.dimension)
        own = scale_of(scale, row.dimension)
        print_dimension(row, own, gains=finding.bias.gains[row.dimension], full=full)
    if finding.together.correlations or finding.composites.rows:
        _print_together(finding)
    _print_bias(finding, full=full)
    if not full:
        say()
        say("More with --full: every pair and item, weights, forms of ICC, distributions.")


def _print_verdict(finding: RatingsFinding, *, exported: bool, gates_look: bool) -> None:
    """Print what the gate would say, per dimension and overall, and what to do."""
    verdict = finding.verdict
    heading(f"Verdict under the policy {finding.policy}")
    rows = [
        (
            name,
            verdict_cell(judged.decision),
            common_word(judged.grade),
            statistic(judged.primary).label,
            value_cell(judged.primary, judged.value),
        )
        for name, judged in verdict.by_dimension.items()
    ]
    if len(rows) > 1:
        worst = f"as {finding.verdict.worst}, the worst"
        rows.append(
            (
                "overall",
                verdict_cell(verdict.decision),
                common_word(verdict.grade),
                worst,
                "",
            )
        )
    table(("dimension", "verdict", grade_head(), "judged by", Column("value", "right")), rows)
    if len(rows) > 1:
        say(f"Mean over {len(rows) - 1} dimensions: {_means_text(finding.together.means)}")
    for reason in verdict.reasons:
        say(f"- {reason}")
    say(_looks_text(finding.looks, gates_look=gates_look))
    say(_ADVICE_WEIGHTED if exported else _ADVICE)
    if verdict.actions:
        heading("What to do")
        for number, sentence in enumerate(action_texts(verdict.actions), start=1):
            say(f"{number}. {sentence}")


def _looks_text(looks: Looks, *, gates_look: bool) -> str:
    """Sentence on the number of this look of the gate, and the source of that number."""
    places = {(look.look, look.planned): None for look in looks.rows}
    if any(planned is None for _, planned in places):
        return "The gate may look at any time, as often as anybody likes."
    whence = "as the evaluation's gate looked" if gates_look else "as far as is known"
    if list(places) == [(1, 1)]:
        return f"One look, {whence}; for ratings that were judged before: --look, --looks."
    which = " and ".join(f"look {look} of {planned}" for look, planned in places)
    return f"The bounds are those of {which}, {whence}."


def _means_text(means: Mapping[str, MeanOver]) -> str:
    """The most read means over dimensions as one phrase."""
    most = max((mean.n for mean in means.values()), default=0)
    return ", ".join(
        f"{row.label} {value_cell(key, means[key].value)}"
        + (f" (of {means[key].n})" if means[key].n < most else "")
        for key, row in STATISTICS.items()
        if row.in_means and key in means
    )


def _print_together(finding: RatingsFinding) -> None:
    heading("Dimensions together")
    rows = [
        (
            f"{row.dimension_a}, {row.dimension_b}",
            *(decimal(row.estimate.value), interval_cell(row.estimate)),
            str(row.estimate.n_items),
        )
        for row in finding.together.correlations
    ]
    table(("correlation of", *right("value", "95 % interval", "items")), rows)
    for composite in finding.composites.rows:
        _print_composite(composite)


def _print_composite(composite: Composite) -> None:
    weights = ", ".join(f"{name} {decimal(weight)}" for name, weight in composite.weights.items())
    lines = [("composite score", f"{composite.used} ({weights})")]
    if composite.loadings is not None:
        loadings = composite.loadings.items()
        lines += [
            ("loadings", ", ".join(f"{name} {decimal(value)}" for name, value in loadings)),
            ("explained", f"{decimal(100 * composite.explained, 0)} % of the variance"),
        ]
    if composite.errors is not None:
        errors = ", ".join(f"{name} {decimal(error)}" for name, error in composite.errors.items())
        share = f"{decimal(100 * composite.explained, 0)} % of the overall rating's variance"
        lines += [("standard errors", errors), ("explained", share)]
    lines += [("note", composite.note)] if composite.note else []
    mean = composite.these
    lines.append(
        ("plain mean", f"{decimal(mean.value, 3)}  {interval_cell(mean)}  these items only")
    )
    say()
    fields(lines)


def _print_bias(finding: RatingsFinding, *, full: bool) -> None:
    heading("Bias")
    if finding.order_refused is not None:
        say(f"The order of the ratings was not used: {finding.order_refused}")
    tests = finding.bias.findings
    if not any(row.profiles for row in finding.dimensions):
        say("Nothing was tested: nobody knows who rated.")
        return
    if not tests:
        say("Nothing was tested: categories have no order, so nobody can be strict with them.")
        return
    shown = tests if full else [test for test in tests if test.flagged]
    if shown:
        table(
            (
                *("bias", "rater", "dimension"),
                *right("effect", "95 % interval", "p adjusted", "p overall"),
                *("size", ""),
            ),
            [_bias_row(test) for test in shown],
        )
    tested = sum(test.status == "tested" for test in tests)
    flagged = sum(test.flagged for test in tests)
    overall = sum(test.flagged_overall for test in tests)
    say(
        f"{plural(tested, 'test')}, {flagged or 'none'} flagged after adjusting for the tests of "
        f"each kind, {overall or 'none'} after adjusting for all of them."
    )
    untold = dict.fromkeys(
        (bias_name(test), why_untested(str(test.reason)))
        for test in tests
        if test.status != "tested"
    )
    if untold:
        untested = "; ".join(f"{name} ({why})" for name, why in untold)
        say(f"These ratings cannot tell: {untested}.")


def _bias_row(test: BiasFinding) -> tuple[str, ...]:
    """Name, rater, dimension, effect with interval, adjusted p, size, and flag or reason."""
    why = why_untested(test.reason) if test.reason else ""
    return (
        bias_name(test),
        "all" if test.rater is None else str(test.rater),
        test.dimension or "all",
        f"{effect_text(test)} {EFFECTS[test.unit].unit}" if test.status == "tested" else "",
        effect_interval(test),
        p_text(test.p_adjusted),
        p_text(test.p_overall),
        test.level or "",
        "flagged" if test.flagged else why,
    )
