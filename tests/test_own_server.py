import fcntl
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ocrjury.deployments import demo, local
from ocrjury.deployments.installation import Installation
from ocrjury.deployments.worker import wait_for_server
from ocrjury.errors import MissingDependencyError, StateError
from ocrjury.signals import own_server
from ocrjury.signals.own_server import (
    FILE,
    is_own_server,
    listens_here,
    make_password,
    own_password,
    prefect_key,
)
from ocrjury.signals.server import CLIENT, authorization, request


class Stub(BaseHTTPRequestHandler):
    """A Prefect server with a password, or with none, which wants tokens for changes."""

    def do_GET(self):
        self.answer(200, b"true" if self.path.endswith("/health") else b'{"token": "t"}')

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        tokens = (self.headers["Prefect-Csrf-Client"], self.headers["Prefect-Csrf-Token"])
        if tokens == (CLIENT, "t"):
            self.answer(200, b"{}")
        else:
            self.answer(403, b'{"detail": "Missing CSRF token."}')

    def answer(self, status, body):
        sent = self.headers["Authorization"]
        self.server.heard.append(sent)
        wanted = self.server.password
        open_to_all = self.path.endswith("/health")
        if wanted and not open_to_all and authorization(wanted) != {"Authorization": sent}:
            status, body = 401, b"{}"
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing on the console."""


@pytest.fixture
def server(tmp_path, monkeypatch):
    """What listens at the port of a home; it wants the password of that home."""
    for name in ("PREFECT_API_URL", "PREFECT_API_KEY", "PREFECT_API_AUTH_STRING"):
        monkeypatch.delenv(name, raising=False)
    with ThreadingHTTPServer(("127.0.0.1", 0), Stub) as stub:
        stub.heard, stub.password = [], make_password(tmp_path / "home")
        stub.api = f"http://127.0.0.1:{stub.server_port}/api"
        monkeypatch.setenv("OCRJURY_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("OCRJURY_PREFECT_PORT", str(stub.server_port))
        thread = threading.Thread(target=stub.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield stub
        stub.shutdown()
        thread.join(60)


@pytest.fixture
def another_account(monkeypatch):
    account = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: account)


def test_a_password_is_made_once_and_for_one_account(tmp_path):
    assert own_password(tmp_path) is None

    first, again = make_password(tmp_path), make_password(tmp_path)

    assert first == again == own_password(tmp_path)
    assert first.startswith("ocrjury:")
    assert len(first) > 32
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_a_password_that_was_cut_off_is_made_anew(tmp_path):
    (tmp_path / FILE).touch()

    assert own_password(tmp_path) is None
    assert make_password(tmp_path) == own_password(tmp_path)


def test_the_server_of_this_home_is_told_by_its_password(server, tmp_path):
    other = make_password(tmp_path / "other")

    assert is_own_server(server.api, server.password)
    assert not is_own_server(server.api, other)
    assert not is_own_server("http://127.0.0.1:9/api", server.password)
    assert not is_own_server(server.api, None)


def test_a_server_that_asks_for_no_password_is_not_ours(server):
    password, server.password = server.password, None

    assert not is_own_server(server.api, password)
    assert server.heard == [None]


@pytest.mark.usefixtures("another_account")
def test_another_accounts_server_never_hears_the_password(server, monkeypatch):
    assert not listens_here(server.server_port)
    assert not is_own_server(server.api, server.password)
    assert prefect_key(server.api) is None
    assert server.heard == []

    monkeypatch.setenv("PREFECT_API_AUTH_STRING", server.password)
    assert prefect_key(server.api) is None
    monkeypatch.setenv("PREFECT_API_AUTH_STRING", "theirs:1")
    assert prefect_key(server.api) == "theirs:1"


@pytest.mark.usefixtures("another_account")
def test_a_worker_takes_nothing_from_the_server_of_another_account(server, tmp_path, monkeypatch):
    password, server.password = server.password, None
    home = Installation(tmp_path / "home", server.server_port)

    for given in ("", password):  # as whoever starts a worker, and as `ocrjury up`
        monkeypatch.setenv("PREFECT_API_URL", given and server.api)
        monkeypatch.setenv("PREFECT_API_AUTH_STRING", given)
        with pytest.raises(MissingDependencyError, match="No Prefect server answered"):
            wait_for_server(server.api, seconds=0)
        assert "PREFECT_API_AUTH_STRING" not in home.environment_of_client(server.api)

    local._release_dead_runs(home)  # as when server and worker have died
    assert set(server.heard) <= {None}


def test_what_a_unit_names_goes_to_its_server_at_the_usual_port(server, tmp_path, monkeypatch):
    monkeypatch.setenv("PREFECT_API_URL", server.api)
    monkeypatch.setenv("PREFECT_API_AUTH_STRING", "units:1")
    server.password = "units:1"
    homes = [tmp_path / "home", tmp_path / "without-a-password"]

    for home in homes:
        monkeypatch.setenv("OCRJURY_HOME", str(home))
        wait_for_server(server.api, seconds=0)
        assert prefect_key(server.api) == "units:1"
        environment = Installation(home, server.server_port).environment_of_client(server.api)
        assert environment["PREFECT_API_AUTH_STRING"] == "units:1"


def test_a_worker_with_another_key_is_refused_in_a_sentence(server, tmp_path, monkeypatch):
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path / "without-a-password"))
    monkeypatch.setenv("PREFECT_API_URL", server.api)

    for given in ("", "units:2"):
        monkeypatch.setenv("PREFECT_API_AUTH_STRING", given)
        with pytest.raises(MissingDependencyError, match=r"refuses this key \(401\). Set PREFECT"):
            wait_for_server(server.api)


def test_the_password_goes_to_the_own_server_only(server, monkeypatch):
    assert prefect_key(server.api) == server.password
    assert prefect_key(f"http://localhost:{server.server_port}/api") == server.password
    assert prefect_key("https://elsewhere.example/api") is None
    assert prefect_key("http://[") is None

    monkeypatch.setenv("PREFECT_API_KEY", "pnu_1")
    assert prefect_key("https://elsewhere.example/api") == "pnu_1"


def test_a_change_carries_a_token_where_the_server_wants_one(server):
    answer = request("POST", f"{server.api}/x", key=server.password, json={})

    assert answer.status_code == 200


def test_where_the_system_does_not_tell_a_port_is_taken_for_ours(monkeypatch):
    monkeypatch.setattr("ocrjury.signals.own_server.SOCKETS", ())

    assert listens_here(1)


def test_the_demo_uses_no_server_but_that_of_its_home(server, tmp_path):
    here = Installation(tmp_path / "home", server.server_port)
    elsewhere = Installation(tmp_path / "elsewhere", server.server_port)

    own, foreign = demo.run_environment(here), demo.run_environment(elsewhere)

    assert own["PREFECT_API_URL"] == server.api
    assert own["PREFECT_API_AUTH_STRING"] == server.password
    assert "PREFECT_API_URL" not in foreign
    assert foreign["PREFECT_SERVER_API_AUTH_STRING"] == own_password(tmp_path / "elsewhere")


def test_the_demo_sends_no_password_to_a_server_that_was_named(server, tmp_path, monkeypatch):
    monkeypatch.setenv("PREFECT_API_URL", "https://elsewhere.example/api")

    found = demo.run_environment(Installation(tmp_path / "home", server.server_port))

    assert not [name for name in found if "AUTH" in name or name == "PREFECT_API_URL"]


class OneToken(BaseHTTPRequestHandler):
    """A server that knows the newest token of a client only, as Prefect does."""

    def do_GET(self):
        self.server.given += 1
        token = self.server.given
        self.server.pause.wait(0.2)  # others may ask meanwhile
        self.answer(200, f'{{"token": "{token}"}}')

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["Prefect-Csrf-Token"] is None:
            self.server.together.wait(30)
        good = self.headers["Prefect-Csrf-Token"] == str(self.server.given)
        self.answer(200 if good else 403, '{"detail": "Invalid CSRF token"}')

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        """Say nothing on the console."""


def test_threads_that_ask_at_once_share_a_token_and_get_another_when_it_ends():
    with ThreadingHTTPServer(("127.0.0.1", 0), OneToken) as stub, ExitStack() as ends:
        stub.given, stub.pause, stub.together = 0, threading.Event(), threading.Barrier(4)
        threading.Thread(target=stub.serve_forever, kwargs={"poll_interval": 0.01}).start()
        ends.callback(stub.shutdown)
        address = f"http://127.0.0.1:{stub.server_port}/api/flow_runs/filter"

        with ThreadPoolExecutor(4) as threads:
            asked = [threads.submit(request, "POST", address, json={}) for _ in range(4)]
            assert [one.result(60).status_code for one in asked] == [200] * 4
        shared, stub.given = stub.given, 7
        later = request("POST", address, json={})

    assert (shared, later.status_code, stub.given) == (1, 200, 8)


def test_a_password_that_another_process_keeps_locked_is_not_waited_for_for_ever(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(own_server, "SECONDS", 0.0)
    make_password(tmp_path)

    with (tmp_path / FILE).open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(StateError, match="another process has kept"):
            make_password(tmp_path)
