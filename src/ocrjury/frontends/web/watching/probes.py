"""Addresses for programs that watch a server: ``/health``, ``/ready`` and ``/metrics``.

They answer under any host, since such programs know a server by its address only. None of them
takes one of the threads that work for raters, or waits for long, so that a store that hangs is
reported as such.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from ocrjury.campaign.settings import LOOPBACK
from ocrjury.errors import StoreError
from ocrjury.frontends.web.access.doors import is_same, site_of
from ocrjury.frontends.web.audit_lines import count_refusal
from ocrjury.frontends.web.proxy import Proxy
from ocrjury.store.database import FAILURES, Engine
from ocrjury.store.load import has_current_tables

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

SCHEME: Final = "bearer"
SECONDS: Final = 8.0
"""Seconds for which a store is waited for: Prometheus gives up after 10."""
router = APIRouter(include_in_schema=False)
Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


@router.get("/health")
async def health() -> dict[str, str]:
    """Say that the process lives, whatever has become of the store."""
    return {"status": "ok"}


@router.get("/ready")
async def ready(request: Request) -> Response:
    """Say whether the store can be reached and has the tables of this version."""
    try:
        reason = await beside(request, _trouble, site_of(request).store.engine)
    except TimeoutError:
        reason = "busy"
    return JSONResponse({"status": "ready"}) if reason is None else _not_ready(reason)


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Show the metrics, in the text format of Prometheus."""
    site = site_of(request)
    if not may_read(request):
        count_refusal(request, "no_metrics")
        if site.metrics_token is None:
            return JSONResponse({"status": "refused", "reason": "address"}, status_code=403)
        asks = {"WWW-Authenticate": "Bearer"}
        body = {"status": "refused", "reason": "token"}
        return JSONResponse(body, status_code=401, headers=asks)
    try:
        gauges = await beside(request, generate_latest, request.app.state.gauges)
    except TimeoutError:
        return _not_ready("busy")
    numbers = generate_latest(site.measures.registry) + gauges
    return Response(numbers, headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})


def may_read(request: Request) -> bool:
    """Return whether a request may read the metrics: by the token, or else from this machine.

    Behind a proxy everybody comes from the proxy, so nobody may without the token.
    """
    site = site_of(request)
    if site.metrics_token is not None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        return scheme.lower() == SCHEME and is_same(token.strip(), site.metrics_token)
    peer = request.client.host if request.client else None
    return site.proxy == Proxy() and peer in LOOPBACK and _host(request) in LOOPBACK


async def beside(request: Request, look: Callable[[Asked], Answer], at: Asked) -> Answer:
    """Look at something in a thread that is no rater's, one request after the other.

    Raises
    ------
    TimeoutError
        It takes too long. As long as it does, nobody else looks.
    """
    watching: ThreadPoolExecutor = request.app.state.watching
    return await asyncio.wait_for(asyncio.wrap_future(watching.submit(look, at)), SECONDS)


def _not_ready(reason: str) -> Response:
    return JSONResponse({"status": "not ready", "reason": reason}, status_code=503)


def _host(request: Request) -> str | None:
    """Name of the host that a request asks for; a page of another origin asks for its own."""
    try:
        return urlsplit(f"//{request.headers.get('host', '')}").hostname
    except ValueError:
        return None


def _trouble(engine: Engine) -> str | None:
    """Word for why a store cannot be used, None if it can."""
    try:
        return None if has_current_tables(engine) else "schema"
    except StoreError as error:
        return error.ailment
    except FAILURES:
        return "away"
