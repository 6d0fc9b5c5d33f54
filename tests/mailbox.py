"""A real SMTP server on this machine that keeps what it is handed."""

import asyncio
import socket
import threading
from contextlib import contextmanager

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult


class Mailbox:
    """Keeps what arrives; refuses recipients whose name starts with `nobody`.

    It takes `seconds` to answer when it has a message, and does not answer before it has `least`;
    `came` says that it has one; `goodbye` is what it says at the end.
    """

    def __init__(self, *, goodbye="221 Bye"):
        self.goodbye = goodbye
        self.envelopes = []
        self.port = None
        self.seconds = 0.0
        self.least, self.enough = 1, asyncio.Event()
        self.came = threading.Event()

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802  # aiosmtpd
        if address.startswith("nobody"):
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802  # aiosmtpd
        self.envelopes.append(envelope)
        self.came.set()
        await asyncio.sleep(self.seconds)
        if len(self.envelopes) >= self.least:
            self.enough.set()
        await self.enough.wait()
        return "250 OK"

    async def handle_QUIT(self, server, session, envelope):  # noqa: N802  # aiosmtpd
        return self.goodbye


@contextmanager
def open_mailbox(*, goodbye="221 Bye", sign_in=False):
    """Open a mailbox; with `sign_in` anybody may, and without nobody."""
    box = Mailbox(goodbye=goodbye)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        box.port = probe.getsockname()[1]
    options = {"auth_require_tls": False, "authenticator": let_in} if sign_in else {}
    controller = Controller(box, hostname="127.0.0.1", port=box.port, **options)
    controller.start()
    try:
        yield box
    finally:
        controller.stop()


def let_in(*_):
    return AuthResult(success=True)
