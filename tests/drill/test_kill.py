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
    assert done.code == 0, done.log.read_text()[-3000:]
    name, passed = done.end
    assert name == "Closed"
    return contents(home), passed


def pytest_generate_tests(metafunc):
    """A test for each of some points, or one for all of them, whose number a run shows."""
    if "point" in metafunc.fixturenames:
        every = metafunc.config.getoption("--all-points")
        metafunc.parametrize("point", ["every"] if every else SOME)


def test_killed_and_run_again_it_ends_with_the_same_store(whole, run, tmp_path, point):
    expected, passed = whole
    points = [point]
    if point == "every":
        points = [f"{kind}:{n}" for kind, times in passed.items() for n in range(1, times + 1)]

    for number, deadly in enumerate(points):
        home = tmp_path / str(number)
        assert run(home, deadly).code == -9, deadly
        kind, _, number_of_kind = deadly.partition(":")
        kept = len(list(home.glob("scoring/*/scored-*")))
        assert kept == {"batch": int(number_of_kind), "pool": 4}.get(kind, kept), deadly
        again = run(home)
        assert again.code == 0, (deadly, again.log.read_text()[-3000:])
        assert again.end[0] == "Closed", deadly
        assert contents(home) == expected, deadly
        if kind in {"batch", "pool"}:
            assert not list(home.glob("scoring/*")), deadly


def test_the_drill_passes_every_kind_of_point(whole):
    _, passed = whole
    assert {"commit", "committed", "file", "batch", "pool", "pdf"} <= set(passed)
    assert passed["batch"] == 4
    assert passed["commit"] >= 12
