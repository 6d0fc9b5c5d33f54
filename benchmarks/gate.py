"""Simulate evaluations whose agreement is known and count what the gate answers.

    .venv/bin/python -m benchmarks.gate

prints the tables and writes them to benchmarks/results/gate.md (about 6 minutes).
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.known_panels import (
    BINARY,
    FIVE,
    GOOD_OCR,
    LARGE,
    PANELS,
    RARE,
    Floats,
    Panel,
    most_powerful,
)
from ocrjury import Estimate, RatingTable
from ocrjury.agreement import krippendorff_alpha, measure_agreement
from ocrjury.agreement.marginals import modal_share
from ocrjury.gate import GatePolicy, Verdict, judge

RESULT = Path(__file__).parent / "results" / "gate.md"
DEFAULT = GatePolicy.preset("default")
FLOOR, GOOD, Z = 0.667, 0.90, 1.645
MOST = 0.06  # of the panels at the floor that may pass
DECISIONS, PLAIN = ("PASS", "INCONCLUSIVE", "FAIL"), "plain bound"
ITEMS = (50, 100, 200, 385)
FIRST, MORE = 50, 500  # items before and in a top-up
WEIGHTED, RISK, ERR = 300, 5.0, 0.05


def main() -> None:
    """Run all simulations, print the tables and write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--no-write", action="store_true", help="print only")
    arguments = parser.parse_args()
    runs = arguments.runs
    text = "\n\n".join(
        [
            preface(2 * runs),
            random_raters(runs),
            known_alpha(2 * runs, FLOOR, f"at most {MOST:.0%} everywhere"),
            known_alpha(2 * runs, GOOD, "at least 95% at 200 items, where so many can show it"),
            attainable(),
            policies(runs),
            top_ups(runs // 2),
            drawn_by_risk(runs // 5),
        ]
    )
    sys.stdout.write(f"{text}\n")
    if not arguments.no_write:
        RESULT.write_text(f"{text}\n", encoding="utf-8")


def random_raters(runs: int) -> str:
    """Return how often raters who do not look at the items get through."""
    lines = [
        "## Raters who do not look\n",
        (
            f"Three raters draw from the marginals of good OCR, {GOOD_OCR}, without seeing the\n"
            f"item; {runs:,} runs each. Goal: the default policy passes 0 of 1,000, where\n"
            "A^HH >= .75 alone passes most. `gdpval` may pass one in twenty: its third condition\n"
            "is a one-sided 95 % bound above chance.\n"
        ),
        "| items | A^HH >= .75 | adjacent >= 75 % | default | strict | kappa | gdpval |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for n_items in ITEMS:
        rng = np.random.default_rng(n_items)
        found = []
        for _ in range(runs):
            ratings = rng.choice(np.arange(1, 6), (n_items, 3), p=GOOD_OCR)
            found.append(outcomes(RatingTable.from_matrix(ratings, scale=FIVE)))
        lines.append(_line(str(n_items), np.array(found).sum(axis=0), runs))
    return "\n".join(lines)


def outcomes(table: RatingTable) -> list[bool]:
    """Return whether A^HH and adjacent agreement reach 75 %, and whether each policy passes."""
    estimates = measure_agreement(table)
    raw = [estimates[name].value >= 0.75 for name in ("human_agreement", "adjacent_agreement")]
    policies = [GatePolicy.preset(name) for name in ("default", "strict", "kappa", "gdpval")]
    return raw + [judge({"d": estimates}, one).decision == "PASS" for one in policies]


def known_alpha(runs: int, alpha: float, goal: str) -> str:
    """Return how often a panel with this alpha passes the default policy, by number of items."""
    lines = [
        f"## True alpha {alpha:g}: share that passes the default policy\n",
        f"{runs:,} runs each. Goal: {goal}.\n",
        "In brackets what a bound of the value less 1.645 standard errors would pass.\n",
        *_head(ITEMS),
    ]
    for panel in (*PANELS, *RARE):
        found = [decisions(panel, alpha, n, runs=runs, policy=DEFAULT) for n in ITEMS]
        cells = [f"{one['PASS']:.1%} ({one[PLAIN]:.1%})" for one in found]
        lines.append(f"| {panel.name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def attainable() -> str:
    """Return how often the best test would tell alpha .90 from the floor."""
    lines = [
        "## What any gate could pass where few items are wrong\n",
        (
            "Where 5 % of the items are wrong, 200 items hold ten of them, and alpha rests on\n"
            "these alone. Take the most powerful test of panels with alpha 0.9 against panels\n"
            "with alpha 0.667 and the same share of rare ratings (the likelihood ratio of Neyman\n"
            f"and Pearson; it knows how raters err). If it may pass {MOST:.0%} of the latter, it\n"
            "passes these shares of the former. Whatever its bounds, no gate can do better: 95 %\n"
            "at 200 items is out of reach on the last two panels. Ours, which knows nothing of\n"
            "how raters err, passes fewer, and asks for more items.\n"
        ),
        *_head(ITEMS),
    ]
    for panel in (one for one in (*PANELS, *RARE) if one.scale is BINARY):
        cells = [
            f"{most_powerful(panel, n, floor=FLOOR, alpha=GOOD, size=MOST):.1%}" for n in ITEMS
        ]
        lines.append(f"| {panel.name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def decisions(
    panel: Panel, alpha: float, n_items: int, *, runs: int, policy: GatePolicy
) -> dict[str, float]:
    """Return the share of runs with each decision on alpha, and what a plain bound would pass."""
    rng = np.random.default_rng([n_items, round(1000 * alpha)])
    noise = panel.noise_for(alpha)
    floor = policy.conditions[0].floor
    counted = dict.fromkeys((*DECISIONS, PLAIN), 0)
    for _ in range(runs):
        estimates = measured(panel.rate(rng, n_items, noise))
        one = estimates["krippendorff_alpha"]
        counted[judge({"d": estimates}, policy).decision] += 1
        counted[PLAIN] += one.value - Z * one.se >= floor
    return {name: times / runs for name, times in counted.items()}


def measured(table: RatingTable) -> dict[str, Estimate]:
    """Return what policies on alpha look at."""
    return {
        "krippendorff_alpha": krippendorff_alpha(table, ci="jackknife"),
        "modal_share": modal_share(table),
    }


def verdict_of(table: RatingTable) -> Verdict:
    """Return the verdict of the default policy."""
    return judge({"d": measured(table)}, DEFAULT)


def policies(runs: int) -> str:
    """Return the decisions of the two policies on alpha over a range of true values."""
    lines = [
        "## Decisions at 200 items by true alpha, three raters on mixed OCR\n",
        "| true alpha | default PASS | INCONCLUSIVE | FAIL | strict PASS | INCONCLUSIVE | FAIL |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for alpha in (0.50, 0.60, 0.667, 0.70, 0.75, 0.80, 0.85, 0.90):
        cells = [
            f"{found[decision]:.1%}"
            for name in ("default", "strict")
            for found in [
                decisions(PANELS[0], alpha, 200, runs=runs, policy=GatePolicy.preset(name))
            ]
            for decision in DECISIONS
        ]
        lines.append(f"| {alpha:g} | {' | '.join(cells)} |")
    return "\n".join(lines)


def top_ups(runs: int) -> str:
    """Return what becomes of undecided panels that collect as many items as the gate asks for."""
    lines = [
        "## After as many items as the gate asks for\n",
        (
            f"{runs} panels each. Those that are INCONCLUSIVE at {FIRST} items and asked for at\n"
            f"most {MORE} more get them from the same pool and are judged on all their items. The\n"
            "number asked for brings the bound to the floor if the value stays; a value falls as\n"
            "easily as it rises.\n"
        ),
        "| panel | true alpha | undecided | median asked for | then PASS | INCONCLUSIVE | FAIL |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    ordinary = [(panel, alpha) for panel in (PANELS[0], PANELS[2]) for alpha in (0.75, 0.80)]
    rare = [(panel, alpha) for panel in RARE for alpha in (0.80, 0.90)]
    lines += [top_up(panel, alpha, runs=runs) for panel, alpha in (*ordinary, *rare)]
    return "\n".join(lines)


def top_up(panel: Panel, alpha: float, *, runs: int) -> str:
    """Return the line of one panel."""
    rng = np.random.default_rng([FIRST, round(1000 * alpha)])
    noise = panel.noise_for(alpha)
    asked: list[int] = []
    then: list[str] = []
    for _ in range(runs):
        ratings = panel.matrix(rng, FIRST, noise)
        need = verdict_of(panel.table(ratings)).needed_items
        if need is not None and need <= MORE:
            more = np.concatenate([ratings, panel.matrix(rng, need, noise)])
            asked.append(need)
            then.append(verdict_of(panel.table(more)).decision)
    cells = [f"{then.count(decision) / max(len(then), 1):.0%}" for decision in DECISIONS]
    undecided = f"{len(then) / runs:.0%}"
    median = f"{np.median(asked):.0f}" if asked else ""
    return f"| {panel.name} | {alpha:g} | {undecided} | {median} | {' | '.join(cells)} |"


def drawn_by_risk(runs: int) -> str:
    """Return what a sample that favours wrong items makes of alpha, weighted or not."""
    panel = Panel("3 raters, binary, 90 % right", (0.10, 0.90))
    rng = np.random.default_rng(10)
    values, passed = np.zeros((runs, 2)), np.zeros((runs, 2))
    for run in range(runs):
        ratings, weight = sample_by_risk(panel, rng)
        for way, one in enumerate((panel.table(ratings), panel.table(ratings, weight))):
            verdict = verdict_of(one)
            values[run, way] = verdict.by_dimension["d"].value
            passed[run, way] = verdict.decision == "PASS"
    truth = krippendorff_alpha(panel.rate(rng, LARGE, ERR)).value
    (plain, weighted), (plain_pass, weighted_pass) = values.mean(axis=0), passed.mean(axis=0)
    return (
        "## Items drawn because they look wrong\n\n"
        f"{runs} pools in which 10 % of the items are wrong and raters err on {100 * ERR:g} %; "
        f"alpha of such a\npool is {truth:.3f}. About {WEIGHTED} items are drawn, wrong ones with "
        f"{RISK:g} times the odds of others.\nWithout weights alpha is {plain:.3f} on average and "
        f"{plain_pass:.0%} of the samples pass; with the inverse odds\nas weights it is "
        f"{weighted:.3f} and {weighted_pass:.0%} pass."
    )


def sample_by_risk(
    panel: Panel, rng: np.random.Generator, pool: int = 5000
) -> tuple[Floats, Floats]:
    """Return ratings of a sample in which wrong items have the higher odds, and weights."""
    wrong = rng.random(pool) < panel.shares[0]
    risk = np.where(wrong, RISK, 1.0)
    odds = WEIGHTED * risk / risk.sum()
    drawn = rng.random(pool) < odds
    truth = (~wrong[drawn]).astype(float)[:, None]
    errs = rng.random((len(truth), panel.raters)) < ERR
    return np.where(errs, 1 - truth, truth), 1 / odds[drawn]


def _head(items: tuple[int, ...]) -> tuple[str, str]:
    """Return the head of a table of panels by number of items."""
    return f"| panel | {' | '.join(f'{n} items' for n in items)} |", "|---|" + "--:|" * len(items)


def _line(name: str, counts: npt.NDArray[np.int64], runs: int) -> str:
    """Return a line with how many of the runs."""
    return f"| {name} | {' | '.join(f'{count} of {runs:,}' for count in counts)} |"


def preface(runs: int) -> str:
    """Return what the tables show."""
    error = 100 * (0.05 * 0.95 / runs) ** 0.5
    return f"""# What the gate answers where the agreement is known

Made by `.venv/bin/python -m benchmarks.gate` with fixed seeds. A panel's noise is set so that
Krippendorff's alpha over {LARGE:,} items has the value named (at the scale's own level: ordinal on
five points, nominal on two, interval on a slider). Shares near 5 % of {runs:,} runs have a standard
error of {error:.1f} points."""


if __name__ == "__main__":
    main()
