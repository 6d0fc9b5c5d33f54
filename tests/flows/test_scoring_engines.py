"""Who scores the batches of a pool changes nothing but the time it takes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from ocrjury.scoring.batch_files import SCORES

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.prefect


@pytest.fixture(scope="module")
def outcomes(server, tmp_path_factory):
    """What every engine made of one pool, one after the other in a process of its own."""
    command = [sys.executable, "-m", "tests.flows.scoring_run", str(tmp_path_factory.mktemp("run"))]
    environment = os.environ | {
        "PREFECT_API_URL": server.address,
        "PREFECT_API_AUTH_STRING": server.key,
        "PREFECT_LOGGING_LEVEL": "ERROR",
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False, timeout=240
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("engine", ["processes", "dask", "cluster"])
def test_every_engine_writes_the_same_bytes(outcomes, engine):
    assert outcomes[engine]["sha256"] == outcomes["serial"]["sha256"]
    assert (outcomes[engine]["rows"], outcomes[engine]["n_unscored"]) == (300, 0)


def test_a_cluster_scores_in_a_process_of_its_own(outcomes):
    assert outcomes["cluster"]["processes"] == 1


def test_a_batch_that_kills_its_process_does_not_sink_the_rest(outcomes):
    killed = pd.read_parquet(outcomes["killed"]["path"])
    whole = pd.read_parquet(outcomes["serial"]["path"])

    lost = range(100, 200)
    assert killed.loc[lost, list(SCORES)].isna().all(axis=None)
    assert killed["doc_id"].equals(whole["doc_id"])
    pd.testing.assert_frame_equal(killed.drop(index=lost), whole.drop(index=lost))
    assert outcomes["killed"]["n_unscored"] == 100
    assert outcomes["killed"]["unscored"] == [["", "the process that scored it died"]]
