"""Address under which the rating page of a home is reached, for links that commands print."""

import socket
from contextlib import suppress
from urllib.parse import urlsplit

from ocrjury.campaign.settings import LAST_PORT, Settings
from ocrjury.errors import InputError
from ocrjury.whole_files import write_whole

FILE = "rating-page.address"
SECONDS = 1.0


def keep_address(settings: Settings, address: str) -> None:
    """Note where the page of a home answers; on a full disk, links name the usual port."""
    with suppress(OSError):
        write_whole(settings.home / FILE, address)


def check_port(host: str, port: int) -> None:
    """Refuse a port at which this process cannot listen, before any link names it."""
    if not 0 < port <= LAST_PORT:
        raise InputError(f"--port must be from 1 to {LAST_PORT}; found {port}.")
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does
            probe.bind(place)
    except OSError as error:
        raise InputError(
            f"Nothing can listen at {host}, port {port}: {error.strerror}. Stop what listens "
            "there, or name another --port."
        ) from error


def site_address(settings: Settings) -> str:
    """Address that raters type, else where the page answers on this machine, else will answer."""
    if settings.rating_url is not None:
        return settings.rating_url.rstrip("/")
    with suppress(OSError, ValueError):
        noted = (settings.home / FILE).read_text(encoding="ascii").strip()
        parts = urlsplit(noted)
        with socket.create_connection((parts.hostname or "", parts.port or 80), timeout=SECONDS):
            return noted
    return f"http://127.0.0.1:{settings.rating_port}"
