"""Whole evaluations by the flows' own steps, without Prefect: what each step costs.

Run by `benchmarks.scale` in a process of its own, whose last line says what it measured, as JSON.
"""

import json
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import sqlalchemy as sa
import yaml
from prefect import Task

from benchmarks.scoring_texts import make_texts
from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.state import next_step
from ocrjury.evaluation.case import Case, Work, at_work
from ocrjury.evaluation.decisions import take_decision
from ocrjury.flows.advance_evaluation import STEPS
from ocrjury.frontends.ingest import OpenRound, receive
from ocrjury.frontends.simulated import simulated_ratings
from ocrjury.tasks.collecting import measure_progress, rate_by_simulation
from ocrjury.tasks.holding import record_move
from ocrjury.tasks.opening import open_campaign
from ocrjury.tasks.prospects import read_prospects

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "korean-claims"
DISTINCT = 20_000
"""Fields with texts of their own; a larger pool repeats them under other names."""
TYPES = ("claim", "receipt", "diagnosis", "policy", "letter", "invoice", "form", "table")
SCANS = ("good", "fair", "poor")
FIRST_MONDAY = datetime(2026, 1, 5, 9, tzinfo=UTC)
MOST_STEPS = 200
STEP_OF = {
    "score_pool": "score",
    "draw_items": "sample",
    "open_next_round": "open rounds",
    "close_open_round": "rate and close",
    "judge_round": "judge",
    "estimate_pool": "estimate",
    "write_report": "report",
}
HOLD = "hold, with an interim report"
"""A step of some weeks only: the gate holds evaluations by their ratings."""
Costs = dict[str, dict[str, float]]


def write_pool(path: Path, count: int) -> None:
    """Write fields of 20 to 60 characters as JSONL, 20 on a page."""
    references, hypotheses = make_texts(min(count, DISTINCT), shortest=20, longest=60)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            text = number % DISTINCT
            body = {
                "doc_id": f"field-{number:07d}",
                "page_id": f"page-{number // 20:06d}",
                "doc_type": TYPES[number * 7 // 3 % len(TYPES)],
                "scan": SCANS[number * 5 // 7 % len(SCANS)],
                "reference": references[text],
                "hypothesis": hypotheses[text],
                "confidence": number * 37 % 101 / 100,
            }
            file.write(json.dumps(body, ensure_ascii=False) + "\n")


def write_campaign(folder: Path, pool: Path, *, n: int, frontend: str) -> Path:
    """Write the example's campaign on another pool, with five raters of the same skills."""
    campaign = yaml.safe_load((EXAMPLE / "campaign.yaml").read_text("utf-8"))
    campaign |= {
        "name": "weekly",
        "pool": {"path": str(pool), "format": "jsonl"},
        "rubric": str(EXAMPLE / "rubric.yaml"),
        "simulation": {"default": {"noise": 0.3}},
    }
    campaign["raters"]["file"] = "raters.csv"
    campaign["sampling"]["n"] = n
    campaign["rounds"]["frontend"] = frontend
    campaign["adaptive"] |= {"max_rounds": 4, "budget": n}
    campaign["report"]["examples"] = "masked"
    people = [f"R{number:02d},rater" for number in range(1, 6)]
    lines = ["pseudonym,role", *people, "A01,adjudicator", "E01,expert"]
    (folder / "raters.csv").write_text("\n".join(lines), "utf-8")
    path = folder / "campaign.yaml"
    path.write_text(yaml.safe_dump(campaign, allow_unicode=True), "utf-8")
    return path


class Meter:
    """Processor seconds of this process and its children, and peaks of memory, by step."""

    def __init__(self) -> None:
        self.steps: Costs = {}

    @contextmanager
    def measuring(self, step: str) -> Iterator[None]:
        """Add what a step costs."""
        forget_peak()
        before = processor_seconds()
        yield
        cost = self.steps.setdefault(step, {"seconds": 0.0, "megabytes": 0.0})
        cost["seconds"] += processor_seconds() - before
        cost["megabytes"] = max(cost["megabytes"], peak_megabytes())


def processor_seconds() -> float:
    """Seconds of the processor of this process and of its ended children."""
    own, below = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + below.ru_utime + below.ru_stime


def forget_peak() -> None:
    """Let the peak of memory begin at what is in use."""
    Path("/proc/self/clear_refs").write_text("5", "ascii")


def peak_megabytes() -> float:
    """Peak of this process's memory since `forget_peak`."""
    return _status("VmHWM") / 1024


def resident_megabytes() -> float:
    """Memory of this process."""
    return _status("VmRSS") / 1024


def _status(name: str) -> int:
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def whole_evaluation(campaign: Path, *, now: datetime, meter: Meter) -> str:
    """Open an evaluation and take it to its end; return its name."""
    os.environ["OCRJURY_CLOCK"] = now.isoformat()
    with meter.measuring("open"):
        opened = open_campaign.fn(str(campaign), period=None, seed=None, scheduled=now)
    for _ in range(MOST_STEPS):
        if not _step(opened.evaluation, meter):
            return opened.evaluation
    raise RuntimeError(f"{opened.evaluation} does not end")


def _step(evaluation: str, meter: Meter) -> bool:
    """Take one step; False at the end."""
    with meter.measuring("look ahead"):
        prospects = read_prospects.fn(evaluation)
        step = next_step(prospects.history)
    if prospects.history.state == "held":
        _proceed(evaluation)
        return True
    if step.what == "progress":
        with meter.measuring("rate and close"):
            measure_progress.fn(evaluation)
            _rate(evaluation)
        return True
    if step.rests:
        return False
    task = STEPS.get((prospects.history.state, step.to), record_move)
    name = STEP_OF.get(task.fn.__name__, "other") if isinstance(task, Task) else "other"
    if step.to == "held":
        name = HOLD
    with meter.measuring(name):
        getattr(task, "fn", task)(prospects, step)
    return True


def _rate(evaluation: str) -> None:
    """Rate what is open, by simulation; as people's ratings where the frontend is a file."""
    with at_work() as work:
        case = work.case(evaluation)
        if not case.row.simulated:
            _rate_as_people(work, case)
            return
    rate_by_simulation.fn(evaluation)


def _rate_as_people(work: Work, case: Case) -> None:
    round_ = OpenRound.last_of(case)
    # Raters differ from week to week, as nearly all of the texts do not.
    seed = case.row.seed + case.row.opened_at.isocalendar().week
    sent = list(simulated_ratings(round_, case.campaign, seed=seed))
    received = receive(round_, sent, now=work.now)
    if received.refused:
        raise RuntimeError(str(received.refused[0]))


def _proceed(evaluation: str) -> None:
    target = DecisionTarget()
    with at_work() as work, work.snapshot():
        take_decision(work, evaluation, "proceed", reason="measured", actor="lead", target=target)


def _read_anew(pool: Path, week: int) -> None:
    """Change a text of the pool: the same texts rated again would be compared with nothing."""
    first, rest = pool.read_text("utf-8").split("\n", maxsplit=1)
    row = {**json.loads(first), "hypothesis": f"week {week}"}
    pool.write_text(json.dumps(row, ensure_ascii=False) + "\n" + rest, "utf-8")


@contextmanager
def counting_connections() -> Iterator[Callable[[], int]]:
    """Yield the number of connections to databases that are open."""
    number = Counter[str]()

    def note(what: str) -> Callable[..., None]:
        return lambda *_: number.update([what])

    listeners = {what: note(what) for what in ("connect", "close")}
    for what, listener in listeners.items():
        sa.event.listen(sa.Pool, what, listener)
    yield lambda: number["connect"] - number["close"]
    for what, listener in listeners.items():
        sa.event.remove(sa.Pool, what, listener)


def weeks(
    campaign: Path, pool: Path, sizes: Sequence[int], *, connections: Callable[[], int]
) -> Iterator[dict[str, Any]]:
    """Yield what each weekly evaluation costs, and what the process holds after it.

    `sizes` are the documents of the pool, week by week.
    """
    for week, (last, size) in enumerate(pairwise((0, *sizes))):
        if size != last:
            write_pool(pool, size)
        if week:
            _read_anew(pool, week)
        meter, start = Meter(), time.process_time()
        whole_evaluation(campaign, now=FIRST_MONDAY + timedelta(weeks=week), meter=meter)
        seconds = sum(cost["seconds"] for cost in meter.steps.values())
        yield {
            "week": week + 1,
            "documents": size,
            "seconds": seconds,
            "own": time.process_time() - start,
            "steps": meter.steps,
            "resident": resident_megabytes(),
            "threads": len(list(Path("/proc/self/task").iterdir())),
            "files": len(list(Path("/proc/self/fd").iterdir())),
            "connections": connections(),
            "children": len(
                Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()
            ),
        }


def main(folder: Path, *pools: tuple[int, int], n: int, frontend: str) -> None:
    """Measure evaluations of one campaign, a week apart.

    Parameters
    ----------
    folder
        Where pool, campaign and home lie.
    pools
        Documents of the pool, and for how many weeks.
    n
        Documents of each sample.
    """
    os.environ["OCRJURY_HOME"] = str(folder / "home")
    pool = folder / "pool.jsonl"
    campaign = write_campaign(folder, pool, n=n, frontend=frontend)
    sizes = [count for count, repeats in pools for _ in range(repeats)]
    with counting_connections() as connections:
        for week in weeks(campaign, pool, sizes, connections=connections):
            print(json.dumps(week | {"processor": processor_seconds()}), flush=True)


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        *((int(count), int(repeats)) for count, repeats in (of.split("x") for of in sys.argv[4:])),
        n=int(sys.argv[3]),
        frontend=sys.argv[2],
    )
