"""The agreement of a whole file in print: verdict first, then dimension by dimension."""

from typing import TYPE_CHECKING, Any

from ocrjury.cli.coefficients import interval_cell
from ocrjury.cli.dimension_tables import means_row, print_dimension
from ocrjury.cli.printing import Column, fields, heading, right, say, table
from ocrjury.cli.standings import verdict_cell
from ocrjury.pages.numbers import decimal, plural, signed
from ocrjury.ratings.files import SINGLE
from ocrjury.statistics import reason_words, statistic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ocrjury.cli.panel_facts import Bias, PanelFacts, Together

_ADVICE = "Advice only: nothing is known about how these items were chosen."


def print_panel(facts: "PanelFacts", *, policy: str, full: bool) -> None:
    """Print everything that `ocrjury agreement` has to say."""
    _print_verdict(facts, policy)
    profiles = facts.profiles
    for name, one in facts.dimensions.items():
        heading("Agreement" if [*facts.dimensions] == [SINGLE] else name)
        print_dimension(one, profiles[profiles["dimension"] == name], full=full)
    if facts.together is not None:
        _print_together(facts.together)
    _print_bias(facts.bias, full=full)
    if not full:
        say()
        say("More with --full: every pair and item, weights, forms of ICC, distributions.")


def _print_verdict(facts: "PanelFacts", policy: str) -> None:
    """Print what the gate would say, per dimension and overall, and what to do."""
    verdict = facts.verdict
    heading(f"Verdict under the policy {policy}")
    rows = [
        (
            name,
            verdict_cell(one.decision),
            one.grade or "",
            statistic(one.primary).label,
            decimal(one.value, 3),
        )
        for name, one in verdict.by_dimension.items()
    ]
    if len(rows) > 1:
        worst = f"as {facts.worst}, the worst"
        rows.append(("overall", verdict_cell(verdict.decision), verdict.grade or "", worst, ""))
    table(("dimension", "verdict", "grade", "judged by", Column("value", "right")), rows)
    if len(rows) > 1:
        say(f"Mean over {len(rows) - 1} dimensions: {means_row(facts.means)}")
    for reason in verdict.reasons:
        say(f"- {reason}")
    say(_ADVICE)
    if verdict.actions:
        heading("What to do")
        for number, action in enumerate(verdict.actions, start=1):
            say(f"{number}. {action.text}")


def _print_together(together: "Together") -> None:
    """Print how dimensions go together, and the composite score."""
    heading("Dimensions together")
    pairs: Iterator[Any] = iter(together.correlation.itertuples())
    rows = [
        (f"{r.dimension_a}, {r.dimension_b}", decimal(r.value), interval_cell(r), str(r.n_items))
        for r in pairs
    ]
    table(("correlation of", *right("value", "95 % interval", "items")), rows)
    attributes = together.composite.attrs
    weights = ", ".join(f"{name} {decimal(w)}" for name, w in attributes["weights"].items())
    lines = [("composite score", f"{attributes['method']} ({weights})")]
    if "loadings" in attributes:
        loadings = attributes["loadings"].items()
        lines += [
            ("loadings", ", ".join(f"{name} {decimal(value)}" for name, value in loadings)),
            ("explained", f"{decimal(100 * attributes['explained'], 0)} % of the variance"),
        ]
    lines += [("note", attributes["note"])] if "note" in attributes else []
    mean = together.mean
    lines.append(
        ("plain mean", f"{decimal(mean.value, 3)}  {interval_cell(mean)}  these items only")
    )
    say()
    fields(lines)


def _print_bias(bias: "Bias", *, full: bool) -> None:
    """Print flagged findings, and in a line what was tested and what could not be."""
    heading("Bias")
    if bias.order_refused is not None:
        say(f"The order of the ratings was not used: {bias.order_refused}")
    findings = bias.findings
    shown = findings if full else [finding for finding in findings if finding.flagged]
    if shown:
        table(
            (
                "bias",
                "rater",
                "dimension",
                *right("effect", "95 % interval", "p adjusted"),
                "size",
                "",
            ),
            [
                (
                    one.kind.replace("_", " "),
                    "all" if one.rater is None else str(one.rater),
                    one.dimension or "all",
                    f"{signed(one.effect)} {one.unit}" if one.status == "tested" else "",
                    interval_cell(one),
                    decimal(one.p_adjusted, 3),
                    one.level or "",
                    "flagged" if one.flagged else reason_words(one.reason) if one.reason else "",
                )
                for one in shown
            ],
        )
    tested = [finding for finding in findings if finding.status == "tested"]
    flagged = sum(finding.flagged for finding in findings)
    say(f"{plural(len(tested), 'test')}, {flagged or 'none'} flagged after adjusting for all.")
    kinds = dict.fromkeys(
        (one.kind.replace("_", " "), reason_words(one.reason))
        for one in findings
        if one.status != "tested"
    )
    if kinds:
        untold = "; ".join(f"{kind} ({why})" for kind, why in kinds)
        say(f"These ratings cannot tell: {untold}.")
