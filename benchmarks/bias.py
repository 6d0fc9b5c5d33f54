"""How often each test for bias is right: false alarms, power, and confusion of kinds.

Simulates raters with known biases and fixed seeds, and calls `measure_bias`:

    OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.bias

prints the tables and writes them to benchmarks/results/bias.md.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury import Scale
from ocrjury.bias import BiasFinding, measure_bias

RESULT = Path(__file__).parent / "results" / "bias.md"
SCALE = Scale.likert(1, 5)
TESTS = {
    "severity": ("severity", "points"),
    "halo": ("halo", "residual correlation"),
    "anchoring": ("anchoring", "points per point"),
    "order: drift": ("order", "points per session"),
    "order: care": ("order", "points of distance per session"),
    "central_tendency": ("central_tendency", "ratio of slopes"),
    "range_restriction: spread": ("range_restriction", "ratio of standard deviations"),
    "range_restriction: runs": ("range_restriction", "identical answers in a row"),
}
ITEMS, RATERS, DIMENSIONS = 150, 6, 3
GOAL_SECONDS = 0.5


@dataclass(frozen=True)
class World:
    """World in which raters rate in one way.

    Attributes
    ----------
    truth
        Names in ``TESTS`` of the biases that are present.
    halo
        Standard deviation of the error that a rater makes on all dimensions of an item alike.
    anchor
        Points that a rating moves per point of the previous rating.
    trend
        Points from the start to the end of a session.
    tiring
        Growth of the errors' standard deviation over a session, as a share of its middle.
    run
        Items in a row to which the first rater gives the same answers.
    severity
        Largest severity; severities are evenly spaced from minus this value.
    compressed
        Slope of the first rater on item quality.
    scatter
        Standard deviation of the first rater's errors; everybody else's is .5.
    level
        Mean quality on the scale.
    per_item
        Raters of each item.
    outputs
        Outputs of a page: drawn together, and rated by the same raters one after the other.
    apart
        Whether every output has raters of its own, who meet those of a page anywhere in a session.
    view
        Standard deviation of what a rater makes of a page, on each dimension.
    """

    name: str
    truth: tuple[str, ...] = ()
    runs: int = 100
    halo: float = 0.0
    anchor: float = 0.0
    trend: float = 0.0
    tiring: float = 0.0
    run: int = 0
    severity: float = 0.0
    compressed: float = 1.0
    scatter: float = 0.5
    level: float = 3.0
    per_item: int = 3
    outputs: int = 1
    apart: bool = False
    view: float = 0.0

    @property
    def page(self) -> npt.NDArray[np.int64]:
        """Page of each item."""
        return np.arange(ITEMS) // self.outputs


NULL = World("no bias", runs=1000)
BIASED = (
    World("severities from -.3 to .3", ("severity",), severity=0.3),
    World("halo of sd .4", ("halo",), halo=0.4),
    World("anchoring of .15", ("anchoring",), anchor=0.15),
    World("drift of -.5 per session", ("order: drift",), trend=-0.5),
    World("errors grow threefold in a session", ("order: care",), tiring=1.0),
    World(
        "one rater compressed to .5",
        ("central_tendency", "range_restriction: spread"),
        compressed=0.5,
    ),
    World("one rater's same answers to 12 items", ("range_restriction: runs",), run=12),
    World(
        "severities from -.3 to .3, pages of 2 outputs seen unlike by sd .3",
        ("severity",),
        severity=0.3,
        outputs=2,
        view=0.3,
    ),
    World(
        "severities from -.3 to .3, pages of 2 outputs, unlike raters, sd .3",
        ("severity",),
        severity=0.3,
        outputs=2,
        apart=True,
        view=0.3,
    ),
    World(
        "anchoring of .3, pages of 2 outputs seen unlike by sd .3",
        ("anchoring",),
        anchor=0.3,
        outputs=2,
        view=0.3,
    ),
)
OTHERS = (
    World("no bias, two raters per item", runs=200, per_item=2),
    World("no bias, most ratings 4 or 5", runs=200, level=4.4),
    World("one rater scatters three times as much", runs=200, scatter=1.5),
    World("pages of 2 outputs, seen unlike by sd .3", runs=400, outputs=2, view=0.3),
    World("pages of 5 outputs, seen unlike by sd .5", runs=400, outputs=5, view=0.5),
    World("pages of 15 outputs, seen unlike by sd .3", runs=400, outputs=15, view=0.3),
    World("pages of 2 outputs, unlike raters, sd .3", runs=400, outputs=2, apart=True, view=0.3),
    World("pages of 5 outputs, unlike raters, sd .5", runs=400, outputs=5, apart=True, view=0.5),
    World("pages of 15 outputs, unlike raters, sd .3", runs=400, outputs=15, apart=True, view=0.3),
)


def simulate(world: World, seed: int) -> pd.DataFrame:
    """Ratings of one simulation as a long frame with positions."""
    rng = np.random.default_rng(seed)
    quality = np.sqrt(0.6) * rng.normal(size=(ITEMS, 1)) + np.sqrt(0.4) * rng.normal(
        size=(ITEMS, DIMENSIONS)
    )
    together = np.arange(ITEMS) if world.apart else world.page
    drawn = rng.random((together[-1] + 1, RATERS)).argsort(axis=1)[together, : world.per_item]
    frames = [
        rate(world, quality, np.flatnonzero((drawn == rater).any(axis=1)), rater=rater, rng=rng)
        for rater in range(RATERS)
    ]
    return pd.concat(frames, ignore_index=True)


def rate(
    world: World,
    quality: npt.NDArray[np.float64],
    items: npt.NDArray[np.int64],
    *,
    rater: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Ratings of one rater, in random order or page by page, all in one session."""
    items = rng.permutation(items)
    pages, first_place, page = np.unique(world.page[items], return_index=True, return_inverse=True)
    if not world.apart:
        order = np.argsort(first_place[page], kind="stable")
        items, page = items[order], page[order]
    first = rater == 0
    slope, scatter = (world.compressed, world.scatter) if first else (1.0, 0.5)
    severity = np.linspace(-world.severity, world.severity, RATERS)[rater]
    drift = world.trend * (np.arange(len(items)) / len(items) - 0.5)
    latent = world.level + slope * quality[items] + severity + drift[:, None]
    latent += rng.normal(0, world.halo, (len(items), 1)) if world.halo else 0.0
    latent += rng.normal(0, world.view, (len(pages), DIMENSIONS))[page] if world.view else 0.0
    share = np.linspace(-0.5, 0.5, len(items))[:, None]
    latent += rng.normal(0, 1, latent.shape) * scatter * (1 + world.tiring * share)
    ratings = np.empty(latent.shape, dtype=int)
    before = 0.0
    for place, row in enumerate(latent):
        ratings[place] = np.clip(np.round(row + world.anchor * before), 1, 5)
        before = ratings[place].mean() - world.level
    if first and world.run:
        start = int(rng.integers(len(items) - world.run + 1))
        ratings[start : start + world.run] = ratings[start]
    return pd.DataFrame(
        {
            "item": np.repeat(items, DIMENSIONS),
            "cluster": np.repeat(world.page[items], DIMENSIONS),
            "rater": f"R{rater + 1:02d}",
            "dimension": np.tile([f"d{place + 1}" for place in range(DIMENSIONS)], len(items)),
            "rating": ratings.ravel(),
            "position": np.repeat(np.arange(1, len(items) + 1), DIMENSIONS),
        }
    )


def run(world: World, seed: int) -> dict[str, float]:
    """Flags and effects of one simulation, by test."""
    findings = measure_bias(simulate(world, seed), scale=SCALE, seed=seed)
    outcome: dict[str, float] = {}
    for name, (kind, unit) in TESTS.items():
        of_kind = [finding for finding in findings if finding.kind == kind]
        of_test = [finding for finding in of_kind if finding.unit == unit]
        outcome[f"{name} kind"] = float(any(finding.flagged for finding in of_kind))
        outcome[f"{name} flagged"] = float(any(finding.flagged for finding in of_test))
        outcome[f"{name} single"] = float(np.mean([finding.p_value <= 0.05 for finding in of_test]))
        outcome[f"{name} all"] = _all(of_test)
        outcome[f"{name} effect"] = _effect(of_test)
    return outcome


def _effect(of_test: list[BiasFinding]) -> float:
    """Effect on all raters together, else the first rater's on the first dimension, if any."""
    together = [finding for finding in of_test if finding.rater is None]
    first = [
        finding
        for finding in of_test
        if finding.rater == "R01" and finding.dimension in {None, "d1"}
    ]
    return (together or first)[0].effect if together or first else np.nan


def _all(of_test: list[BiasFinding]) -> float:
    """Whether the finding on all raters together is significant on its own."""
    together = [finding for finding in of_test if finding.rater is None]
    return float(together[0].p_value <= 0.05) if together else np.nan


def outcomes(world: World, *, first: int, share: float, processes: int) -> pd.DataFrame:
    """One row per simulation."""
    seeds = range(first, first + max(2, round(world.runs * share)))
    with ProcessPoolExecutor(processes) as pool:
        rows = list(pool.map(run, [world] * len(seeds), seeds, chunksize=10))
    return pd.DataFrame(rows)


def main() -> None:
    """Run all worlds, print the tables and write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--share", type=float, default=1.0, help="share of the runs")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--no-write", action="store_true", help="print only")
    arguments = parser.parse_args()
    text = "\n".join(report(arguments.share, arguments.processes))
    sys.stdout.write(text + "\n")
    if not arguments.no_write:
        RESULT.write_text(text + "\n", encoding="utf-8")


def report(share: float, processes: int) -> Iterator[str]:
    """Yield the lines of the result."""
    yield _preface()
    measured = timing()
    by_world = {
        world: outcomes(world, first=1_000 * place, share=share, processes=processes)
        for place, world in enumerate((NULL, *BIASED, *OTHERS))
    }
    yield "\n## False alarms without any bias\n"
    yield from false_alarms(by_world[NULL])
    yield "\n## Power\n"
    yield from power(by_world)
    yield "\n## False alarms where outputs of a page were drawn together\n"
    yield from on_pages(by_world)
    yield "\n## Share of simulations in which a test flags something\n"
    yield from mistaken(by_world)
    yield "\n## Time\n"
    yield time_line(measured)


def timing(calls: int = 15) -> npt.NDArray[np.float64]:
    """Seconds per call by the clock and of the processor, shape (calls, 2)."""
    frame = simulate(NULL, 0)
    measure_bias(frame, scale=SCALE)
    seconds = []
    for _ in range(calls):
        start = time.perf_counter(), time.process_time()
        measure_bias(frame, scale=SCALE)
        seconds.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return np.array(seconds)


def time_line(measured: npt.NDArray[np.float64]) -> str:
    """Sentence on time."""
    (fastest, _), (median, processor) = measured.min(axis=0), np.median(measured, axis=0)
    return (
        f"`measure_bias` on one data set (450 pairs x 3 dimensions), {len(measured)} calls: median "
        f"{processor:.2f} s of the\nprocessor. By the clock of a shared machine: "
        f"fastest {fastest:.2f} s, median {median:.2f} s.\nGoal: {GOAL_SECONDS} s."
    )


def false_alarms(simulations: pd.DataFrame) -> Iterator[str]:
    """Yield the rejection rates on null data."""
    error = np.sqrt(0.05 * 0.95 / len(simulations))
    yield f"{len(simulations)} simulations; the standard error of a rate of .05 is {error:.3f}.\n"
    yield (
        "| test | its kind flagged something | the test did | single tests with p <= .05 "
        "| all raters: p <= .05 |"
    )
    yield "|---|--:|--:|--:|--:|"
    for name in TESTS:
        kind, flagged, single, together = (
            simulations[f"{name} {what}"].mean() for what in ("kind", "flagged", "single", "all")
        )
        shown = "" if np.isnan(together) else f"{together:.3f}"
        yield f"| {name} | {kind:.3f} | {flagged:.3f} | {single:.3f} | {shown} |"


def power(by_world: dict[World, pd.DataFrame]) -> Iterator[str]:
    """Yield the share of simulations in which a present bias is flagged."""
    yield "| what raters do | test | flagged | mean effect |"
    yield "|---|---|--:|--:|"
    for world in BIASED:
        for name in world.truth:
            rows = by_world[world]
            yield (
                f"| {world.name} | {name} | {rows[f'{name} flagged'].mean():.2f} "
                f"| {rows[f'{name} effect'].mean():.3f} |"
            )


def on_pages(by_world: dict[World, pd.DataFrame]) -> Iterator[str]:
    """Yield the rejection rates on null data in pages."""
    yield (
        "Ratings that one rater gave to outputs of one page are alike. In brackets: single tests "
        "with p <= .05.\n"
    )
    yield "| what raters do | simulations | " + " | ".join(TESTS) + " |"
    yield "|---|--:|" + "--:|" * len(TESTS)
    for world in (world for world in OTHERS if world.view):
        rows = by_world[world]
        cells = (
            f"{rows[f'{name} flagged'].mean():.3f} ({rows[f'{name} single'].mean():.3f})"
            for name in TESTS
        )
        yield f"| {world.name} | {len(rows)} | {' | '.join(cells)} |"


def mistaken(by_world: dict[World, pd.DataFrame]) -> Iterator[str]:
    """Yield the share of simulations in which each test flags something; present biases in bold."""
    yield "| what raters do | simulations | " + " | ".join(TESTS) + " |"
    yield "|---|--:|" + "--:|" * len(TESTS)
    for world, rows in by_world.items():
        cells = []
        for name in TESTS:
            rate_ = f"{rows[f'{name} flagged'].mean():.2f}"
            cells.append(f"**{rate_}**" if name in world.truth else rate_)
        yield f"| {world.name} | {len(rows)} | " + " | ".join(cells) + " |"


def _preface() -> str:
    """Preface of the result: what the tables show."""
    return f"""# Tests for rater bias

Simulated ratings: {ITEMS} items, each rated by 3 of {RATERS} raters on {DIMENSIONS} dimensions of a
five-point scale, in random order in one session. Quality has variance 1 and correlation .6 between
dimensions; errors have standard deviation .5. Seeds are fixed. A test flags something if any of its
findings has a p-value, adjusted over all findings of its kind, of at most .05.

Made by `OMP_NUM_THREADS=1 .venv/bin/python -m benchmarks.bias`."""


if __name__ == "__main__":
    main()
