from dataclasses import replace

from ocrjury.frontends.labelstudio.rater_projects import OpaqueKeys
from ocrjury.store.evaluations import read_evaluation


def test_the_key_of_an_assignment_depends_on_what_only_the_store_knows(store, round_):
    row = read_evaluation(store.engine, round_.evaluation)
    name = f"{row.evaluation}/1/R01/0/doc-1"

    key = OpaqueKeys.of_evaluation(row).of(name)

    assert key == OpaqueKeys.of_evaluation(row).of(name)
    for other in (
        replace(row, seed=1),
        replace(row, config_hash="x"),
        replace(row, evaluation="y"),
    ):
        assert OpaqueKeys.of_evaluation(other).of(name) != key


def test_parts_are_not_run_together():
    keys = OpaqueKeys(bytes(32))

    assert keys.of("a", "b") != keys.of("ab")
