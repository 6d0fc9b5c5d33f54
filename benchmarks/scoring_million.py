"""A million fields from a JSONL file to a scored Parquet file, with every engine.

Each engine runs in a process of its own: ``python -m benchmarks.scoring_million ENGINE POOL``.
"""

import contextlib
import hashlib
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, cast

import psutil  # type: ignore[import-untyped]  # no stubs

from benchmarks.scoring_texts import make_texts

Engine = Literal["serial", "processes", "dask"]

ROOT = Path(__file__).parents[1]
MILLION = int(os.environ.get("OCRJURY_BENCH_FIELDS", "1000000"))
BLOCK = 20_000
MOST_MB = 600
ENGINES: tuple[Engine, ...] = ("serial", "processes", "dask")


def million_report() -> Iterator[str]:
    """Yield the lines about a million fields."""
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as api:
        pool = Path(folder, "pool.jsonl")
        write_pool(pool)
        size = pool.stat().st_size / 2**20
        load = os.getloadavg()[0]
        yield (
            f", end to end\n\n{MILLION:,} generated fields of 20 to 60 characters, a JSONL file of "
            f"{size:,.0f} MB, read,\nscored with the whole row and its totals, and written to one "
            f"Parquet file; {os.cpu_count()} processors,\n2 workers for `processes` and `dask`, "
            f"load {load:.1f} from other work when it began. Every engine in one\nrun of "
            "`.venv/bin/python -m benchmarks.scoring --million`, each in a process of its own with "
            "its workers\nbelow it; the time is that of the clock, start of workers included, the "
            "processor's time that of all\nprocesses. Memory is the largest process's peak and the "
            "peak of all together with shared pages counted once.\n"
        )
        yield (
            "| engine | seconds | fields per second | seconds of the processor "
            "| fields per second and core | largest process, MB | all together, MB | goal, MB | |\n"
            "|---|--:|--:|--:|--:|--:|--:|--:|---|"
        )
        found = {engine: ask(engine, pool, api) for engine in ENGINES}
        for engine, one in found.items():
            yield row(engine, one)
        same = len({one["sha256"] for one in found.values()}) == 1
        yield (
            f"\nThe three files are {'byte for byte the same' if same else 'DIFFERENT'}. Reading "
            "and checking rows is done by one process whatever the engine,\nand takes about as "
            "long as scoring short fields does; more workers help where texts are long.\n"
        )


def row(engine: str, one: dict[str, Any]) -> str:
    """Line of an engine."""
    met = "met" if one["largest"] <= MOST_MB else "missed"
    line = (
        f"| {engine} | {one['seconds']:.0f} | {MILLION / one['seconds']:,.0f} | {one['cpu']:.0f} "
        f"| {MILLION / one['cpu']:,.0f} | {one['largest']:.0f} | {one['together']:.0f} "
        f"| {MOST_MB} | {met} |"
    )
    sys.stderr.write(f"{line}\n")
    return line


def write_pool(path: Path) -> None:
    """Write the fields, block by block."""
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, MILLION, BLOCK):
            texts = make_texts(min(BLOCK, MILLION - start), shortest=20, longest=60, seed=start)
            for number, (reference, hypothesis) in enumerate(zip(*texts, strict=True), start=start):
                body = {
                    "doc_id": f"field-{number:07d}",
                    "page_id": f"page-{number // 20:06d}",
                    "doc_type": ("claim", "receipt", "diagnosis")[number % 3],
                    "reference": reference,
                    "hypothesis": hypothesis,
                    "confidence": number % 100 / 100,
                }
                file.write(json.dumps(body, ensure_ascii=False) + "\n")


def ask(engine: Engine, pool: Path, api: str) -> dict[str, Any]:
    """Time and memory of one engine, watched from outside."""
    environment = {**os.environ, "PREFECT_API_URL": api, "OMP_NUM_THREADS": "1"}
    environment["PREFECT_LOGGING_LEVEL"] = "ERROR"
    command = [sys.executable, "-m", "benchmarks.scoring_million", engine, str(pool)]
    start = time.perf_counter()
    with subprocess.Popen(  # noqa: S603  # ourselves
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as child:
        together = _watched(child)
        printed = child.stdout.read() if child.stdout is not None else ""
    if child.returncode:
        sys.exit(f"{engine} failed")
    seconds = time.perf_counter() - start
    return {**json.loads(printed.splitlines()[-1]), "seconds": seconds, "together": together}


def _watched(child: "subprocess.Popen[str]") -> float:
    """Peak megabytes of a process and all below it together."""
    most = 0.0
    while child.poll() is None:
        with contextlib.suppress(psutil.Error):
            top = psutil.Process(child.pid)
            sizes = (_share(one) for one in [top, *top.children(recursive=True)])
            most = max(most, sum(sizes) / 2**20)
        time.sleep(0.5)
    return most


def _share(process: psutil.Process) -> int:
    """Bytes of a process, shared ones divided by the number of processes that share them."""
    try:
        return int(process.memory_full_info().pss)
    except psutil.Error:
        return 0


@contextlib.contextmanager
def _server(folder: Path) -> Iterator[str]:
    """Start a Prefect server for the task runs of this benchmark."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "PREFECT_HOME": str(folder / "prefect")}
    command = [sys.executable, "-m", "prefect", "server", "start", "--port", str(port)]
    api = f"http://127.0.0.1:{port}/api"
    with subprocess.Popen(  # noqa: S603  # ours
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            _wait_for(f"{api}/health")
            yield api
        finally:
            server.terminate()


def _wait_for(address: str) -> None:
    """Wait until a server answers."""
    for _ in range(300):
        try:
            with urllib.request.urlopen(address, timeout=2):  # noqa: S310  # ours
                return
        except OSError:
            time.sleep(0.5)
    sys.exit("no Prefect server came up")


def run(engine: Engine, pool: Path) -> dict[str, Any]:
    """Score the pool in this process and its workers."""
    from ocrjury.campaign.settings import Settings  # noqa: PLC0415  # the parent needs none of it
    from ocrjury.readers import iter_pool  # noqa: PLC0415
    from ocrjury.scoring import score_pool_in_batches  # noqa: PLC0415
    from ocrjury.scoring.pool_run import BATCH_ROWS  # noqa: PLC0415
    from ocrjury.tasks.scoring_engines import engine_of  # noqa: PLC0415
    from ocrjury.text import TextOptions  # noqa: PLC0415

    settings = replace(Settings(Path(), "", workers=2), engine=engine)
    with tempfile.TemporaryDirectory(dir=pool.parent) as folder:
        scored = score_pool_in_batches(
            iter_pool(pool, batch=BATCH_ROWS),
            Path(folder, "scored.parquet"),
            folder=Path(folder, "batches"),
            options=TextOptions(),
            engine=engine_of(settings),
        )
        with scored.path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    own, below = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return {
        "rows": scored.rows,
        "sha256": digest,
        "cpu": own.ru_utime + own.ru_stime + below.ru_utime + below.ru_stime,
        "largest": max(own.ru_maxrss, below.ru_maxrss) / 1024,
    }


if __name__ == "__main__":
    print(json.dumps(run(cast("Engine", sys.argv[1]), Path(sys.argv[2]))))
