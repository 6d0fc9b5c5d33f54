"""The Prefect server that `ocrjury up` runs: its password, and how to tell it from any other.

Any account of a machine can listen on a port of it, and each of them could hand our worker a
program to run. So the server asks for a password that lies in the home, and nobody hears it
before the system has said whose the port is.
"""

import fcntl
import os
import secrets
import time
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import httpx

from ocrjury.campaign.settings import LOOPBACK, Settings, in_brackets
from ocrjury.errors import MissingDependencyError, StateError
from ocrjury.signals.server import request
from ocrjury.store.privacy import keep_private

FILE = "prefect.password"
LOCK = "up.lock"
"""File of a home that `ocrjury up` locks while it runs."""
USER = "ocrjury"
SECONDS, PAUSE = 30.0, 0.05
"""Time for which another process may lock the password's file, and between two looks at it."""
LISTENS = "0A"
"""State of a listening socket in Linux's table of sockets."""
SOCKETS = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))


def make_password(home: Path) -> str:
    """Password of the server of a home, as ``user:password``; made where there is none yet."""
    keep_private(home)
    with os.fdopen(os.open(home / FILE, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
        _lock(file)  # a server and a demo may start at once
        if not (password := file.read().strip()):
            password = f"{USER}:{secrets.token_urlsafe(24)}"
            file.write(password)
    return password


def _lock(file: IO[str]) -> None:
    """Lock a file, for which nobody waits for ever."""
    end = time.monotonic() + SECONDS
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() > end:
                raise StateError(
                    f"another process has kept {FILE} of this home locked for {SECONDS:.0f} "
                    "seconds; end it, and do this again."
                ) from error
            time.sleep(PAUSE)
        else:
            return


def own_password(home: Path) -> str | None:
    """Password of the server of a home, None before the first `ocrjury up`."""
    try:
        return (home / FILE).read_text("ascii").strip() or None
    except (FileNotFoundError, NotADirectoryError):
        return None


def is_up(home: Path) -> bool:
    """Return whether `ocrjury up` runs in a home; its server may not listen yet."""
    try:
        with (home / LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def own_address(settings: Settings) -> str:
    """Address of the API that `ocrjury up` serves with these settings."""
    return f"http://127.0.0.1:{settings.prefect_port}/api"


def is_own_address(api: str, port: int) -> bool:
    """Return whether an address is that of the port at which this home serves its API.

    >>> is_own_address("http://localhost:4200/api", 4200), is_own_address("https://a.org/api", 443)
    (True, False)
    """
    return api.startswith(tuple(f"http://{in_brackets(host)}:{port}/" for host in LOOPBACK))


def prefect_address() -> str:
    """Address of Prefect's API: ``PREFECT_API_URL``, else the server on this machine."""
    given = os.environ.get("PREFECT_API_URL", "").strip().rstrip("/")
    return given or own_address(Settings.from_environment())


def prefect_key(api: str) -> str | None:
    """Key that the server at an address asks for: an API key, or ``user:password``."""
    settings = Settings.from_environment()
    return key_for(api, home=settings.home, port=settings.prefect_port)


def key_for(api: str, *, home: Path, port: int) -> str | None:
    """Key for the server at an address, for a home that serves at a port.

    The password of the home goes to the server of this home only, and to no other account. Who
    names a server and what it asks for, as units of systemd do, is taken at their word.
    """
    given, password = given_key(), own_password(home)
    if password is None or not is_own_address(api, port):
        return given
    if given not in (None, password) and is_named():
        return given
    if listens_here(port):
        return password
    return None if given == password else given  # the children of `ocrjury up` have it too


def given_key() -> str | None:
    """Key that the environment gives for servers."""
    return os.environ.get("PREFECT_API_AUTH_STRING") or os.environ.get("PREFECT_API_KEY") or None


def is_named() -> bool:
    """Return whether a variable names the server."""
    return bool(os.environ.get("PREFECT_API_URL", "").strip())


def is_own_server(api: str, password: str | None) -> bool:
    """Return whether the server of this home answers at an address.

    It takes the password of the home, and nothing without it: a server that asks for none was
    started by somebody else.
    """
    port = urlsplit(api).port
    if password is None or port is None or not listens_here(port):
        return False
    try:
        anonymous = httpx.get(f"{api}/admin/version", timeout=5.0)
        if anonymous.status_code != httpx.codes.UNAUTHORIZED:
            return False
        return request("GET", f"{api}/admin/version", key=password, timeout=5.0).is_success
    except (httpx.HTTPError, MissingDependencyError):
        return False


def listens_here(port: int) -> bool:
    """Return whether this account listens on a port of this machine, and no other does.

    True where the system does not tell, as outside Linux.
    """
    tables = [table.read_text("ascii") for table in SOCKETS if table.exists()]
    if not tables:
        return True
    rows = [line.split() for table in tables for line in table.splitlines()[1:]]
    owners = {
        int(row[7])
        for row in rows
        if row[3] == LISTENS and int(row[1].rpartition(":")[2], 16) == port
    }
    return owners == {os.geteuid()}
