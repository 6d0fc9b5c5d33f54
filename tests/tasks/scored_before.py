"""Pools that an earlier test scored in the same way: the snapshot is copied, not made anew."""

import os
from hashlib import sha256
from pathlib import Path

from ocrjury.evaluation import scored_pool
from tests.tasks.opened_before import name_of

KEPT = {}
"""What scoring a pool ended with, and the bytes of its snapshot, by what was scored."""

patches = []
"""What the running test put in the place of functions."""


def snapshot_of(case, home, **options):
    """`ocrjury.evaluation.scored_pool.snapshot_of`, once for all tests that ask for the same."""
    key = key_of(case)
    if key in KEPT:
        snapshot, body = KEPT[key]
        (home / scored_pool.SCORING / case.name).mkdir(parents=True, exist_ok=True)
        assert case.work.store.files.put(body, kind="pool", suffix=".parquet") == snapshot.address
        return snapshot
    snapshot = scored_pool.snapshot_of(case, home, **options)
    if key and str(Path(case.row.pool_uri).parent) not in repr(snapshot):
        KEPT[key] = (snapshot, case.work.store.files.path(snapshot.address).read_bytes())
    return snapshot


def key_of(case):
    """What decides how scoring ends; None if something does that no key can hold."""
    campaign, pool = case.campaign, Path(case.row.pool_uri)
    names = [name_of(target, name) for target, name, _ in patches if name != "patches"]
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
