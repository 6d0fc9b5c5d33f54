"""Processes of their own that are there at once: forks of one that has imported what they run."""

import multiprocessing

FORKED = multiprocessing.get_context("forkserver")
FORKED.set_forkserver_preload(["pytest", "tests.delivery.sender", "tests.store.test_database"])
