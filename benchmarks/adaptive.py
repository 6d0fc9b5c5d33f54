"""Replay rounds of ratings on simulated worlds: how many ratings a choice of items saves.

    .venv/bin/python -m benchmarks.adaptive

prints the tables and writes them to benchmarks/results/adaptive.md (about half an hour; ``--seeds
2`` for a quick look). The method was developed with other seeds than these, from 1000 on.
"""

import argparse
import platform
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.adaptive_parts import parts_table
from benchmarks.adaptive_speed import speed_table
from benchmarks.gain_checks import check_table
from benchmarks.rating_promises import promise_table
from benchmarks.rating_replay import (
    AS_THE_CHAIN,
    BATCH,
    CHOICES,
    CLAIRVOYANT,
    LIKERT,
    MOST,
    N_ITEMS,
    N_RATERS,
    TASTE,
    UNIFORM,
    Floats,
    draw,
    replay,
)
from benchmarks.ratings_needed import GRID, geometric, mean_accuracy, needed, ratios

RESULT = Path(__file__).parent / "results" / "adaptive.md"
FIRST_SEED = 1000
STOP = "stop rule"
GOAL, LIMIT = 0.68, 1.05
FORMER: Final = "hierarchical"


def curves(worlds: tuple[str, ...], seeds: int) -> Iterator[tuple[str, str, list[Floats]]]:
    """Yield the curves of every world and choice, one per seed."""
    for name in worlds:
        drawn = [draw(name, FIRST_SEED + seed) for seed in range(seeds)]
        for choice, ask in CHOICES.items():
            if name in TASTE and choice in {STOP, CLAIRVOYANT}:
                continue
            start = time.perf_counter()
            most = UNIFORM if choice == "uniform" else MOST
            yield (
                name,
                choice,
                [replay(world, ask, seed=seed, most=most) for seed, world in enumerate(drawn)],
            )
            seconds = time.perf_counter() - start
            sys.stderr.write(f"{name}, {choice}: {seconds:.0f} s\n")


def former_curves(seeds: int) -> dict[tuple[str, str], list[Floats]]:
    """Curves with the labels of the former default, asking evenly and as an evaluation does."""
    measured: dict[tuple[str, str], list[Floats]] = {}
    for name in LIKERT:
        drawn = [draw(name, FIRST_SEED + seed) for seed in range(seeds)]
        for choice, most in (("uniform", UNIFORM), (AS_THE_CHAIN, MOST)):
            measured[name, choice] = [
                replay(world, CHOICES[choice], seed=seed, most=most, prior=FORMER)
                for seed, world in enumerate(drawn)
            ]
    return measured


def ratio_table(measured: dict[tuple[str, str], list[Floats]], seeds: int) -> list[str]:
    """Table of ratios with the geometric mean and its standard error over seeds."""
    rng = np.random.default_rng(0)
    everyone = np.arange(seeds)
    names = list(dict.fromkeys(world for world, _ in measured))
    choices = _compared(measured)
    lines = [f"| world | uniform: 2, 3, 5 | {' | '.join(choices)} |"]
    lines.append("|---|---|" + "--:|" * len(choices))
    by_choice = {choice: ratios(measured, choice, everyone) for choice in choices}
    for place, name in enumerate(names):
        start = np.interp([2, 3, 5], GRID, mean_accuracy(measured[name, "uniform"], GRID))
        cells = [_shown(by_choice[choice][place]) for choice in choices]
        shares = ", ".join(f"{share:.1%}" for share in start)
        lines.append(f"| {name} | {shares} | {' | '.join(cells)} |")
    cells = []
    for choice in choices:
        again = [
            geometric(ratios(measured, choice, rng.integers(0, seeds, seeds))) for _ in range(300)
        ]
        value = geometric(by_choice[choice])
        error = f" ± {np.nanstd(again):.2f}" if np.isfinite(value) else ""
        cells.append(f"**{_shown(value)}**{error}")
    lines.append(f"| geometric mean | | {' | '.join(cells)} |")
    return lines


def _compared(measured: dict[tuple[str, str], list[Floats]]) -> list[str]:
    """Choices that are compared with asking evenly."""
    return [name for name in dict.fromkeys(c for _, c in measured) if name not in {"uniform", STOP}]


def level_table(measured: dict[tuple[str, str], list[Floats]]) -> list[str]:
    """Table of right labels at five ratings per page, minus those of uniform, in points."""
    names = list(dict.fromkeys(world for world, _ in measured))
    choices = [name for name in _compared(measured) if name != CLAIRVOYANT]
    lines = [f"| world | {' | '.join(choices)} |", "|---|" + "--:|" * len(choices)]
    five = np.array([float(UNIFORM)])
    for name in names:
        even = np.array([mean_accuracy([run], five)[0] for run in measured[name, "uniform"]])
        cells = []
        for choice in choices:
            own = np.array([mean_accuracy([run], five)[0] for run in measured[name, choice]])
            more = 100 * (own - even)
            cells.append(f"{more.mean():+.1f} ± {more.std(ddof=1) / len(more) ** 0.5:.1f}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _shown(value: float) -> str:
    """Ratio in words: a number, or never."""
    return f"{value:.2f}" if np.isfinite(value) else "never"


def stop_table(measured: dict[tuple[str, str], list[Floats]]) -> list[str]:
    """Table of where the defaults stop, and what uniform needs for the same accuracy."""
    lines = ["| world | ratings per page | right | uniform needs |", "|---|--:|--:|--:|"]
    for (name, choice), runs in measured.items():
        if choice == STOP:
            used, right = np.mean([run[-1] for run in runs], axis=0)
            even = needed(mean_accuracy(measured[name, "uniform"], GRID), right)
            need = f"{even:.2f}" if np.isfinite(even) else f"more than {UNIFORM}"
            lines.append(f"| {name} | {used:.2f} | {right:.1%} | {need} |")
    return lines


def main() -> None:
    """Measure everything and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args()
    with threadpool_limits(1):
        plain = {(w, c): runs for w, c, runs in curves(LIKERT, options.seeds)}
        tasteful = {(w, c): runs for w, c, runs in curves(TASTE, options.seeds)}
        former = former_curves(options.seeds)
    text = report(plain, tasteful, former, seeds=options.seeds)
    RESULT.write_text(text, encoding="utf-8")
    print(text)


def report(
    plain: dict[tuple[str, str], list[Floats]],
    tasteful: dict[tuple[str, str], list[Floats]],
    former: dict[tuple[str, str], list[Floats]],
    *,
    seeds: int,
) -> str:
    """Report in Markdown."""
    got = geometric(ratios(plain, AS_THE_CHAIN, np.arange(seeds)))
    bound = geometric(ratios(plain, CLAIRVOYANT, np.arange(seeds)))
    subjective = ratios(tasteful, "with check", np.arange(seeds))[0]
    goals = (
        f"Goal: the geometric mean of `{AS_THE_CHAIN}` at most {GOAL}; it is {got:.3f}: "
        f"{'met' if got <= GOAL else 'missed'}. Knowing which labels are wrong would "
        f"need {bound:.2f}.\n"
        f"Goal: in the subjective world, with the check, at most {LIMIT} of uniform; it is "
        f"{_shown(subjective)}: {'met' if subjective <= LIMIT else 'missed'}."
    )
    tables = [
        ratio_table(plain, seeds),
        ratio_table(former, seeds),
        ratio_table(tasteful, seeds)[:-1],
        level_table(plain | tasteful),
        stop_table(plain),
    ]
    plain_lines, former_lines, taste_lines, levels, stops = ("\n".join(lines) for lines in tables)
    return TEXT.format(
        version=version("ocrjury"),
        python=platform.python_version(),
        machine=platform.machine(),
        first=FIRST_SEED,
        last=FIRST_SEED + seeds - 1,
        n_items=N_ITEMS,
        n_raters=N_RATERS,
        batch=BATCH,
        goals=goals,
        plain=plain_lines,
        former=former_lines,
        taste=taste_lines,
        levels=levels,
        stops=stops,
        parts="\n".join(parts_table()),
        checks="\n".join(check_table()),
        promises="\n".join(promise_table(FIRST_SEED, seeds)),
        speed="\n".join(speed_table()),
    )


TEXT = """# Ratings saved by asking where they tell most

Made by `.venv/bin/python -m benchmarks.adaptive`; ocrjury {version}, Python {python}, {machine}.

{n_items} pages and {n_raters} raters, who come to each page in random order. Every page starts with
two ratings; then batches of {batch} follow. Labels always come from `dawid_skene`, so the curves
differ only by the choice of ratings. Seeds {first} to {last}; the method was developed with other
seeds.

{goals}

## Ratings needed for what five ratings of every page reach

As a share of uniform's five; the least possible is 2 / 5. The standard error of the mean is over
draws of the seeds. "Never" means not within 5.5 ratings per page.

* `uniform`: the pages with the fewest ratings, with raters in random order.
* `items and raters`: what an evaluation does. `next_ratings` without a target and with 20 % at
  random chooses the pages; `choose_raters` chooses the raters, none of them for more than one and a
  half times an even share of a batch.
* `with check`: the same, but asking evenly whenever `check_gain` says so with 40 gold pages.
* `items only`: raters are left to chance.
* `std`: the choice of the reference text, pages whose ratings have the largest standard deviation.
* `clairvoyant`: a bound, not a method; it asks about pages whose label is wrong.

{plain}

The same with the labels of the former default, `prior="hierarchical"`:

{former}

## What makes the difference

Geometric means over the five worlds with other seeds (700 to 709; standard error about .02), with a
fifth of the ratings at random:

{parts}

Who rates changes these means by less than their error, how pages are chosen by two errors. The rest
of what `clairvoyant` saves is out of reach, because nobody knows which labels are wrong.

## What was tried for fewer ratings

.62 was aimed at; no rule that was tried reaches it, see [adaptive_tries.md](adaptive_tries.md).

## Where truth is a matter of taste

{taste}

Few of these ratings correct anything, so chance decides where a curve crosses uniform's last value.
The next table says more.

## Right labels at five ratings per page, against uniform

In points, with standard errors over the seeds.

{levels}

## How often gold says to ask evenly

Draws in which `check_gain` decides to ask evenly with 40 gold pages; seeds 300 to 339. That is
wrong in the first five worlds and right in the last.

{checks}

## What was expected, and what came

Bits of one more rating by the next rater, for pages with two to five ratings, in all five worlds.
"Expected" is what the plan of a round promises: information about whether the label is right, with
the weight that the inference will give the rating. "Told" is the information that the rating then
gave about the same, with the parameters unchanged. Information about the level itself is more: a
rating also tells wrong levels apart. The columns are eighths of the ratings, by what was expected.
Difficult pages mislead several raters at once, so ratings that are taken as independent promise far
more than they deliver.

{promises}

## What the defaults stop at

`next_ratings` with its defaults: until every page has a calibrated confidence of .9 (a temperature
from 40 gold pages), reaches its cap of six ratings, or is not worth another one; at most 5.5
ratings per page.

{stops}

## One call

Two ratings per item, five categories, a budget of 5 % of the items.

{speed}
"""


if __name__ == "__main__":
    main()
