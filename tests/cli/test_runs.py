"""What stands at the address of a Prefect server, and is none; real servers: tests/flows."""

import fcntl
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from ocrjury.cli import prefect_server, run_wait, runs
from ocrjury.cli.run_wait import SILENT, RunWait
from ocrjury.deployments import local
from ocrjury.deployments.installation import Installation
from ocrjury.errors import MissingDependencyError, OcrjuryError
from ocrjury.signals import run_progress
from ocrjury.signals.deployments import StartedRun
from ocrjury.signals.own_server import is_up, own_password, prefect_address
from ocrjury.signals.run_progress import RunProgress
from ocrjury.signals.server import NoAnswerError, NotReadyError, request

RUN = StartedRun("7", "quick-fox", "http://127.0.0.1/runs/flow-run/7")


@contextmanager
def serving(answers) -> Iterator[str]:
    """Yield the address of a server that gives one answer for each path, else 404."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            code, body = answers.get(self.path, (404, {"detail": "Not Found"}))
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/api"
        server.shutdown()
        thread.join(60)


@pytest.mark.parametrize(
    "health", [(200, b"<html>router</html>"), (200, {"ok": 1}), (500, b""), (404, b"")]
)
def test_what_is_no_prefect_server_is_taken_for_none(run, monkeypatch, health):
    with serving({"/api/health": health}) as api:
        monkeypatch.setenv("PREFECT_API_URL", api)

        answer = run("evaluation", "advance")

    assert answer == (
        2,
        "",
        f"No Prefect server answers at {api}; start it with `ocrjury up`.\n",
    )


def test_a_server_without_our_deployments_says_what_to_run(run, monkeypatch):
    with serving({"/api/health": (200, True)}) as api:
        monkeypatch.setenv("PREFECT_API_URL", api)

        answer = run("evaluation", "advance")

    assert answer.code == 2
    assert f"The Prefect server at {api} has no deployment advance-evaluation/advance" in answer.err


def test_garbage_instead_of_a_deployment_is_one_sentence(run, monkeypatch):
    path = "/api/deployments/name/advance-evaluation/advance"
    with serving({"/api/health": (200, True), path: (200, b"garbage")}) as api:
        monkeypatch.setenv("PREFECT_API_URL", api)

        answer = run("evaluation", "advance")

    assert answer.code == 2
    assert "is no Prefect server" in answer.err


def test_an_empty_address_counts_as_none(monkeypatch):
    monkeypatch.setenv("PREFECT_API_URL", " ")
    monkeypatch.setenv("OCRJURY_PREFECT_PORT", "4321")

    assert prefect_address() == "http://127.0.0.1:4321/api"


def test_a_run_that_was_deleted_is_not_awaited_for_ever():
    with serving({}) as api, pytest.raises(OcrjuryError, match="it was deleted"):
        RunWait(api, RUN).until_end()


def test_a_server_that_breaks_down_is_asked_a_few_times(monkeypatch):
    monkeypatch.setattr(run_wait, "POLL_SECONDS", 0)
    broken = {"/api/flow_runs/7": (500, b"")}

    with serving(broken) as api, pytest.raises(MissingDependencyError, match=r"failed \(500\)"):
        RunWait(api, RUN).until_end()


def ends_after(monkeypatch, *answers):
    """Let the server give these answers, and then the end of the run."""
    rest = iter([*answers, {"state": {"type": "COMPLETED", "name": "Swept"}}])
    monkeypatch.setattr(run_wait, "POLL_SECONDS", 0)
    monkeypatch.setattr(RunWait, "_read", lambda _: say(rest))


def test_the_wait_names_the_step_and_what_keeps_a_run_from_beginning(capsys, monkeypatch):
    names = ["Scheduled", "AwaitingConcurrencySlot", "Running", "Running", "Running", "Cancelling"]
    ends_after(monkeypatch, *({"state": {"type": "X", "name": name}} for name in names))
    scoring = RunProgress("claims: scoring the pool", "34,000 of 100,000")
    steps = iter([RunProgress(), scoring, RunProgress()])
    monkeypatch.setattr(run_progress, "read_progress", lambda *_, **__: next(steps))

    RunWait("http://127.0.0.1:9/api", RUN).until_end()

    assert capsys.readouterr().err.splitlines() == [
        "The run waits for a worker",
        "The run waits for another one to end",
        "The run has begun",
        "claims: scoring the pool",
        "The run is Cancelling",
    ]


def test_a_run_that_nobody_takes_is_not_awaited_for_ever(monkeypatch):
    late = {"state": {"type": "SCHEDULED", "name": "Late"}}
    ends_after(monkeypatch, *[late] * 20)
    monkeypatch.setattr(run_wait, "LONGEST_QUEUE", 0)

    with pytest.raises(MissingDependencyError, match=r"been Late for 0 minutes.*flow-run/7"):
        RunWait("http://127.0.0.1:9/api", RUN).until_end()


@pytest.mark.parametrize("name", ["Running", "Paused", "AwaitingRetry"])
def test_a_run_that_never_ends_is_not_awaited_for_ever(monkeypatch, name):
    ends_after(monkeypatch, *[{"state": {"type": "RUNNING", "name": name}}] * 20)
    monkeypatch.setattr(run_wait, "LONGEST_RUN", 0)

    with pytest.raises(MissingDependencyError, match=f"after 0 hours and is {name}.*flow-run/7"):
        RunWait("http://127.0.0.1:9/api", RUN).until_end()


def test_a_slow_server_is_waited_for_and_not_said_to_be_absent(capsys, monkeypatch):
    ends_after(monkeypatch, *(NoAnswerError("slow") for _ in range(20)))

    RunWait("http://127.0.0.1:9/api", RUN).until_end()

    assert capsys.readouterr().err == f"{SILENT}\n"


def test_a_server_that_is_silent_for_too_long_ends_the_wait(monkeypatch):
    ends_after(monkeypatch, NoAnswerError("slow"))
    monkeypatch.setattr(run_wait, "LONGEST_SILENCE", 0)

    with pytest.raises(MissingDependencyError, match="The run itself may go on: http://127"):
        RunWait("http://127.0.0.1:9/api", RUN).until_end()


def test_a_server_that_does_not_answer_in_time_is_said_to_be_there():
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        api = f"http://127.0.0.1:{deaf.getsockname()[1]}/api"

        with pytest.raises(NoAnswerError, match=r"is there, but did not answer within 0\.1 s"):
            request("GET", f"{api}/health", timeout=0.1)
        assert run_progress.read_progress("http://127.0.0.1:9/api", "7", key=None) == ("", "")


def test_ctrl_c_while_waiting_says_that_the_run_goes_on(run, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("ocrjury.signals.deployments.start_deployment", lambda *_, **__: RUN)
    monkeypatch.setattr(RunWait, "until_end", interrupted)
    with serving({"/api/health": (200, True)}) as api:
        monkeypatch.setenv("PREFECT_API_URL", api)

        answer = run("evaluation", "advance")

    assert answer == (
        130,
        f"Started: {RUN.address}\n",
        f"Stopped waiting; the run itself goes on: {RUN.address}\n",
    )


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ({"type": "COMPLETED", "name": "Closed", "message": "claims-2026w47"}, 0),
        ({"type": "CANCELLED", "name": "WaitingForRatings", "message": "3 of 9 ratings"}, 0),
        ({"type": "FAILED", "name": "Held", "message": "gate_failed: alpha"}, 0),
        ({"type": "CANCELLED", "name": "Cancelled", "message": None}, 1),
        ({"type": "FAILED", "name": "Refused", "message": "possible: abort"}, 1),
        ({"type": "CRASHED", "name": "Crashed", "message": None}, 1),
    ],
)
def test_the_end_of_a_run_is_the_exit_code(capsys, state, code):
    assert runs._report({"name": "claims-r01-advance", "state": state}) == code
    assert capsys.readouterr().out.startswith(f"claims-r01-advance: {state['name']}")


def test_an_error_is_told_without_the_words_of_prefect_and_a_crash_with_what_comes_next(capsys):
    raised = "Flow run encountered an exception: InputError: raters.csv is gone."
    failed = {"type": "FAILED", "name": "Failed", "message": raised}
    crashed = {"type": "CRASHED", "name": "Crashed", "message": "Process exited with -9."}

    assert [runs._report({"name": "r00", "state": state}) for state in (failed, crashed)] == [1, 1]

    assert capsys.readouterr().out.splitlines() == [
        "r00: Failed, raters.csv is gone.",
        "r00: Crashed, Process exited with -9.",
        "What was stored before is safe; `ocrjury status` says how it goes on.",
    ]


def test_a_server_of_somebody_else_at_the_own_port_is_not_used(run, home, monkeypatch):
    with serving({"/api/health": (200, True)}) as api:
        monkeypatch.setenv("OCRJURY_PREFECT_PORT", api.rpartition(":")[2].partition("/")[0])

        answer = run("evaluation", "advance")

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"No Prefect server of {home} answers at {api}; start it with")


@pytest.fixture
def coming_up(home):
    """`ocrjury up` has begun in this home."""
    with local.only_one(Installation(home, 4200)):
        yield


def test_a_command_waits_for_a_server_that_is_coming_up(run, coming_up, monkeypatch):
    answers = iter([False, False, True])
    started = iter([NotReadyError("it has no deployment advance-evaluation/advance"), RUN])
    monkeypatch.setattr(prefect_server, "PAUSE", 0)
    monkeypatch.setattr(prefect_server, "server_answers", lambda _: next(answers))
    monkeypatch.setattr(
        "ocrjury.signals.deployments.start_deployment", lambda *_, **__: say(started)
    )

    answer = run("evaluation", "advance", "--no-wait")

    assert (answer.code, answer.out) == (0, f"Started: {RUN.address}\n")
    assert answer.err.splitlines() == 2 * [
        "The Prefect server of `ocrjury up` is not ready yet; waiting for it, 90 s at most"
    ]


def say(answers):
    """The next answer; an error is raised."""
    answer = next(answers)
    if isinstance(answer, Exception):
        raise answer
    return answer


def test_a_command_does_not_wait_for_ever(run, home, coming_up, monkeypatch):
    monkeypatch.setattr(prefect_server, "PAUSE", 0)
    monkeypatch.setattr(prefect_server, "START_SECONDS", 0)

    answer = run("evaluation", "advance")

    assert (answer.code, answer.out) == (2, "")
    assert f"No Prefect server of {home} answers" in answer.err.splitlines()[-1]


def test_what_may_have_been_done_is_not_done_again(coming_up):
    asked = []

    def ask():
        asked.append(1)
        raise MissingDependencyError("it took longer than 10 s")

    with pytest.raises(MissingDependencyError, match="longer"):
        prefect_server.once_ready(ask)
    assert asked == [1]


def test_a_look_at_the_lock_keeps_no_server_from_starting(home, monkeypatch):
    installation = Installation(home, 4200)
    with local.only_one(installation):
        assert is_up(home)
    assert not is_up(home)
    look = (home / "up.lock").open("rb")
    fcntl.flock(look, fcntl.LOCK_SH)
    monkeypatch.setattr(local.time, "sleep", lambda _: look.close())

    with local.only_one(installation):
        assert look.closed


def test_up_shows_the_password(run, home):
    first, again = run("up", "--password"), run("up", "--password")

    assert first == again == (0, f"{own_password(home)}\n", "")
