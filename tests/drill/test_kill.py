import ast

import pytest

from tests.drill.conftest import contents

SOME = [
    "commit:1",
    "committed:3",
    "batch:2",
    "pool:1",
    "file:1",
    "commit:6",
    "committed:9",
    "pdf:1",
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory, run):
    """The store after an uninterrupted run, and how often each point was passed."""
    home = tmp_path_factory.mktemp("whole")
    done = run(home)
    assert done.stdout.startswith("Closed"), done.stderr
    return contents(home), ast.literal_eval(done.stdout.partition(" ")[2])


def test_killed_and_run_again_it_ends_with_the_same_store(whole, run, tmp_path, request):
    expected, passed = whole
    points = SOME
    if request.config.getoption("--all-points"):
        points = [f"{kind}:{n}" for kind, times in passed.items() for n in range(1, times + 1)]

    for number, point in enumerate(points):
        home = tmp_path / str(number)
        assert run(home, point).returncode == -9, point
        kind, _, number_of_kind = point.partition(":")
        kept = len(list(home.glob("scoring/*/scored-*")))
        assert kept == {"batch": int(number_of_kind), "pool": 4}.get(kind, kept), point
        again = run(home)
        assert again.stdout.startswith("Closed"), (point, again.stderr)
        assert contents(home) == expected, point
        if kind in {"batch", "pool"}:
            assert not list(home.glob("scoring/*")), point


def test_the_drill_passes_every_kind_of_point(whole):
    _, passed = whole
    assert {"commit", "committed", "file", "batch", "pool", "pdf"} <= set(passed)
    assert passed["batch"] == 4
    assert passed["commit"] >= 12
