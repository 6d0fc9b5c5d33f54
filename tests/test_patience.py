"""Servers that send one byte at a time are not waited for."""

import socket
import threading
from contextlib import contextmanager
from email.message import EmailMessage

import pytest

from ocrjury.campaign.delivery_sections import Webhook
from ocrjury.delivery import mail, webhooks
from ocrjury.delivery.mail import MailServer, hand_in
from ocrjury.delivery.webhooks import post
from ocrjury.frontends.labelstudio.server import Server, UnansweredError


@contextmanager
def dripping(first, each):
    """Yield the port of a server that goes on sending until the end, at most for 60 seconds."""
    end = threading.Event()

    def drip(listening):
        client, _ = listening.accept()
        with client:
            client.sendall(first)
            for _ in range(600):
                if end.wait(0.1):
                    return
                client.sendall(each)

    def serve(listening):
        try:
            drip(listening)
        except OSError:
            return

    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(60)
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            end.set()
            thread.join(60)


@pytest.mark.parametrize(
    ("first", "each"), [(b"HTTP/1.1 200 OK\r\nX: ", b"a"), (b"HTTP/1.1 100 Continue\r\n\r\n", b"H")]
)
def test_a_webhook_that_drips_is_left(first, each, monkeypatch):
    monkeypatch.setattr(webhooks, "LONGEST", 0.5)
    with dripping(first, each) as port:
        monkeypatch.setenv("HOOK", f"http://127.0.0.1:{port}/x")
        ended = post(Webhook(name="team", url_env="HOOK"), {}, identity="x")

    assert ended == ("failed", "the webhook 'team' did not answer within 0.5 seconds.")


def test_a_webhook_that_drips_below_tls_is_left(monkeypatch):
    monkeypatch.setattr(webhooks, "LONGEST", 0.5)
    hello = b"\x16\x03\x03\x40\x00"  # a record of 16 kB is announced
    with dripping(hello, b"\x02") as port:
        monkeypatch.setenv("HOOK", f"https://127.0.0.1:{port}/x")
        ended = post(Webhook(name="team", url_env="HOOK"), {}, identity="x")

    assert ended == ("failed", "the webhook 'team' did not answer within 0.5 seconds.")


@pytest.mark.parametrize(
    ("starttls", "first", "each"),
    [
        (False, b"220-", b"a"),
        (True, b"220 x\r\n250-x\r\n250 STARTTLS\r\n220-", b"a"),
    ],
)
def test_a_mail_server_that_drips_is_left(starttls, first, each, monkeypatch):
    monkeypatch.setattr(mail, "LONGEST", 0.5)
    message = EmailMessage()
    message["To"], message["Message-ID"] = "a@example.org", "<a@b>"
    with dripping(first, each) as port:
        server = MailServer(host="127.0.0.1", port=port, sender="x@b.org", starttls=starttls)
        sent = hand_in(message, server, sha256="x")

    assert sent.state == "failed"
    assert "took too long" in sent.detail


@pytest.mark.parametrize(
    ("token", "first", "each"),
    [
        ("plain", b"HTTP/1.1 200 OK\r\nX: ", b"a"),
        ("plain", b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n[", b" "),
        ("a.b.c", b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n{", b" "),
    ],
    ids=["headers", "body", "token"],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_label_studio_that_drips_is_left(token, first, each, method):
    with dripping(first, each) as port:
        address = f"http://127.0.0.1:{port}"
        with Server(address, token, longest=0.5) as server, pytest.raises(UnansweredError) as error:
            server.request(method, "/api/projects/")

    assert str(error.value) == (
        f"Label Studio at {address} did not answer within 0.5 seconds. Look at its log, and try "
        "again; what it has already is not sent twice."
    )


def test_a_label_studio_that_drips_below_tls_is_left():
    with dripping(b"\x16\x03\x03\x40\x00", b"\x02") as port:
        with (
            Server(f"https://127.0.0.1:{port}", "plain", longest=0.5) as server,
            pytest.raises(UnansweredError, match=r"did not answer within 0\.5 seconds"),
        ):
            server.check()


def test_a_label_studio_that_is_silent_when_its_token_is_fetched_is_left():
    with dripping(b"", b"") as port:
        with (
            Server(f"http://127.0.0.1:{port}", "a.b.c", attempts=1, timeout=0.3) as server,
            pytest.raises(UnansweredError, match=r"did not answer \(ReadTimeout\)"),
        ):
            server.check()
