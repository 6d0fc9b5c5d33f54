import logging
import socket
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from ocrjury.errors import InputError, MissingDependencyError
from ocrjury.frontends.labelstudio.server import Server, UnansweredError
from tests.frontends.labelstudio.stand_in import PERSONAL, TOKEN


def connected(address, token=TOKEN, **options):
    return Server(address, token, pause=0.0, timeout=5.0, **options)


class TestCheck:
    def test_it_returns_the_version(self, server):
        assert server.check() == "1.23.2"

    def test_a_token_that_is_refused_is_said_with_the_remedy(self, address):
        with connected(address, "wrong") as server:
            with pytest.raises(MissingDependencyError, match=r"refuses the token \(401\)\. Make"):
                server.check()

    @pytest.mark.parametrize("release", ["1.22.0", "0.9.1"])
    def test_a_version_that_is_too_old_is_named(self, server, label_studio, release):
        label_studio.release = release

        with pytest.raises(MissingDependencyError, match=f"version {release}; .* 1.23 or newer"):
            server.check()

    @pytest.mark.parametrize("release", ["1.23.0", "1.30.1.dev0", "2.0.0"])
    def test_newer_versions_are_taken(self, server, label_studio, release):
        label_studio.release = release

        assert server.check() == release

    def test_nobody_there(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]

        with connected(f"http://127.0.0.1:{port}", attempts=2) as server:
            with pytest.raises(MissingDependencyError, match="No Label Studio answers at"):
                server.check()

    @pytest.mark.parametrize(
        ("status", "headers", "body", "said"),
        [
            (200, {}, b"<html>a shop</html>", "is no Label Studio"),
            (200, {}, b'["json"]', "is no Label Studio"),
            (200, {}, b"[" * 100_000, "is no Label Studio"),
            (200, {}, b'{"release": "soon"}', "is no Label Studio"),
            (404, {}, b"<html>404</html>", "is no Label Studio"),
            (302, {"Location": "https://ls.example.org/"}, b"", "redirects to https://ls.example"),
        ],
    )
    def test_another_kind_of_server(self, status, headers, body, said):
        with answering(status, headers, body) as (address, _), connected(address) as server:
            with pytest.raises(MissingDependencyError, match=said):
                server.check()

    def test_the_address_of_a_page_instead_of_the_server(self, address):
        with connected(f"{address}/projects") as server:
            with pytest.raises((MissingDependencyError, InputError)):
                server.check()


class TestToken:
    def test_a_legacy_token_goes_on_as_it_is(self, server, label_studio):
        server.users()

        assert label_studio.tokens == [f"Token {TOKEN}"]

    def test_a_personal_token_only_fetches_short_ones(self, address, label_studio):
        with connected(address, PERSONAL) as server:
            server.users()
            server.users()

        assert label_studio.tokens == ["Bearer short-1"] * 2

    def test_a_short_token_that_expired_is_fetched_anew(self, address, label_studio):
        with connected(address, PERSONAL) as server:
            server.users()
            label_studio.refreshes += 1
            assert server.users()["r01@example.org"] == 2

        assert label_studio.tokens == ["Bearer short-1", "Bearer short-1", "Bearer short-3"]

    def test_a_personal_token_that_is_refused_is_said(self, address):
        with connected(address, "a.b.c") as server:
            with pytest.raises(MissingDependencyError, match="refuses the token"):
                server.check()

    @pytest.mark.parametrize("token", [TOKEN, PERSONAL])
    def test_it_is_never_shown(self, address, label_studio, caplog, token):
        said = []
        with caplog.at_level(logging.DEBUG), connected(address, token, attempts=2) as server:
            said += [repr(server), str(server), repr(server._client.auth)]
            server.check()
            label_studio.busy = [(500, [])] * 4
            with pytest.raises(MissingDependencyError) as trouble:
                server.users()
            said.append(str(trouble.value))

        assert token not in "".join([*said, caplog.text])

    def test_it_follows_no_redirect_to_another_server(self, address, label_studio):
        with answering(302, {"Location": f"{address}/api/users/"}, b"") as (elsewhere, _):
            with connected(elsewhere) as server, pytest.raises(MissingDependencyError):
                server.users()

        assert label_studio.requests == []


class TestPatience:
    def test_reading_is_repeated_whatever_happens(self, server, label_studio):
        label_studio.busy = [(500, []), (502, []), (504, []), (429, [("Retry-After", "0")])]

        assert len(server.users()) == 3
        assert len(label_studio.requests) == 5

    def test_it_gives_up_in_the_end(self, server, label_studio):
        label_studio.busy = [(503, [])] * 9

        with pytest.raises(MissingDependencyError, match=r"in 5 attempts \(503\)"):
            server.users()
        assert len(label_studio.requests) == 5

    def test_what_may_have_been_done_is_not_sent_again(self, server, label_studio):
        label_studio.busy = [(500, [])]

        with pytest.raises(UnansweredError):
            server.request("POST", "/api/projects/", body={"title": "a title"})
        assert len(label_studio.requests) == 1

    def test_what_was_turned_away_is_sent_again(self, server, label_studio):
        label_studio.busy = [(429, [("Retry-After", "0")]), (503, [])]

        server.request("POST", "/api/projects/", body={"title": "a title"})

        assert len(label_studio.projects) == 1

    def test_each_pause_is_longer_and_the_servers_wish_counts(
        self, address, label_studio, monkeypatch
    ):
        pauses = []
        monkeypatch.setattr("time.sleep", pauses.append)
        label_studio.busy = [(500, []), (500, []), (429, [("Retry-After", "7")]), (500, [])]

        with Server(address, TOKEN, pause=0.5) as server:
            server.users()

        assert pauses == [0.5, 1.0, 7.0, 4.0]

    def test_a_server_that_never_answers_is_not_waited_for(self):
        with answering(200, {}, b"", silent=True) as (address, asked):
            with Server(address, TOKEN, pause=0.0, timeout=0.1, attempts=2) as server:
                with pytest.raises(UnansweredError, match="did not answer"):
                    server.users()
                with pytest.raises(UnansweredError):
                    server.request("POST", "/api/projects/", body={})

        assert asked == ["GET", "GET", "POST"]

    def test_what_is_gone_already_is_removed_well_enough(self, server, label_studio):
        label_studio.tasks[7] = {"id": 7, "project": 1}
        label_studio.lost = {1}

        assert server.request("DELETE", "/api/tasks/7/") is None
        assert label_studio.tasks == {}

    def test_a_complaint_is_repeated_but_not_one_about_texts(self, server):
        with pytest.raises(InputError, match=r"POST /api/projects/ \(400\): \{'title'"):
            server.request("POST", "/api/projects/", body={"title": "x"})
        with answering(400, {}, b'{"detail": "secret text"}') as (address, _):
            with connected(address) as other, pytest.raises(InputError) as trouble:
                other.request("POST", "/api/projects/1/import", body=[])

        assert "secret" not in str(trouble.value)


class TestPages:
    def test_all_projects_are_listed(self, server, label_studio):
        for number in range(1, 251):
            label_studio.projects[number] = {"id": number, "title": "title", "description": ""}

        assert len({project["id"] for project in server.projects()}) == 250

    def test_all_tasks_are_listed_in_order_and_no_page_beyond_is_asked_for(
        self, server, label_studio
    ):
        for number in range(1, 101):
            label_studio.tasks[number] = {"id": number, "project": 1, "annotations": []}

        assert [task["id"] for task in server.tasks(1)] == list(range(1, 101))
        assert len(label_studio.requests) == 2


class answering:  # noqa: N801  # reads as a verb
    """A server that gives everybody the same answer, or none."""

    def __init__(self, status, headers, body, *, silent=False):
        asked = self.asked = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.command)
                if silent:
                    self.rfile.read(1)  # until the other side hangs up
                    return
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self):
                self.do_GET()

            def log_message(self, *args):
                """Print nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self):
        self.thread.start()
        return f"http://127.0.0.1:{self.server.server_port}", self.asked

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(60)
