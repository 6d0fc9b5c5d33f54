"""Samples of known pools, and every estimator applied to them."""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchmarks import sampling_peers
from benchmarks.heavy_tailed_pool import (
    Floats,
    KnownPool,
    bundled_pool,
    scrambled,
    simulated_pool,
)
from ocrjury import Estimate
from ocrjury.estimation import greg_mean, hajek_mean, plain_mean
from ocrjury.sampling import draw_sample, expected_spread

DEFAULT, NAIVE, PLAIN = "default design, GREG", "default design, naive mean", "simple random, mean"
HAJEK, HELPED, TARGET = (
    "default design, Hajek",
    "simple random, GREG",
    "target design, GREG",
)
PPI, SAMPLICS = "simple random, ppi-python 0.2.3", "default design, samplics 0.6.1"
WAYS = (DEFAULT, HAJEK, NAIVE, PLAIN, HELPED, TARGET, PPI, SAMPLICS)
FEWER_RUNS = 400  # of peers and of the design for one outcome


@dataclass(frozen=True)
class Setting:
    """Pool, sample size, number of samples, and goals of the default design.

    Attributes
    ----------
    pool
        Name of the pool.
    goals
        Ratings that a simple random sample needs for each of ours, at least, by outcome.
    covered
        Outcomes whose intervals are to hold the truth in 94 to 97 % of samples.
    """

    pool: str
    n: int
    runs: int
    goals: tuple[tuple[str, float], ...] = ()
    covered: tuple[str, ...] = ()


SETTINGS = (
    Setting(
        "simulated",
        385,
        1500,
        goals=(("score", 3.3), ("usable", 2.4), ("unusable", 2.5)),
        covered=("score", "usable", "unusable"),
    ),
    Setting("simulated", 120, 1500, covered=("score", "usable")),
    Setting("scrambled", 385, 800, goals=(("score", 1.0), ("usable", 1.0), ("unusable", 1.0))),
    Setting("bundled", 200, 800),
)


@cache
def pool_of(name: str) -> KnownPool:
    """Pool by its name."""
    if name == "bundled":
        return bundled_pool()
    return simulated_pool() if name == "simulated" else scrambled(simulated_pool())


def plain_rows(setting: Setting, seed: int) -> npt.NDArray[np.int64]:
    """Places of a simple random sample."""
    rng = np.random.default_rng([9, seed])
    size = len(pool_of(setting.pool).frame)
    return rng.choice(size, setting.n, replace=False).astype(np.int64)


def drawn(setting: Setting, seed: int) -> tuple[npt.NDArray[np.intp], Floats]:
    """Places and the probabilities of a sample of the default design."""
    pool = pool_of(setting.pool)
    sample = draw_sample(pool.frame, n=setting.n, stratum="doc_type", risk="risk", seed=seed)
    rows = pool.places(sample["doc_id"])
    return rows, sample["inclusion_probability"].to_numpy()


def run(setting: Setting, seed: int) -> list[dict[str, object]]:
    """Every estimate of every outcome from one sample of each kind."""
    pool = pool_of(setting.pool)
    known, means = pool.known(setting.n)
    rows, pi = drawn(setting, seed)
    random = plain_rows(setting, seed)
    alike = np.full(setting.n, setting.n / len(pool.frame))
    records = []
    for outcome, column in pool.outcomes.items():
        y, plain = column.to_numpy()[rows], column.to_numpy()[random]
        estimates = {
            DEFAULT: greg_mean(y, pi, auxiliary=known[rows], pool_mean=means),
            HAJEK: hajek_mean(y, pi),
            NAIVE: plain_mean(y),
            PLAIN: hajek_mean(plain, alike),
            HELPED: greg_mean(plain, alike, auxiliary=known[random], pool_mean=means),
        }
        records += [_record(way, str(outcome), mean) for way, mean in estimates.items()]
    return records


def run_target(setting: Setting, seed: int) -> list[dict[str, object]]:
    """Estimate of a rare outcome by the design for it, after an earlier evaluation."""
    pool, outcome = pool_of(setting.pool), "unusable"
    (known, means), y = pool.known(setting.n), pool.outcomes[outcome]
    places, before = drawn(setting, 1_000_000 + seed)
    rated = pool.frame.iloc[places].assign(
        outcome=y.to_numpy()[places], inclusion_probability=before
    )
    frame = pool.frame.assign(risk=expected_spread(pool.frame, rated=rated))
    sample = draw_sample(
        frame, n=setting.n, stratum="doc_type", risk="risk", seed=seed, design="target"
    )
    rows = pool.places(sample["doc_id"])
    mean = greg_mean(
        y.to_numpy()[rows],
        sample["inclusion_probability"],
        auxiliary=known[rows],
        pool_mean=means,
    )
    return [_record(TARGET, outcome, mean)]


def _record(way: str, outcome: str, mean: Estimate) -> dict[str, object]:
    """Row of an estimate."""
    few = any(text.startswith("Too few") for text in mean.warnings)
    return {
        "way": way,
        "outcome": outcome,
        "value": mean.value,
        "low": mean.low,
        "high": mean.high,
        "few": few,
    }


def ask_peers(setting: Setting, folder: Path, runs: int) -> list[dict[str, object]]:
    """Estimates of the peers: ppi-python on simple random samples, samplics on our draws."""
    pool = pool_of(setting.pool)
    guess = np.clip(5 - 2 * np.log10(1 + 100 * pool.frame["cer"].to_numpy()), 1, 5)
    predicted = {"score": guess, "usable": (guess >= 3.5) * 1.0, "unusable": (guess < 1.5) * 1.0}
    rows = np.stack([plain_rows(setting, seed) for seed in range(runs)])
    records = []
    for outcome, f in predicted.items():
        y = pool.outcomes[outcome].to_numpy()
        answer = sampling_peers.ask("ppi", {"y": y, "f": f, "rows": rows}, folder=folder)
        records += [_record(PPI, outcome, Estimate(*three)) for three in answer]
    return records + _ask_samplics(setting, folder, runs, outcomes=list(predicted))


def _ask_samplics(
    setting: Setting, folder: Path, runs: int, *, outcomes: list[str]
) -> list[dict[str, object]]:
    """Estimates of samplics on our draws."""
    pool = pool_of(setting.pool)
    records = []
    ours = [drawn(setting, seed) for seed in range(runs)]
    weight = np.stack([1 / pi for _, pi in ours])
    for outcome in outcomes:
        y = np.stack([pool.outcomes[outcome].to_numpy()[place] for place, _ in ours])
        answer = sampling_peers.ask("samplics", {"y": y, "weight": weight}, folder=folder)
        records += [_record(SAMPLICS, outcome, Estimate(*three)) for three in answer]
    return records


def outcomes_of(
    setting: Setting, *, share: float, processes: int, peers: Path | None
) -> pd.DataFrame:
    """One row for every estimate of every sample of a setting."""
    runs = max(2, round(setting.runs * share))
    few = max(2, round(FEWER_RUNS * share))
    tasks = [(run, runs), (run_target, few)] if setting == SETTINGS[0] else [(run, runs)]
    rows: list[dict[str, object]] = []
    for task, times in tasks:
        with ProcessPoolExecutor(processes) as pool:
            for records in pool.map(task, [setting] * times, range(times), chunksize=10):
                rows += records
    if peers is not None and setting == SETTINGS[0]:
        rows += ask_peers(setting, peers, few)
    return pd.DataFrame(rows)
