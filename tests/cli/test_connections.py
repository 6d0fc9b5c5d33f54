"""A server that waits for nobody who keeps it waiting."""

import asyncio
import socket
import threading
import time
from http.client import HTTPConnection

import pytest
import uvicorn

from ocrjury.cli import connections
from ocrjury.cli.connections import BoundedConnection

HALF = b"POST /now HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n"


async def application(scope, receive, send):
    """Answer at once, soon or never."""
    if scope["type"] != "http":
        return
    await asyncio.sleep(0.5 if scope["path"] == "/soon" else 0)
    while (await receive()).get("more_body"):
        pass
    if scope["path"] == "/never":
        await receive()  # until the connection ends
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"here"})


@pytest.fixture
def server(monkeypatch, request):
    """A server whose limits the test names."""
    for name, value in request.param.items():
        monkeypatch.setattr(connections, name, value)
    server = uvicorn.Server(
        uvicorn.Config(
            application,
            port=0,
            log_level="error",
            http=BoundedConnection,
            limit_concurrency=connections.MOST + 1,
            timeout_graceful_shutdown=1,
            lifespan="off",
        )
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    wait_until(lambda: server.started)
    yield server
    server.should_exit = True
    thread.join(60)


@pytest.fixture
def port(server):
    return server.servers[0].sockets[0].getsockname()[1]


def wait_until(done):
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def limits(**values):
    return pytest.mark.parametrize("server", [values], indirect=True, ids=["limits"])


def opened(port, *parts):
    """A connection on which something was sent."""
    client = socket.create_connection(("127.0.0.1", port), timeout=60)
    for part in parts:
        client.sendall(part)
    return client


def answer(port, path="/now"):
    client = HTTPConnection("127.0.0.1", port, timeout=60)
    client.request("GET", path)
    text = client.getresponse().read()
    client.close()
    return text


def ended(client):
    """Whether the server ended a connection, which may say so or not."""
    try:
        return client.recv(1) == b""
    except ConnectionError:
        return True


@limits(MOST=5)
def test_whoever_only_opens_connections_takes_nobodys_place(port):
    idle = [opened(port, HALF) for _ in range(20)]

    assert [answer(port) for _ in range(3)] == [b"here"] * 3
    assert all(map(ended, idle[:15]))
    for client in idle:
        client.close()


@limits(MOST=3)
def test_no_answer_is_given_up_for_a_new_connection(server, port):
    at_work = [opened(port, b"GET /never HTTP/1.1\r\nHost: a\r\n\r\n") for _ in range(3)]
    wait_until(lambda: len(server.server_state.tasks) == 3)

    assert answer(port) == b"Service Unavailable"
    for client in at_work:
        client.close()


@limits(REQUEST_SECONDS=0.3)
@pytest.mark.parametrize("sent", [b"", b"GET /now HTTP/1.1\r\nHo", HALF + b"\r\n1234"])
def test_a_request_that_does_not_come_ends_its_connection(port, sent):
    with opened(port, sent) as client:
        assert ended(client)


@limits(REQUEST_SECONDS=0.3)
def test_a_request_that_comes_piece_by_piece_gains_no_time(port):
    with opened(port, b"GET /now HTTP/1.1\r\n") as client, pytest.raises(ConnectionError):
        for number in range(1000):  # 50 s
            client.sendall(f"X-{number}: 1\r\n".encode())
            time.sleep(0.05)


@limits(REQUEST_SECONDS=0.3)
def test_an_answer_may_take_longer_than_a_request(port):
    client = HTTPConnection("127.0.0.1", port, timeout=60)
    for path in ("/soon", "/now", "/soon"):
        client.request("GET", path)
        assert client.getresponse().read() == b"here"
    client.close()


@limits(ANSWER_SECONDS=0.3)
def test_an_answer_without_end_ends_its_connection(port):
    with opened(port, b"GET /never HTTP/1.1\r\nHost: a\r\n\r\n") as client:
        assert ended(client)
