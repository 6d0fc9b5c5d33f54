import json
import logging
import subprocess
import sys
import threading
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import httpx
import pytest

from ocrjury.errors import InputError, MissingDependencyError
from ocrjury.signals import Signal, event_body, post_signals, send_signals, start_deployment
from ocrjury.signals.artifacts import page_key, read_pages
from ocrjury.signals.run_counts import STATES, count_runs
from ocrjury.store import outbox

NOW = datetime(2026, 11, 20, 6, tzinfo=UTC)
NOBODY = "http://127.0.0.1:9/api"  # the discard port: nothing listens there
SCHEMA = {"properties": {"evaluation": {}, "decision": {}}}


def signal(number=1):
    evaluation = "claims-2026w47"
    payload = {"evaluation": evaluation, "round": str(number)}
    key = f"{evaluation}.{number}.ocrjury.round.complete"
    return Signal(key, evaluation, "ocrjury.round.complete", payload)


class Stub(BaseHTTPRequestHandler):
    """A Prefect server reduced to answers that a test prepares."""

    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers["Content-Length"])))

    def do_GET(self):
        self.answer(b"null")

    def answer(self, body):
        self.server.asked.append((self.path, dict(self.headers), json.loads(body)))
        prepared = self.server.answers.get(self.path, (404, {"detail": "Not Found"}))
        status, content = prepared.pop(0) if isinstance(prepared, list) else prepared
        content = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Say nothing on the console."""


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Stub) as stub:
        stub.asked, stub.answers = [], {}
        stub.api = f"http://127.0.0.1:{stub.server_port}/api"
        thread = threading.Thread(target=stub.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield stub
        stub.shutdown()
        thread.join(60)


def taking_events(server, status=204):
    server.answers["/api/events"] = (status, b"")
    return server


def test_the_same_signal_is_always_the_same_event():
    first, again = (event_body(signal(), occurred=NOW) for _ in range(2))
    other = event_body(signal(2), occurred=NOW)

    assert first == again
    assert first["id"] != other["id"]
    assert first["event"] == "ocrjury.round.complete"
    assert first["payload"] == {"evaluation": "claims-2026w47", "round": "1"}


def test_signals_are_posted_in_one_request(server):
    taken = post_signals([signal(1), signal(2)], api=taking_events(server).api, now=NOW)

    assert taken == [signal(1).signal, signal(2).signal]
    [(path, headers, events)] = server.asked
    assert (path, [e["payload"]["round"] for e in events]) == ("/api/events", ["1", "2"])
    assert "Authorization" not in headers


def test_a_key_goes_with_the_signals(server):
    post_signals([signal()], api=taking_events(server).api + "/", key="secret")

    assert server.asked[0][1]["Authorization"] == "Bearer secret"


def test_no_signal_is_no_request():
    assert post_signals([], api=NOBODY) == []


@pytest.mark.parametrize("address", [NOBODY, "http://[::1/api"])
def test_a_dead_server_loses_nothing_and_is_logged(address, caplog):
    with caplog.at_level(logging.WARNING):
        taken = post_signals([signal()], api=address)

    assert taken == []
    assert "Prefect took none of 1 signals" in caplog.text


def test_a_refusal_loses_nothing(server):
    assert post_signals([signal()], api=taking_events(server, 503).api) == []


@pytest.fixture
def waiting(monkeypatch):
    rows = [
        SimpleNamespace(**{s: getattr(signal(n), s) for s in Signal.__slots__}, created_at=NOW)
        for n in (1, 2)
    ]
    marked = []
    monkeypatch.setattr(outbox, "list_unsent", lambda _: rows)
    monkeypatch.setattr(outbox, "mark_sent", lambda *args, **when: marked.append((args, when)))
    return marked


def test_what_was_taken_is_marked_as_sent(server, waiting):
    taken = send_signals("engine", api=taking_events(server).api, now=NOW)

    assert waiting == [(("engine", taken), {"now": NOW})]
    assert len(taken) == 2


def test_what_was_not_taken_waits(waiting):
    assert send_signals("engine", api=NOBODY, now=NOW) == []
    assert waiting == []


def with_deployment(server, *, status=201, answer=None):
    path = "/api/deployments/name/decide-evaluation/decide"
    server.answers[path] = (200, {"id": "d1", "parameter_openapi_schema": SCHEMA})
    run = answer or {"id": "r1", "name": "brave-owl"}
    server.answers["/api/deployments/d1/create_flow_run"] = (status, run)
    return server.api


def decide(api, **parameters):
    return start_deployment(api, "decide-evaluation/decide", parameters or {"decision": "abort"})


def test_a_started_run_has_a_page(server):
    run = decide(with_deployment(server), evaluation="claims-2026w47")

    assert run.flow_run == "r1"
    assert run.address == server.api.removesuffix("/api") + "/runs/flow-run/r1"
    assert server.asked[-1][2] == {"parameters": {"evaluation": "claims-2026w47"}}


def test_a_run_waits_under_its_name_and_tags(server):
    label = {"name": "claims-r01-abort", "tags": ("campaign:claims",)}
    api, parameters = with_deployment(server), {"decision": "abort"}

    start_deployment(api, "decide-evaluation/decide", parameters, label=label)

    assert server.asked[-1][2] == {
        "parameters": parameters,
        "name": "claims-r01-abort",
        "tags": ["campaign:claims"],
    }


def test_a_busy_server_is_asked_again(server, monkeypatch):
    monkeypatch.setattr("ocrjury.signals.server.PAUSES", (0, 0))
    path, api = "/api/deployments/d1/create_flow_run", with_deployment(server)
    server.answers[path] = [(503, {}), (503, {}), server.answers[path]]

    assert decide(api).flow_run == "r1"
    assert [asked for asked, *_ in server.asked].count(path) == 3


def test_a_server_that_stays_busy_says_so(server, monkeypatch):
    monkeypatch.setattr("ocrjury.signals.server.PAUSES", (0, 0))

    with pytest.raises(MissingDependencyError, match=r"busy \(503\).* Try again in a minute"):
        decide(with_deployment(server, status=503))


def test_a_refused_value_says_why(server):
    reason = "Error creating flow run: Validation failed for field 'decision'."
    api = with_deployment(server, status=409, answer={"detail": reason})

    with pytest.raises(InputError, match=r"refuses to start .*: Error .* field 'decision'"):
        decide(api)


def test_an_unknown_parameter_is_refused_before_it_crashes_a_run(server):
    api = with_deployment(server)

    with pytest.raises(InputError, match="no parameter evalution; it has evaluation, decision"):
        decide(api, evalution="claims")
    assert len(server.asked) == 1


def test_an_absent_server_names_the_remedy():
    with pytest.raises(MissingDependencyError, match=r"No Prefect server .* `ocrjury up`"):
        decide(NOBODY)


def test_an_absent_deployment_names_the_remedy(server):
    with pytest.raises(MissingDependencyError, match=r"no deployment decide-.*`ocrjury up`"):
        decide(server.api)


@pytest.mark.parametrize(
    ("status", "body", "sentence"),
    [
        (401, {}, "refuses this key"),
        (500, {}, "its own log says why"),
        (200, b"<html>", "is no Prefect server"),
        (200, [], "is no Prefect server"),
    ],
)
def test_a_strange_answer_is_explained(server, *, status, body, sentence):
    server.answers["/api/deployments/name/decide-evaluation/decide"] = (status, body)

    with pytest.raises(MissingDependencyError, match=sentence):
        decide(server.api)


def test_the_library_talks_to_prefect_without_importing_it():
    code = (
        "import sys, ocrjury.signals.events, ocrjury.signals.deployments;"
        "print(*[m for m in ('prefect', 'sqlalchemy', 'pandas') if m in sys.modules])"
    )

    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )

    assert out.stdout.strip() == ""


@pytest.mark.parametrize(
    "answer",
    [
        (200, []),
        (200, [{"states": [{"state_type": "FAILED", "state_name": "Failed", "count_runs": 2}]}]),
        (200, [{"states": [{"state_type": "SCHEDULED", "state_name": "Late", "count_runs": 3}]}]),
        (200, [{"states": [{"state_type": "FAILED", "state_name": "Held", "count_runs": 4}]}]),
    ],
)
def test_runs_are_counted_by_state(server, answer):
    server.answers["/api/flow_runs/history"] = answer

    counts = count_runs(server.api, key=None, now=NOW)

    assert set(counts) == set(STATES)
    found = {state: number for state, number in counts.items() if number}
    assert found in ({}, {"failed": 2}, {"late": 3}, {"held": 4})
    asked = server.asked[-1][2]
    assert (asked["history_end"], asked["flow_runs"]) == (
        NOW.isoformat(),
        {"tags": {"all_": ["ocrjury"]}},
    )


@pytest.mark.parametrize("answer", [(404, {}), (500, {}), (200, {"states": 1}), (200, [7])])
def test_what_is_no_history_counts_nothing(server, answer):
    server.answers["/api/flow_runs/history"] = answer

    assert count_runs(server.api, key=None, now=NOW) is None


def test_nobody_has_no_runs_to_count():
    assert count_runs(NOBODY, key=None, now=NOW) is None


def test_pages_are_asked_for_together_and_nobody_answering_is_no_page():
    asked = []

    def send(_method, path, body):
        asked.append((path, body["artifacts"]["key"]["any_"]))
        pages = [{"key": keys[0], "data": "# Claims"}]
        return httpx.Response(200, json=pages, request=httpx.Request("POST", "http://x"))

    def busy(*_):
        return httpx.Response(503, request=httpx.Request("POST", "http://x"))

    names = ["claims-2026_w47", "claims-2026-w47", "claims-2026.w47"]
    keys = list(map(page_key, names))

    assert read_pages(names, send) == {"claims-2026_w47": "# Claims"}
    assert asked == [("/artifacts/latest/filter", sorted(set(keys)))]
    assert len(asked[0][1]) == 3  # no two share a page
    assert read_pages(names, busy) is None
