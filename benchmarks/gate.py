"""Simulate evaluations with known agreement and count the decisions of the gate.

    .venv/bin/python -m benchmarks.gate

prints the tables and writes them to benchmarks/results/gate.md (about 6 minutes).
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.gate_looks import looks
from benchmarks.known_agreement import (
    BINARY,
    FIVE,
    GOOD_OCR,
    GROUPS,
    LARGE,
    RARE,
    Floats,
    RaterGroup,
    most_powerful,
)
from ocrjury import Estimate, RatingTable
from ocrjury.agreement import krippendorff_alpha, measure_agreement
from ocrjury.agreement.marginals import modal_share
from ocrjury.gate import GatePolicy, Verdict, judge

RESULT = Path(__file__).parent / "results" / "gate.md"
DEFAULT = GatePolicy.preset("default")
FLOOR, GOOD, Z = 0.667, 0.90, 1.645
MOST = 0.06  # share of the groups at the floor that may pass
DECISIONS, PLAIN = ("PASS", "INCONCLUSIVE", "FAIL"), "plain bound"
ITEMS, FEW = (50, 100, 200, 385), (10, 20, 30, 40)
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
            known_alpha(2 * runs, GOOD, "at least 95% at 200 items, where 200 items can show it"),
            few_items(2 * runs),
            attainable(),
            policies(runs),
            top_ups(runs // 2),
            looks(2 * runs),
            drawn_by_risk(runs // 5),
        ]
    )
    sys.stdout.write(f"{text}\n")
    if not arguments.no_write:
        RESULT.write_text(f"{text}\n", encoding="utf-8")


def random_raters(runs: int) -> str:
    """Section on raters who do not look at the items."""
    lines = [
        "## Raters who do not look\n",
        (
            f"Three raters draw from the marginals of good OCR, {GOOD_OCR}, without seeing the\n"
            f"item; {runs:,} runs each. Goal: the default policy passes 0 of 1,000, whereas\n"
            "A^HH >= .75 alone passes most. `gdpval` may pass one in twenty, because its third\n"
            "condition is a one-sided 95 % bound above chance.\n"
        ),
        "| items | A^HH >= .75 | adjacent >= 75 % | default | strict | kappa | gdpval |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for n_items in ITEMS:
        rng = np.random.default_rng(n_items)
        passed = []
        for _ in range(runs):
            ratings = rng.choice(np.arange(1, 6), (n_items, 3), p=GOOD_OCR)
            passed.append(outcomes(RatingTable.from_matrix(ratings, scale=FIVE)))
        lines.append(_line(str(n_items), np.array(passed).sum(axis=0), runs))
    return "\n".join(lines)


def outcomes(table: RatingTable) -> list[bool]:
    """Whether A^HH and adjacent agreement reach 75 %, and whether each policy passes."""
    estimates = measure_agreement(table)
    raw = [estimates[name].value >= 0.75 for name in ("human_agreement", "adjacent_agreement")]
    policies = [GatePolicy.preset(name) for name in ("default", "strict", "kappa", "gdpval")]
    return raw + [judge({"d": estimates}, policy).decision == "PASS" for policy in policies]


def known_alpha(runs: int, alpha: float, goal: str) -> str:
    """Section on how often raters with this alpha pass the default policy, by number of items."""
    lines = [
        f"## True alpha {alpha:g}: share that passes the default policy\n",
        f"{runs:,} runs each. Goal: {goal}.\n",
        "In brackets: the share that would pass by the value less 1.645 standard errors.\n",
        *_head(ITEMS),
    ]
    for group in (*GROUPS, *RARE):
        by_size = [decisions(group, alpha, n, runs=runs, policy=DEFAULT) for n in ITEMS]
        cells = [f"{shares['PASS']:.1%} ({shares[PLAIN]:.1%})" for shares in by_size]
        lines.append(f"| {group.name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def few_items(runs: int) -> str:
    """Section on a gate that may decide from ten items."""
    policy = replace(DEFAULT, min_items=FEW[0])
    title = f"## A gate that may decide from {FEW[0]} items\n"
    about = f"{runs:,} runs each: share that passes with an alpha of {FLOOR:g} ({GOOD:g}).\n"
    lines = [title, about, *_head(FEW)]
    for group in (*GROUPS, *RARE):
        by_size = [
            [decisions(group, a, n, runs=runs, policy=policy)["PASS"] for a in (FLOOR, GOOD)]
            for n in FEW
        ]
        lines.append(f"| {group.name} | {' | '.join(f'{a:.1%} ({b:.0%})' for a, b in by_size)} |")
    return "\n".join(lines)


def attainable() -> str:
    """Section on how often the best test would tell alpha .90 from the floor."""
    lines = [
        "## What any gate could pass where few items are wrong\n",
        (
            "Where 5 % of the items are wrong, 200 items hold ten of them, and alpha rests on\n"
            "these ten. Take the most powerful test of alpha 0.9 against alpha 0.667 with the\n"
            "same share of rare ratings (the likelihood ratio of Neyman and Pearson, which knows\n"
            f"how raters err). If it may pass {MOST:.0%} of the raters with alpha 0.667, it\n"
            "passes these shares of the raters with alpha 0.9. No gate can do better, so 95 %\n"
            "at 200 items is out of reach in the last two rows. Ours does not know how raters\n"
            "err; it passes fewer and asks for more items.\n"
        ),
        *_head(ITEMS),
    ]
    for group in (some for some in (*GROUPS, *RARE) if some.scale is BINARY):
        cells = [
            f"{most_powerful(group, n, floor=FLOOR, alpha=GOOD, size=MOST):.1%}" for n in ITEMS
        ]
        lines.append(f"| {group.name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def decisions(
    group: RaterGroup, alpha: float, n_items: int, *, runs: int, policy: GatePolicy
) -> dict[str, float]:
    """Share of runs with each decision on alpha, and the share that a plain bound would pass."""
    rng = np.random.default_rng([n_items, round(1000 * alpha)])
    noise = group.noise_for(alpha)
    floor = policy.conditions[0].floor
    counted = dict.fromkeys((*DECISIONS, PLAIN), 0)
    for _ in range(runs):
        estimates = measured(group.rate(rng, n_items, noise))
        alpha_estimate = estimates["krippendorff_alpha"]
        counted[judge({"d": estimates}, policy).decision] += 1
        counted[PLAIN] += alpha_estimate.value - Z * alpha_estimate.se >= floor
    return {name: times / runs for name, times in counted.items()}


def measured(table: RatingTable) -> dict[str, Estimate]:
    """Estimates that policies on alpha use."""
    return {
        "krippendorff_alpha": krippendorff_alpha(table, ci="jackknife"),
        "modal_share": modal_share(table),
    }


def verdict_of(table: RatingTable) -> Verdict:
    """Verdict of the default policy."""
    return judge({"d": measured(table)}, DEFAULT)


def policies(runs: int) -> str:
    """Section on the decisions of the two policies on alpha, by true value."""
    lines = [
        "## Decisions at 200 items by true alpha, three raters on mixed OCR\n",
        "| true alpha | default PASS | INCONCLUSIVE | FAIL | strict PASS | INCONCLUSIVE | FAIL |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for alpha in (0.50, 0.60, 0.667, 0.70, 0.75, 0.80, 0.85, 0.90):
        cells = [
            f"{shares[decision]:.1%}"
            for name in ("default", "strict")
            for shares in [
                decisions(GROUPS[0], alpha, 200, runs=runs, policy=GatePolicy.preset(name))
            ]
            for decision in DECISIONS
        ]
        lines.append(f"| {alpha:g} | {' | '.join(cells)} |")
    return "\n".join(lines)


def top_ups(runs: int) -> str:
    """Section on undecided evaluations that collect as many items as the gate asks for."""
    lines = [
        "## After as many items as the gate asks for\n",
        (
            f"{runs} evaluations each. Those that are INCONCLUSIVE at {FIRST} items and need at\n"
            f"most {MORE} more get them from the same pool and are judged on all their items. The\n"
            "number needed is to bring a PASS in 80 % of cases if the true agreement is the value\n"
            "found.\n"
        ),
        "| raters | true alpha | undecided | median needed | then PASS | INCONCLUSIVE | FAIL |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    ordinary = [(group, alpha) for group in (GROUPS[0], GROUPS[2]) for alpha in (0.75, 0.80)]
    rare = [(group, alpha) for group in RARE for alpha in (0.80, 0.90)]
    lines += [top_up(group, alpha, runs=runs) for group, alpha in (*ordinary, *rare)]
    return "\n".join(lines)


def top_up(group: RaterGroup, alpha: float, *, runs: int) -> str:
    """Line of one group of raters."""
    rng = np.random.default_rng([FIRST, round(1000 * alpha)])
    noise = group.noise_for(alpha)
    needed: list[int] = []
    then: list[str] = []
    for _ in range(runs):
        ratings = group.matrix(rng, FIRST, noise)
        need = verdict_of(group.table(ratings)).needed_items
        if need is not None and need <= MORE:
            more = np.concatenate([ratings, group.matrix(rng, need, noise)])
            needed.append(need)
            then.append(verdict_of(group.table(more)).decision)
    cells = [f"{then.count(decision) / max(len(then), 1):.0%}" for decision in DECISIONS]
    undecided = f"{len(then) / runs:.0%}"
    median = f"{np.median(needed):.0f}" if needed else ""
    return f"| {group.name} | {alpha:g} | {undecided} | {median} | {' | '.join(cells)} |"


def drawn_by_risk(runs: int) -> str:
    """Section on alpha in a sample that favours wrong items, with and without weights."""
    group = RaterGroup("3 raters, binary, 90 % right", (0.10, 0.90))
    rng = np.random.default_rng(10)
    values, passed = np.zeros((runs, 2)), np.zeros((runs, 2))
    for run in range(runs):
        ratings, weight = sample_by_risk(group, rng)
        for way, table in enumerate((group.table(ratings), group.table(ratings, weight))):
            verdict = verdict_of(table)
            values[run, way] = verdict.by_dimension["d"].value
            passed[run, way] = verdict.decision == "PASS"
    truth = krippendorff_alpha(group.rate(rng, LARGE, ERR)).value
    (plain, weighted), (plain_pass, weighted_pass) = values.mean(axis=0), passed.mean(axis=0)
    return (
        "## Items drawn because they look wrong\n\n"
        f"{runs} pools in which 10 % of the items are wrong and raters err on {100 * ERR:g} %; "
        f"alpha of such a\npool is {truth:.3f}. About {WEIGHTED} items are drawn, wrong ones with "
        f"{RISK:g} times the probability of others.\nWithout weights, alpha is {plain:.3f} on "
        f"average and {plain_pass:.0%} of the samples pass. With the inverse\nprobabilities as "
        f"weights, it is {weighted:.3f} and {weighted_pass:.0%} pass."
    )


def sample_by_risk(
    group: RaterGroup, rng: np.random.Generator, pool: int = 5000
) -> tuple[Floats, Floats]:
    """Ratings of a sample in which wrong items are over-represented, and their weights."""
    wrong = rng.random(pool) < group.shares[0]
    risk = np.where(wrong, RISK, 1.0)
    probability = WEIGHTED * risk / risk.sum()
    drawn = rng.random(pool) < probability
    truth = (~wrong[drawn]).astype(float)[:, None]
    errs = rng.random((len(truth), group.raters)) < ERR
    return np.where(errs, 1 - truth, truth), 1 / probability[drawn]


def _head(items: tuple[int, ...]) -> tuple[str, str]:
    """Head of a table of rater groups by number of items."""
    return f"| raters | {' | '.join(f'{n} items' for n in items)} |", "|---|" + "--:|" * len(items)


def _line(name: str, counts: npt.NDArray[np.int64], runs: int) -> str:
    """Line with the number of runs."""
    return f"| {name} | {' | '.join(f'{count} of {runs:,}' for count in counts)} |"


def preface(runs: int) -> str:
    """Preface of the result: what the tables show."""
    error = 100 * (0.05 * 0.95 / runs) ** 0.5
    return f"""# Decisions of the gate where the agreement is known

Made by `.venv/bin/python -m benchmarks.gate` with fixed seeds. The raters' noise is set so that
Krippendorff's alpha over {LARGE:,} items has the named value (at the scale's own level: ordinal
on five points, nominal on two, interval on a continuous scale). Shares near 5 % of {runs:,} runs
have
a standard error of {error:.1f} points."""


if __name__ == "__main__":
    main()
