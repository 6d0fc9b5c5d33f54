"""Address under which the rating page of a home is reached, for links that commands print."""

import socket
from contextlib import suppress
from urllib.parse import urlsplit

from ocrjury.campaign.settings import Settings
from ocrjury.whole_files import write_whole

FILE = "rating-page.address"
SECONDS = 1.0


def keep_address(settings: Settings, address: str) -> None:
    """Note where the page of a home answers; on a full disk, links name the usual port."""
    with suppress(OSError):
        write_whole(settings.home / FILE, address)


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
