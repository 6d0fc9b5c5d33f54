"""Prefect's HTTP API as the library meets it: a key, and sentences for what goes wrong."""

import base64
import secrets
import ssl
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import httpx

from ocrjury.errors import MissingDependencyError

PAUSES = (0.5, 1.0, 2.0, 4.0)
"""Seconds before a request goes again to a server that answers 503: it was busy and did nothing."""


class NoAnswerError(MissingDependencyError):
    """No answer came in time; nobody knows what the server did."""


class NotReadyError(NoAnswerError):
    """The server does not listen yet, is busy or does not know a flow yet; it did nothing."""


CLIENT = secrets.token_hex(16)
"""Name of this process, to which a server's tokens against forged requests are bound."""
TOKENS = 2
"""Number of times that a request is repeated with a newer token; one ends after an hour."""
_tokens: dict[str, dict[str, str]] = {}
_asking = threading.Lock()


def authorization(key: str | None) -> dict[str, str]:
    """Header that a server with keys asks for, or one with a password.

    Parameters
    ----------
    key
        An API key, or ``user:password``: a key has no colon.

    Examples
    --------
    >>> authorization("pnu_1"), authorization("a:b"), authorization(None)
    ({'Authorization': 'Bearer pnu_1'}, {'Authorization': 'Basic YTpi'}, {})
    """
    if not key:
        return {}
    if ":" in key:
        return {"Authorization": f"Basic {base64.b64encode(key.encode()).decode()}"}
    return {"Authorization": f"Bearer {key}"}


def request(
    method: str,
    address: str,
    *,
    key: str | None = None,
    timeout: float = 10.0,
    json: object = None,
) -> httpx.Response:
    """Send a request to a Prefect server and return its answer, whatever its status.

    Raises
    ------
    MissingDependencyError
        Nobody answers, the server is broken, or it wants another key.
    """
    response = _send(method, address, key=key, timeout=timeout, json=json)
    for pause in PAUSES:
        if response.status_code != httpx.codes.SERVICE_UNAVAILABLE:
            break
        time.sleep(pause)
        response = _send(method, address, key=key, timeout=timeout, json=json)
    if response.status_code in {401, 403}:
        raise MissingDependencyError(
            f"The Prefect server at {address} refuses this key ({response.status_code}). "
            "Set PREFECT_API_AUTH_STRING or PREFECT_API_KEY."
        )
    if response.status_code == httpx.codes.SERVICE_UNAVAILABLE:
        raise NotReadyError(
            f"The Prefect server at {address} is busy (503), as it is for a while after its start. "
            "Try again in a minute."
        )
    if response.status_code >= 500:
        raise MissingDependencyError(
            f"The Prefect server at {address} failed ({response.status_code}); its own log says "
            "why. `ocrjury doctor` checks the versions."
        )
    return response


def all_rows(page: Callable[[dict[str, Any]], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """All rows of a list, asked for page by page; a page takes the number of rows before it.

    How many rows a page holds is the server's setting, so only a page that is shorter than the one
    before it is known to be the last, or one without a new row.

    Examples
    --------
    >>> runs = [{"id": number} for number in range(450)]
    >>> len(all_rows(lambda page: runs[page["offset"] :][:200]))
    450
    """
    rows: dict[Any, dict[str, Any]] = {}
    offset = size = 0
    while True:
        new = page({"offset": offset})
        known = len(rows)
        rows |= {row["id"]: row for row in new}
        if len(rows) == known or len(new) < size:
            return list(rows.values())
        offset, size = offset + len(new), len(new)


def exchange(
    method: str, address: str, *, key: str | None, timeout: float, json: object
) -> httpx.Response:
    """Send a request once; a server that asks for a token against forged requests gets one."""
    api, headers = address.partition("/api/")[0] + "/api", authorization(key)
    token = _tokens.get(api, {})

    def send() -> httpx.Response:
        return httpx.request(
            method,
            address,
            json=json,
            headers=headers | token,
            timeout=timeout,
            verify=_trusted(address),
        )

    response = send()
    for _ in range(TOKENS):
        if response.status_code != httpx.codes.FORBIDDEN or "CSRF" not in response.text:
            break
        token = _newer_token(api, token, headers=headers, timeout=timeout)
        response = send()
    return response


def _trusted(address: str) -> ssl.SSLContext | bool:
    """Certificates that a connection to an address trusts; without TLS there are none."""
    return _certificates() if address.startswith("https:") else False


@cache
def _certificates() -> ssl.SSLContext:
    """Certificates that this machine trusts; reading them takes longer than a request."""
    return httpx.create_ssl_context()


def _newer_token(
    api: str, former: dict[str, str], *, headers: dict[str, str], timeout: float
) -> dict[str, str]:
    """Headers with a token of this process that is not the former one; none if none is given.

    A server knows one token of each client: two threads that asked for one each would make the
    first one useless.
    """
    with _asking:
        if _tokens.get(api, {}) == former:
            given = httpx.get(
                f"{api}/csrf-token",
                params={"client": CLIENT},
                headers=headers,
                timeout=timeout,
                verify=_trusted(api),
            )
            _tokens[api] = {}
            if given.is_success:
                token = given.json()["token"]
                _tokens[api] = {"Prefect-Csrf-Client": CLIENT, "Prefect-Csrf-Token": token}
        return _tokens[api]


def _send(
    method: str, address: str, *, key: str | None, timeout: float, json: object
) -> httpx.Response:
    try:
        return exchange(method, address, key=key, timeout=timeout, json=json)
    except httpx.ReadTimeout as error:
        raise NoAnswerError(
            f"The Prefect server at {address} is there, but did not answer within {timeout:g} s. "
            "Try again in a minute; the log of the server may say what keeps it."
        ) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        kind = NotReadyError if isinstance(error, httpx.ConnectError) else MissingDependencyError
        raise kind(
            f"No Prefect server answers at {address} ({error}). Start one with `ocrjury up`, or "
            "set PREFECT_API_URL to the one that runs."
        ) from error


def body_of(response: httpx.Response) -> dict[str, Any]:
    """JSON object of an answer.

    Raises
    ------
    MissingDependencyError
        Something else than Prefect answers at this address.
    """
    try:
        body = response.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise MissingDependencyError(
            f"What answers at {response.url} is no Prefect server. Set PREFECT_API_URL, which "
            "ends in /api."
        )
    return body
