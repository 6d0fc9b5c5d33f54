"""Tell a chat or a program of a report: one POST, whose address is nowhere but in its request.

Whoever knows the address of a webhook may post there. It is read from an environment variable, and
no message, log line or error holds it, or the words of a library that may repeat it.
"""

import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Mapping
from http import HTTPStatus
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from ocrjury.campaign.content_hashes import canonical_json
from ocrjury.campaign.delivery_sections import Webhook
from ocrjury.campaign.settings import LOOPBACK
from ocrjury.patience import OutOfPatience, PatientHttp, patience

TIMEOUT = 10.0
LONGEST = 30.0
"""Seconds of a silence, and of the whole."""
_LATER = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)


class PostOutcome(NamedTuple):
    """Outcome of an attempt; ``detail`` is a sentence on a failure."""

    state: Literal["sent", "failed", "given_up"]
    detail: str | None = None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follow nothing: another address is not the one that the lead trusts."""

    def redirect_request(self, *_: object) -> None:
        """No further request."""


def post(hook: Webhook, body: Mapping[str, object], *, identity: str) -> PostOutcome:
    """Post a message, and say what became of it.

    Parameters
    ----------
    identity
        The same for every attempt, so that a program can tell a second copy.
    """
    address = os.environ.get(hook.url_env, "").strip()
    if problem := _problem(hook, address):
        return PostOutcome("failed", problem)
    try:
        request = urllib.request.Request(  # noqa: S310  # its scheme was checked
            address,
            data=canonical_json(body).encode(),
            headers={
                "Content-Type": "application/json; charset=utf-8",
                "Idempotency-Key": identity,
                "User-Agent": "ocrjury",
            },
        )
        # A proxy of this machine is for other machines.
        here = urlsplit(address).hostname in LOOPBACK
        with patience(LONGEST) as held:
            proxy = urllib.request.ProxyHandler({} if here else None)
            opener = urllib.request.build_opener(_NoRedirect, proxy, PatientHttp(held))
            with opener.open(request, timeout=TIMEOUT):
                return PostOutcome("sent")
    except urllib.error.HTTPError as error:
        error.close()
        return _refused(hook, error.code)
    except (OSError, http.client.HTTPException, ValueError) as error:
        return PostOutcome("failed", f"the webhook {hook.name!r} {_why(error)}.")


def _problem(hook: Webhook, address: str) -> str | None:
    """Sentence on an address that nobody can post to, None if one can."""
    whose = f"the environment variable {hook.url_env}, which holds the address of the webhook"
    if not address:
        return f"{whose} {hook.name!r}, is not set where runs work."
    try:
        parts = urlsplit(address)
        known = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
        if known and parts.hostname and address.isascii() and address.isprintable():
            return None
    except ValueError:
        pass
    return f"{whose} {hook.name!r}, holds no https address."


def _refused(hook: Webhook, code: int) -> PostOutcome:
    """End of an attempt that was answered with an error."""
    name = HTTPStatus(code).phrase if code in set(HTTPStatus) else "an unknown status"
    problem = f"the webhook {hook.name!r} answered {code} ({name})"
    if code >= HTTPStatus.INTERNAL_SERVER_ERROR or code in _LATER:
        return PostOutcome("failed", f"{problem}.")
    if code < HTTPStatus.BAD_REQUEST:
        return PostOutcome(
            "given_up",
            f"{problem}; a redirect is not followed: {hook.url_env} must hold the final address.",
        )
    return PostOutcome(
        "given_up", f"{problem}; another attempt would be refused too: see {hook.url_env}."
    )


def _why(error: Exception) -> str:
    """Reason of a failure, without the words of a library, which may repeat the address."""
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, TimeoutError):
        return f"did not answer within {_limit(cause):g} seconds"
    if isinstance(cause, ConnectionError) and cause.errno is not None:
        return f"cannot be reached: {os.strerror(cause.errno)}"
    return f"cannot be reached: {type(cause).__name__}"


def _limit(error: TimeoutError) -> float:
    """Limit that was reached."""
    return LONGEST if isinstance(error, OutOfPatience) else TIMEOUT
