"""Replay rounds of ratings on generated worlds: how many ratings a choice of items saves.

    .venv/bin/python -m benchmarks.adaptive

prints the tables and writes them to benchmarks/results/adaptive.md (about half an hour; ``--seeds
2`` for a quick look). The seeds from 1000 on were not looked at while the method was made.
"""

import argparse
import platform
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

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
                [replay(one, ask, seed=seed, most=most) for seed, one in enumerate(drawn)],
            )
            seconds = time.perf_counter() - start
            sys.stderr.write(f"{name}, {choice}: {seconds:.0f} s\n")


def ratio_table(found: dict[tuple[str, str], list[Floats]], seeds: int) -> list[str]:
    """Return the table of ratios with the geometric mean and its standard error over seeds."""
    rng = np.random.default_rng(0)
    everyone = np.arange(seeds)
    names = list(dict.fromkeys(world for world, _ in found))
    choices = _compared(found)
    lines = [f"| world | uniform: 2, 3, 5 | {' | '.join(choices)} |"]
    lines.append("|---|---|" + "--:|" * len(choices))
    by_choice = {choice: ratios(found, choice, everyone) for choice in choices}
    for place, name in enumerate(names):
        start = np.interp([2, 3, 5], GRID, mean_accuracy(found[name, "uniform"], GRID))
        cells = [_shown(by_choice[choice][place]) for choice in choices]
        shares = ", ".join(f"{share:.1%}" for share in start)
        lines.append(f"| {name} | {shares} | {' | '.join(cells)} |")
    cells = []
    for choice in choices:
        again = [
            geometric(ratios(found, choice, rng.integers(0, seeds, seeds))) for _ in range(300)
        ]
        value = geometric(by_choice[choice])
        error = f" ± {np.nanstd(again):.2f}" if np.isfinite(value) else ""
        cells.append(f"**{_shown(value)}**{error}")
    lines.append(f"| geometric mean | | {' | '.join(cells)} |")
    return lines


def _compared(found: dict[tuple[str, str], list[Floats]]) -> list[str]:
    """Return the choices that are compared with asking evenly."""
    return [name for name in dict.fromkeys(c for _, c in found) if name not in {"uniform", STOP}]


def level_table(found: dict[tuple[str, str], list[Floats]]) -> list[str]:
    """Return how much more is right than with uniform at five ratings per page, in points."""
    names = list(dict.fromkeys(world for world, _ in found))
    choices = [name for name in _compared(found) if name != CLAIRVOYANT]
    lines = [f"| world | {' | '.join(choices)} |", "|---|" + "--:|" * len(choices)]
    five = np.array([float(UNIFORM)])
    for name in names:
        even = np.array([mean_accuracy([one], five)[0] for one in found[name, "uniform"]])
        cells = []
        for choice in choices:
            own = np.array([mean_accuracy([one], five)[0] for one in found[name, choice]])
            more = 100 * (own - even)
            cells.append(f"{more.mean():+.1f} ± {more.std(ddof=1) / len(more) ** 0.5:.1f}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def _shown(value: float) -> str:
    """Return a ratio, or that the choice never got there."""
    return f"{value:.2f}" if np.isfinite(value) else "never"


def stop_table(found: dict[tuple[str, str], list[Floats]]) -> list[str]:
    """Return what the defaults stop at, and what uniform needs for the same accuracy."""
    lines = ["| world | ratings per page | right | uniform needs |", "|---|--:|--:|--:|"]
    for (name, choice), some in found.items():
        if choice == STOP:
            used, right = np.mean([one[-1] for one in some], axis=0)
            even = needed(mean_accuracy(found[name, "uniform"], GRID), right)
            need = f"{even:.2f}" if np.isfinite(even) else f"more than {UNIFORM}"
            lines.append(f"| {name} | {used:.2f} | {right:.1%} | {need} |")
    return lines


def main() -> None:
    """Measure everything and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args()
    with threadpool_limits(1):
        plain = {(w, c): some for w, c, some in curves(LIKERT, options.seeds)}
        tasteful = {(w, c): some for w, c, some in curves(TASTE, options.seeds)}
    text = report(plain, tasteful, options.seeds)
    RESULT.write_text(text, encoding="utf-8")
    print(text)


def report(
    plain: dict[tuple[str, str], list[Floats]],
    tasteful: dict[tuple[str, str], list[Floats]],
    seeds: int,
) -> str:
    """Return the report in Markdown."""
    got = geometric(ratios(plain, AS_THE_CHAIN, np.arange(seeds)))
    bound = geometric(ratios(plain, CLAIRVOYANT, np.arange(seeds)))
    subjective = ratios(tasteful, "with check", np.arange(seeds))[0]
    goals = (
        f"Goal: the geometric mean of `{AS_THE_CHAIN}` at most {GOAL}; it is {got:.3f}: "
        f"{'met' if got <= GOAL else 'missed'}. Who knew which labels are wrong would need "
        f"{bound:.2f}.\n"
        f"Goal: in the subjective world, with the check, at most {LIMIT} of uniform; it is "
        f"{subjective:.2f}: {'met' if subjective <= LIMIT else 'missed'}."
    )
    tables = [
        ratio_table(plain, seeds),
        ratio_table(tasteful, seeds)[:-1],
        level_table(plain | tasteful),
        stop_table(plain),
    ]
    plain_lines, taste_lines, levels, stops = ("\n".join(lines) for lines in tables)
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

{n_items} pages, {n_raters} raters who come to each page in random order, two ratings of every page
to begin with, then batches of {batch}. Labels are those of `dawid_skene`, the same model whoever
chooses, so that the curves differ by the choice alone. Seeds {first} to {last}; the method was made
with other seeds.

{goals}

## Ratings needed for what five ratings of every page reach

As a share of uniform's five, 2 / 5 being the least. `uniform` tops up the pages with the fewest
ratings, by raters in random order. `items and raters` is what an evaluation does: `next_ratings`
with its 20 % at random, without a target, and `choose_raters` for who is asked, nobody for more
than one and a half even shares of a batch. `with check` is the same but asks evenly whenever
`check_gain` says so by 40 gold pages; `items only` leaves the raters to chance; `std` is the
reference text's choice, the pages whose ratings have the largest standard deviation. `clairvoyant`
is a bound and no method: it asks about pages whose label is wrong. "Never": not within 5.5 ratings
per page. The mean's standard error is over draws of the seeds.

{plain}

## What makes the difference

Geometric means over the five worlds on other seeds (700 to 709; give or take .02), with a fifth of
the ratings at random:

{parts}

Who is asked saves at least as much as a finer choice of what. What `clairvoyant` saves beyond that
nobody can have, because nobody knows which labels are wrong.

## Where truth is a matter of taste

{taste}

Few of these ratings mend anything, so that a curve crosses uniform's last value where chance has
it; the next table says more.

## Right labels at five ratings per page, against uniform

In points, with standard errors over the seeds.

{levels}

## How often gold says to ask evenly

Draws in which `check_gain` decides so by 40 gold pages, of seeds 300 to 339. Wrong in the first
five worlds, right in the last.

{checks}

## What was expected, and what came

Bits of one more rating of pages that have two to five, by the rater who comes next, in all five
worlds: what the choice expects (about whether the label is right, with the rating weighing as much
as the inference will let it weigh) and what the rating then told (about the true level, parameters
unchanged). Ratings stand in eight parts by what was expected. Difficult pages mislead several
raters at once, so that ratings taken for independent promise far more than they keep.

{promises}

## What the defaults stop at

`next_ratings` as it comes: until every page is at calibrated confidence .9 (a temperature from 40
gold pages), at its cap of six ratings, or not worth another one; 5.5 ratings per page at most.

{stops}

## One call

Two ratings per item, five categories, a budget of 5 % of the items.

{speed}
"""


if __name__ == "__main__":
    main()
