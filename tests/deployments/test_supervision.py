import os
import signal
import subprocess
import sys
import weakref
from pathlib import Path

import pytest

from ocrjury.deployments import supervision
from ocrjury.deployments.supervision import (
    Patience,
    Program,
    Supervisor,
    launch,
    leave_if_told,
    raise_on,
)
from tests.children import ending, next_line

ROOT = Path(__file__).resolve().parents[2]
SLEEP = "import time; print('awake', flush=True); time.sleep(60)"
DEAF = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEP}"
WITH_GRANDCHILD = f"""
import subprocess, sys
grandchild = subprocess.Popen([sys.executable, "-c", {DEAF!r}], stdout=subprocess.PIPE)
grandchild.stdout.readline()
print(grandchild.pid, flush=True)
{SLEEP}
"""
PARENT = f"""
import sys, time
from pathlib import Path
from ocrjury.deployments.supervision import Program, Supervisor, ignore, raise_on
import signal
raise_on((signal.SIGINT, signal.SIGTERM))
supervisor = Supervisor(say=print)
program = Program(
    "child", [sys.executable, "-c", {SLEEP!r}], Path("/"), {{}}, Path(sys.argv[1]) / "child.log"
)
try:
    print(supervisor.start(program).process.pid, flush=True)
    time.sleep(60)
finally:
    supervisor.stop()
"""


def runs(pid):
    """Tell whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.fixture
def program(tmp_path):
    def make(code, name="child"):
        command = [sys.executable, "-c", code]
        return Program(name, command, tmp_path, dict(os.environ), tmp_path / f"{name}.log")

    return make


@pytest.fixture
def said():
    """What a supervisor told."""
    return []


@pytest.fixture
def supervisor(said):
    patience = Patience(shortest=0.01, longest=0.05)
    supervisor = Supervisor(say=said.append, patience=patience, grace=5)
    yield supervisor
    supervisor.stop()


def test_what_a_child_says_goes_to_its_log(supervisor, program, until):
    child = supervisor.start(program("print('hello'); import sys; print('oh', file=sys.stderr)"))

    until(lambda: not child.alive)

    assert child.program.log.read_text() == "hello\noh\n"


def test_a_dead_child_is_started_again(supervisor, said, program, *, until):
    child = supervisor.start(program(SLEEP))
    first = child.process.pid

    child.process.kill()
    until(lambda: supervisor.revive() or child.process.pid != first)

    assert child.alive
    [sentence] = said
    assert "child ended with -9; restarting it in 0 s. Its log: " in sentence


def test_a_child_that_dies_at_once_is_started_ever_more_slowly(supervisor, program, until):
    child = supervisor.start(program("raise SystemExit(3)"))

    until(lambda: supervisor.revive() or child.failures >= 3)

    assert [supervisor.patience.wait(n) for n in range(4)] == [0.01, 0.02, 0.04, 0.05]


def test_a_long_life_makes_up_for_early_deaths(supervisor, program, until):
    child = supervisor.start(program("raise SystemExit(3)"))
    child.failures, child.started = 5, child.started - 3600

    until(lambda: supervisor.revive() or child.due)

    assert child.failures == 0


def test_children_end_in_the_reverse_of_their_order(supervisor, said, program):
    pids = [supervisor.start(program(SLEEP, name)).process.pid for name in ("server", "worker")]

    supervisor.stop()

    assert [sentence.split()[0] for sentence in said] == ["worker", "server"]
    assert not any(map(runs, pids))


def test_a_child_that_does_not_listen_is_killed(supervisor, program, until):
    supervisor.grace = 0.1
    child = supervisor.start(program(DEAF))
    until(lambda: "awake" in child.program.log.read_text())

    supervisor.stop()

    assert child.process.returncode == -signal.SIGKILL


def test_what_a_child_started_ends_with_it(supervisor, program, until):
    child = supervisor.start(program(WITH_GRANDCHILD))
    grandchild = int(until(child.program.log.read_text).split()[0])

    supervisor.stop()

    assert until(lambda: not runs(grandchild))


def test_the_next_life_finds_nothing_of_the_last(supervisor, program, until):
    child = supervisor.start(program(WITH_GRANDCHILD))
    grandchild = int(until(child.program.log.read_text).split()[0])

    child.process.kill()
    until(lambda: supervisor.revive() or child.due)

    assert until(lambda: not runs(grandchild))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_children_die_with_their_parent(tmp_path, until, number):
    # As a shell does for `make up &`, the parent starts with SIGINT ignored.
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),  # noqa: PLW1509  # no thread runs here
    )
    with ending(parent):
        child = int(next_line(parent))
        assert runs(child)

        parent.send_signal(number)

        assert until(lambda: not runs(child))
        parent.wait(60)


def test_a_child_of_an_ignoring_shell_listens_to_signals(program, until):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        child = launch(program("import signal; print(signal.getsignal(signal.SIGINT).__name__)"))
    finally:
        signal.signal(signal.SIGINT, before)

    child.wait(60)

    assert "default_int_handler" in program("").log.read_text()


def test_a_signal_during_a_start_is_heard_after_it(tmp_path, monkeypatch):
    """Python ignores what a handler raises while it forks, so the signal has to wait."""
    before, real, supervisor = signal.getsignal(signal.SIGTERM), subprocess.Popen, Supervisor(print)

    def interrupted(*arguments, **options):
        os.kill(os.getpid(), signal.SIGTERM)
        return real(*arguments, **options)

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    raise_on([signal.SIGTERM])
    try:
        with pytest.raises(SystemExit):
            supervisor.start(Program("a", ["/bin/sleep", "60"], tmp_path, {}, tmp_path / "log"))
    finally:
        signal.signal(signal.SIGTERM, before)
        process = supervisor.children["a"].process
        supervisor.stop()

    assert process.returncode == -signal.SIGTERM


def test_a_child_hears_signals_that_its_parent_let_wait(tmp_path):
    program = Program("a", ["/bin/sleep", "60"], tmp_path, {}, tmp_path / "log")
    process = Supervisor(print).start(program).process

    process.terminate()

    assert process.wait(60) == -signal.SIGTERM


def test_a_signal_whose_exit_python_drops_ends_the_process_all_the_same(monkeypatch):
    dropped = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: dropped.append(told.exc_type))
    monkeypatch.setattr(supervision, "_heard", [])
    before = signal.getsignal(signal.SIGUSR1)
    raise_on([signal.SIGUSR1])
    leave_if_told()
    thing = type("Thing", (), {})()
    watched = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGUSR1))

    del thing

    signal.signal(signal.SIGUSR1, before)
    assert (watched(), dropped) == (None, [SystemExit])
    with pytest.raises(SystemExit) as ended:
        leave_if_told()
    assert ended.value.code == 0
