"""Pools that an earlier test scored in the same way: the snapshot is copied, not made anew."""

import os
import shutil
from hashlib import sha256
from pathlib import Path

from ocrjury.evaluation import scored_pool
from tests.tasks.earlier_evaluations import names_of

earlier = None
"""What earlier tests kept, for the running one."""


def snapshot_of(case, home, **options):
    """`ocrjury.evaluation.scored_pool.snapshot_of`, once for all tests that ask for the same."""
    key = key_of(case)
    found = key and earlier.kept.find(key)
    if found:
        folder, snapshot = found
        (home / scored_pool.SCORING / case.name).mkdir(parents=True, exist_ok=True)
        body = (folder / "pool").read_bytes()
        assert case.work.store.files.put(body, kind="pool", suffix=".parquet") == snapshot.address
        return snapshot
    snapshot = scored_pool.snapshot_of(case, home, **options)
    if key and str(Path(case.row.pool_uri).parent) not in repr(snapshot):
        path = case.work.store.files.path(snapshot.address)
        earlier.kept.keep(key, snapshot, lambda folder: shutil.copy(path, folder / "pool"))
    return snapshot


def key_of(case):
    """What decides how scoring ends; None if something does that no key can hold."""
    campaign, pool = case.campaign, Path(case.row.pool_uri)
    names = names_of(earlier.patches)
    others = (campaign.reference_location, campaign.gold_pool_location, campaign.masks_path)
    if None in names or any(others) or not pool.is_file():
        return None
    settings = {name: value for name, value in os.environ.items() if name.startswith("OCRJURY_")}
    decides = (
        names,
        sorted((settings | {"OCRJURY_HOME": "", "OCRJURY_CLOCK": ""}).items()),
        campaign.pool.model_dump() | {"path": pool.name, "images": ""},
        campaign.rubric.to_json(),
        (campaign.target_dimension, campaign.sampling.stratum, case.row.seed),
        (campaign.report.covariates, campaign.report.examples),
    )
    return sha256(repr(decides).encode() + pool.read_bytes()).hexdigest()
