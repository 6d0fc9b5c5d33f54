"""Score one pool with every engine in this process and print what came of it as JSON.

A process of its own: Prefect's threads take the server's address from the environment only.
"""

import gc
import hashlib
import json
import os
import signal
import sys
from dataclasses import replace
from functools import cache
from multiprocessing.synchronize import SemLock
from pathlib import Path

from ocrjury.campaign.settings import Settings
from ocrjury.readers import read_pool
from ocrjury.scoring import score_batch, score_pool_in_batches
from ocrjury.text import TextOptions

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "korean-claims" / "fields.jsonl"
SETTINGS = Settings(Path(), "", workers=1)
KILLER = 1


@cache
def batches():
    """Three batches of real fields."""
    pool = read_pool(EXAMPLE).head(300)
    return [pool.iloc[start : start + 100].reset_index(drop=True) for start in range(0, 300, 100)]


def scored(folder, name, engine):
    """What became of the pool, with the hash of its bytes."""
    found = score_pool_in_batches(
        batches(),
        folder / f"{name}.parquet",
        folder=folder / "batches" / name.partition(" ")[0],
        options=TextOptions(),
        engine=engine,
    )
    digest = hashlib.sha256(found.path.read_bytes()).hexdigest()
    return {"sha256": digest, "rows": found.rows, "n_unscored": found.n_unscored,
            "unscored": found.unscored, "path": str(found.path)}  # fmt: skip


def killing(job):
    """Score a batch; one of them kills its process while that holds every lock that it shares."""
    if job.number == KILLER:
        for lock in [thing for thing in gc.get_objects() if isinstance(thing, SemLock)]:
            lock.acquire(block=False)
        os.kill(os.getpid(), signal.SIGKILL)
    return score_batch(job)


def main(folder):
    """Print the outcomes of all engines."""
    # Not above: every process that scores imports this module, and needs neither of them.
    from distributed import Client, LocalCluster

    from ocrjury.tasks import scoring_engines

    def run(name, **settings):
        engine = scoring_engines.engine_of(replace(SETTINGS, **settings))
        return scored(folder, name, engine)

    found = {"serial": run("serial"), "dask": run("dask", engine="dask")}
    one = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(processes=True, **one) as cluster, Client(cluster) as client:
        address = cluster.scheduler_address
        found["cluster"] = run("cluster", engine="dask", dask_scheduler=address, workers=2)
        found["cluster"]["processes"] = len({*client.run(os.getpid).values()} - {os.getpid()})
    scoring_engines.score_batch = killing
    found["killed"] = run("processes killed", engine="processes", workers=2)
    scoring_engines.score_batch = score_batch
    found["processes"] = run("processes again", engine="processes", workers=2)
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
