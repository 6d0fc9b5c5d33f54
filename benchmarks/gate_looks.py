"""Simulate gates that look several times at growing evaluations with known agreement."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from benchmarks.known_agreement import GROUPS, RARE, RaterGroup
from ocrjury import Estimate
from ocrjury.agreement import krippendorff_alpha
from ocrjury.agreement.marginals import modal_share
from ocrjury.gate import GatePolicy, judge

PLANS = ((200,), (200, 385), (80, 156, 232, 308, 385))
ANYTIME = tuple(range(50, 400, 10))
SINGLE, ENDLESS = GatePolicy.preset("default"), GatePolicy.preset("anytime")
Measured = dict[str, Estimate]


def looks(runs: int) -> str:
    """Section on gates that look 1, 2 and 5 times, and at any time."""
    lines = [
        "## Looking more than once\n",
        (
            f"{runs:,} evaluations each grow to the named numbers of items, judged at each.\n"
            "The share that passes at any look: with the error spent over the planned looks, and\n"
            "in brackets with every look judged as if it were the only one. Goal for raters with\n"
            "alpha 0.667: at most 5 % and the error of the simulation.\n"
        ),
        "| raters | true alpha | 200 | 200, 385 | 80, 156, 232, 308, 385 |",
        "|---|--:|--:|--:|--:|",
    ]
    for alpha in (0.667, 0.90):
        for group in (*GROUPS, *RARE):
            cells = [planned(group, alpha, items, runs=runs) for items in PLANS]
            lines.append(f"| {group.name} | {alpha:g} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", anytime(runs // 4)])


def anytime(runs: int) -> str:
    """Part on a gate that looks at every tenth item."""
    lines = [
        (
            f"The policy `anytime`, judged at {ANYTIME[0]}, {ANYTIME[1]}, ... {ANYTIME[-1]} items "
            f"({len(ANYTIME)} looks, {runs:,}\nevaluations each), and in brackets `default` judged "
            "so:\n"
        ),
        "| raters | alpha 0.667 | alpha 0.9 |",
        "|---|--:|--:|",
    ]
    for group in (*GROUPS, *RARE):
        cells = []
        for alpha in (0.667, 0.90):
            shares = [0, 0]
            for measured in evaluations(group, alpha, ANYTIME, runs=runs):
                for place, policy in enumerate((ENDLESS, SINGLE)):
                    shares[place] += any(passes(one, policy) for one in measured)
            cells.append(_cell(shares, runs))
        lines.append(f"| {group.name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def planned(group: RaterGroup, alpha: float, items: Sequence[int], *, runs: int) -> str:
    """Cell of a gate that planned its looks."""
    policy = replace(SINGLE, looks=len(items))
    shares = [0, 0]
    for measured in evaluations(group, alpha, items, runs=runs):
        seen = [one["krippendorff_alpha"].n_items for one in measured]
        shares[0] += any(
            passes(one, policy, look=k + 1, before=seen[:k]) for k, one in enumerate(measured)
        )
        shares[1] += any(passes(one, SINGLE) for one in measured)
    return _cell(shares, runs)


def evaluations(
    group: RaterGroup, alpha: float, items: Sequence[int], *, runs: int
) -> list[list[Measured]]:
    """Estimates of growing evaluations, by run and number of items."""
    rng = np.random.default_rng([len(items), round(1000 * alpha)])
    noise = group.noise_for(alpha)
    found = []
    for _ in range(runs):
        ratings = group.matrix(rng, items[-1], noise)
        tables = [group.table(ratings[:n]) for n in items]
        found.append(
            [
                {
                    "krippendorff_alpha": krippendorff_alpha(table, ci="jackknife"),
                    "modal_share": modal_share(table),
                }
                for table in tables
            ]
        )
    return found


def passes(
    estimates: Measured, policy: GatePolicy, *, look: int = 1, before: Sequence[int] = ()
) -> bool:
    """Whether a policy passes at a look."""
    verdict = judge({"d": estimates}, policy, look=look, items_before={"d": before})
    return verdict.decision == "PASS"


def _cell(passed: Sequence[int], runs: int) -> str:
    ours, naive = (times / runs for times in passed)
    return f"{ours:.1%} ({naive:.1%})"
