"""The application: its routes, and what stands before them."""

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from ocrjury.errors import StoreError
from ocrjury.frontends.web import (
    certificates,
    image_pages,
    interface,
    own_items,
    own_work,
    pages_ahead,
    panel,
    rating_pages,
    refreshers,
)
from ocrjury.frontends.web.access import entering, session_pages
from ocrjury.frontends.web.access.leads import AtDesk
from ocrjury.frontends.web.address_owner import AddressOwner
from ocrjury.frontends.web.answers import (
    SignInNeeded,
    Trouble,
    ask_to_sign_in,
    refuse,
    refuse_path,
    refuse_shape,
)
from ocrjury.frontends.web.audit_lines import keep_writing, noting, write_refusals
from ocrjury.frontends.web.desk import (
    desk_pages,
    item_images,
    payment_pages,
    remark_pages,
    rubric_pages,
)
from ocrjury.frontends.web.desk import interface as desk_interface
from ocrjury.frontends.web.desk_language import DeskLanguage
from ocrjury.frontends.web.image_pages import give_back_pictures
from ocrjury.frontends.web.rendering import static_file
from ocrjury.frontends.web.shield import Shield
from ocrjury.frontends.web.site import Site
from ocrjury.frontends.web.store_trouble import SpokenLately, tell_of_store
from ocrjury.frontends.web.watching import probes
from ocrjury.frontends.web.watching.answer_times import AnswerTimes
from ocrjury.frontends.web.watching.gauges import gauges_of

# The pages ahead stand first, because an item has an address of any name.
_RATING = (
    pages_ahead,
    entering,
    session_pages,
    rating_pages,
    refreshers,
    own_items,
    own_work,
    certificates,
    panel,
    image_pages,
)
_DESK = (desk_pages, item_images, payment_pages, remark_pages, rubric_pages, desk_interface)
THREADS = 3
"""Requests at work at once; the store waits in line anyway, and each takes memory."""


def create_application(site: Site) -> FastAPI:
    """Build the application of a site, for any ASGI server."""

    @asynccontextmanager
    async def lifespan(_application: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
        give_back_pictures()
        async with anyio.create_task_group() as beside:
            beside.start_soon(keep_writing, site)
            yield
            beside.cancel_scope.cancel()
        made.state.watching.shutdown(wait=False, cancel_futures=True)
        await anyio.to_thread.run_sync(write_refusals, site)

    # FastAPI's own pages of documentation load scripts from elsewhere.
    made = FastAPI(
        title="ocrjury",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    made.state.site = site
    made.state.watching = ThreadPoolExecutor(1)  # starts with the first who asks
    made.state.gauges = gauges_of(site)
    made.state.spoken = SpokenLately()
    for module in (*_RATING, interface, *_DESK, probes):
        made.include_router(module.router)
    made.include_router(pages_ahead.api)
    made.add_api_route("/openapi.json", describe, methods=["GET"], include_in_schema=False)
    for start, folder in (("", "rating"), ("/desk", "desk")):
        address, show = f"{start}/static/{{version}}/{{name}}", partial(show_file, folder)
        made.add_api_route(address, show, methods=["GET"], include_in_schema=False)
    made.add_exception_handler(Trouble, noting(refuse))
    made.add_exception_handler(StoreError, tell_of_store)
    made.add_exception_handler(SignInNeeded, ask_to_sign_in)
    made.add_exception_handler(RequestValidationError, refuse_shape)
    made.add_exception_handler(HTTPException, refuse_path)
    made.add_middleware(Shield, site=site)
    made.add_middleware(DeskLanguage)
    made.add_middleware(AnswerTimes, measures=site.measures)
    made.add_middleware(AddressOwner)
    return made


def describe(request: Request, _lead: AtDesk) -> dict[str, Any]:
    """Describe the interface for programs, to leads and their programs."""
    application: FastAPI = request.app
    return application.openapi()


def show_file(folder: str, version: str, name: str) -> Response:  # noqa: ARG001  # it makes the address new
    """Show a style sheet or a script; its address changes with its content."""
    return static_file(folder, name)
