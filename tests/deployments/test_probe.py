import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from ocrjury.deployments.probe import main


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/ready" else 503)
        self.end_headers()

    def log_message(self, *_):
        """Nothing."""


@pytest.fixture
def port():
    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join(60)
    server.server_close()


def reason(address):
    with pytest.raises(SystemExit) as stopped:
        main([address])
    return stopped.value.code


def test_what_answers_is_healthy(port):
    assert reason(f"http://127.0.0.1:{port}/ready") is None
    assert reason(f"tcp://127.0.0.1:{port}") is None


def test_what_answers_otherwise_is_not(port):
    address = f"http://127.0.0.1:{port}/other"

    assert reason(address) == f"{address} answers 503"


@pytest.mark.parametrize("scheme", ["http", "tcp"])
def test_what_does_not_answer_is_not(scheme):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]

    assert "refused" in reason(f"{scheme}://127.0.0.1:{free}/health")


@pytest.mark.parametrize("words", [[], ["http://127.0.0.1:1", "http://127.0.0.1:2"]])
def test_without_one_address_it_says_what_it_takes(words):
    with pytest.raises(SystemExit) as stopped:
        main(words)

    assert stopped.value.code == "probe takes one address, such as http://127.0.0.1:8080/ready."


def test_a_port_that_is_no_number_is_named():
    assert "'eighty'" in reason("http://127.0.0.1:eighty/ready")
