"""Simulate evaluations whose agreement is known and count what the gate answers.

    .venv/bin/python benchmarks/gate.py

prints the tables and writes them to benchmarks/results/gate.md (about 2 minutes).
"""

import argparse
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ocrjury import RatingTable, Scale
from ocrjury.agreement import krippendorff_alpha, measure_agreement
from ocrjury.agreement.marginals import modal_share
from ocrjury.gate import GatePolicy, judge

RESULT = Path(__file__).parent / "results" / "gate.md"
FIVE, BINARY = Scale.likert(1, 5), Scale.binary()
Floats = npt.NDArray[np.float64]

GOOD_OCR = (0.02, 0.03, 0.10, 0.35, 0.50)
MIXED_OCR = (0.05, 0.10, 0.20, 0.35, 0.30)
FLOOR, Z = 0.667, 1.645
DECISIONS, PLAIN = ("PASS", "INCONCLUSIVE", "FAIL"), "plain bound"
ITEMS = (50, 100, 200, 385)
LARGE = 400_000  # items whose alpha counts as true


@dataclass(frozen=True)
class Panel:
    """How raters answer: the item's level plus noise, rounded; binary ones err with a share.

    Attributes
    ----------
    shares
        How common each level is.
    raters, per_item
        Raters in all, and how many of them rate an item.
    """

    name: str
    shares: tuple[float, ...]
    raters: int = 3
    per_item: int = 3

    @property
    def scale(self) -> Scale:
        """Return the scale that the levels are on."""
        return BINARY if len(self.shares) == 2 else FIVE

    def rate(self, rng: np.random.Generator, n_items: int, noise: float) -> RatingTable:
        """Return ratings of fresh items."""
        low, high = int(self.scale.low), int(self.scale.high)
        levels = np.arange(low, high + 1)
        truth = rng.choice(levels, (n_items, 1), p=self.shares)
        shape = (n_items, self.raters)
        if self.scale is BINARY:
            ratings = np.where(rng.random(shape) < noise, 1.0 - truth, truth)
        else:
            ratings = np.clip(np.round(truth + rng.normal(0, noise, shape)), low, high)
        if self.per_item < self.raters:
            asked = np.argsort(rng.random(shape), axis=1) < self.per_item
            ratings = np.where(asked, ratings, np.nan)
        return RatingTable.from_matrix(ratings, scale=self.scale)

    @cache  # noqa: B019  # lives as long as the script
    def noise_for(self, alpha: float) -> float:
        """Return the noise at which alpha over very many items is the wanted one."""
        low, high = 0.0, 0.5 if self.scale is BINARY else 3.0
        for _ in range(18):
            middle = (low + high) / 2
            table = self.rate(np.random.default_rng(99), LARGE, middle)
            low, high = (middle, high) if krippendorff_alpha(table).value > alpha else (low, middle)
        return (low + high) / 2


PANELS = (
    Panel("3 raters, mixed OCR", MIXED_OCR),
    Panel("3 raters, good OCR", GOOD_OCR),
    Panel("2 raters, mixed OCR", MIXED_OCR, 2, 2),
    Panel("2 of 6 raters, mixed OCR", MIXED_OCR, 6, 2),
    Panel("3 raters, binary, 70 % right", (0.3, 0.7)),
)
RARE = (
    Panel("3 raters, binary, 95 % right", (0.05, 0.95)),
    Panel("2 raters, binary, 95 % right", (0.05, 0.95), 2, 2),
)


def main() -> None:
    """Run all simulations, print the tables and write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--no-write", action="store_true", help="print only")
    arguments = parser.parse_args()
    text = "\n\n".join(
        [
            preface(arguments.runs),
            random_raters(arguments.runs),
            known_alpha(arguments.runs, FLOOR, "at most 6 % everywhere"),
            known_alpha(
                arguments.runs,
                0.90,
                "at least 95 % at 200 items. Where 5 % of the items are\nwrong, 200 items hold ten "
                "of them, on which alpha rests alone: the gate asks\nfor more items",
            ),
            policies(arguments.runs),
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
        f"| panel | {' | '.join(f'{n} items' for n in ITEMS)} |",
        "|---|" + "--:|" * len(ITEMS),
    ]
    policy = GatePolicy.preset("default")
    for panel in (*PANELS, *RARE):
        found = [decisions(panel, alpha, n, runs=runs, policy=policy) for n in ITEMS]
        cells = [f"{one['PASS']:.1%} ({one[PLAIN]:.1%})" for one in found]
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
        table = panel.rate(rng, n_items, noise)
        estimate = krippendorff_alpha(table, ci="jackknife")
        estimates = {"krippendorff_alpha": estimate, "modal_share": modal_share(table)}
        counted[judge({"d": estimates}, policy).decision] += 1
        counted[PLAIN] += estimate.value - Z * estimate.se >= floor
    return {name: times / runs for name, times in counted.items()}


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


def _line(name: str, counts: npt.NDArray[np.int64], runs: int) -> str:
    """Return a line with how many of the runs."""
    return f"| {name} | {' | '.join(f'{count} of {runs:,}' for count in counts)} |"


def preface(runs: int) -> str:
    """Return what the tables show."""
    error = 100 * (0.05 * 0.95 / runs) ** 0.5
    return f"""# What the gate answers where the agreement is known

Made by `.venv/bin/python benchmarks/gate.py` with fixed seeds. A panel's noise is set so that
Krippendorff's alpha over {LARGE:,} items has the value named (at the scale's own level: ordinal on
five points, nominal on two). Shares near 5 % have a standard error of {error:.1f} points."""


if __name__ == "__main__":
    main()
