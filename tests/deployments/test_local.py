import shutil
import signal
import socket
from dataclasses import replace
from functools import partial
from itertools import count
from types import SimpleNamespace

import pytest

from ocrjury.deployments import local
from ocrjury.deployments.installation import Installation
from ocrjury.deployments.supervision import Patience, Program, Supervisor
from ocrjury.errors import InputError, MissingDependencyError, StateError


@pytest.fixture
def busy_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def installation(tmp_path, busy_port):
    return Installation(tmp_path / "home", busy_port)


@pytest.fixture
def untouched_signals():
    before = {number: signal.getsignal(number) for number in local.STOPPING}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_busy_port_names_the_remedy(busy_port):
    with pytest.raises(InputError, match=rf"Port {busy_port} .* OCRJURY_RATING_PORT"):
        local.check_port(busy_port, variable="OCRJURY_RATING_PORT")


def test_a_free_port_is_fine(busy_port):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]

    assert local.check_port(free, variable="X") is None


def test_a_second_one_hears_where_the_first_is(installation):
    second = local.only_one(installation)
    sentence = rf"already up here: {installation.ui} \(process \d"

    with local.only_one(installation), pytest.raises(StateError, match=sentence):
        second.__enter__()

    with local.only_one(installation):
        assert (installation.home / "up.lock").exists()


@pytest.mark.usefixtures("untouched_signals")
def test_a_taken_port_stops_it_before_anything_starts(installation):
    with pytest.raises(InputError, match=f"Port {installation.port} of this machine is taken"):
        local.stay_up(installation)

    assert not installation.logs.exists()


@pytest.mark.usefixtures("untouched_signals")
def test_one_port_for_both_is_refused_before_anything_starts(installation):
    both = replace(installation, rating_port=installation.port)

    with pytest.raises(InputError, match=r"OCRJURY_PREFECT_PORT and OCRJURY_RATING_PORT are both"):
        local.stay_up(both)

    assert not installation.logs.exists()


def test_the_server_is_reachable_from_this_machine_only(installation):
    command = " ".join(local.server_of(installation).command)

    assert f"server start --host 127.0.0.1 --port {installation.port}" in command


def test_a_server_that_dies_names_its_log(installation, tmp_path):
    supervisor = Supervisor(say=print)
    log = installation.log("server")
    supervisor.start(Program("server", ["/bin/false"], tmp_path, {}, log)).process.wait(60)
    nobody = Installation(tmp_path, 9)

    with pytest.raises(MissingDependencyError, match=rf"server stopped; {log} says more"):
        local.wait_until_healthy(nobody, supervisor)


def test_a_server_that_says_nothing_is_not_waited_for_for_ever(installation, tmp_path):
    supervisor = Supervisor(say=print)
    sleeper = ["/bin/sleep", "60"]
    supervisor.start(Program("server", sleeper, tmp_path, {}, installation.log("server")))
    nobody = Installation(tmp_path, 9)
    try:
        with pytest.raises(MissingDependencyError, match="did not answer within 0 s"):
            local.wait_until_healthy(nobody, supervisor, seconds=0)
    finally:
        supervisor.stop()


@pytest.mark.usefixtures("untouched_signals")
def test_a_home_that_vanishes_ends_everything_and_is_not_made_anew(tmp_path, monkeypatch):
    home, looks = tmp_path / "home", count(1)
    installation = Installation(home, free_port(), free_port())

    def sleep(_seconds):
        if (number := next(looks)) == 1:
            shutil.rmtree(home)
        assert number < 60, "it goes on without its home"

    def short(name):
        return lambda _: Program(name, ["/bin/true"], tmp_path, {}, installation.log(name))

    for name in ("server_of", "worker_of"):
        monkeypatch.setattr(local, name, short(name))
    for name in ("wait_until_healthy", "deploy_to"):
        monkeypatch.setattr(local, name, lambda *_: None)
    monkeypatch.setattr(local, "Supervisor", partial(Supervisor, patience=Patience(shortest=0)))
    # not that of the whole process, with which the end of a child is waited for
    monkeypatch.setattr(local, "time", SimpleNamespace(sleep=sleep))
    monkeypatch.setenv("OCRJURY_HOME", str(home))

    with pytest.raises(StateError, match=rf"^{home} is gone, or not mounted any more: "):
        local.stay_up(installation)

    assert not home.exists()
