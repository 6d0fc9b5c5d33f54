"""``ocrjury serve``: the page where raters work."""

import argparse
import ctypes
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.campaign.settings import LOOPBACK, METRICS_TOKEN, Settings, in_brackets, read_secret
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.page_address import check_port, keep_address
from ocrjury.cli.printing import remark, say
from ocrjury.cli.serve_pages import Following
from ocrjury.cli.serve_proxy import add_proxy_options, proxy_of, trusted_header
from ocrjury.cli.serve_watching import ask_runs
from ocrjury.cli.stopping import stop_quietly, write_log
from ocrjury.cli.store_access import chosen_store, existing_settings, open_at
from ocrjury.cli.stuck_runs import Telling
from ocrjury.errors import InputError

if TYPE_CHECKING:
    from ocrjury.frontends.web import Site
    from ocrjury.store.workspace import Store

SERVE = """the page where raters work, on http://127.0.0.1:8080

Serve the rating page on this machine until Ctrl-C; raters come in by their links, which
`ocrjury raters invite` makes.

It listens on the loopback only, in plain HTTP. For raters elsewhere, put a proxy with HTTPS before
it, name the address that people type in OCRJURY_RATING_URL, and add --behind-proxy: browsers keep
nobody signed in over plain HTTP from another machine.

ocrjury serve
ocrjury serve --port 8090
OCRJURY_RATING_URL=https://rate.example.org ocrjury serve --behind-proxy
OCRJURY_PROXY_SECRET=... ocrjury serve --behind-proxy --sign-in-header X-Forwarded-Email
ocrjury serve --behind-proxy --socket /run/ocrjury/page.sock"""
M_ARENA_MAX = -8
CERTIFICATE_SECONDS = 30


def add_to(commands: Commands) -> None:
    """Declare the command."""
    serve = add_command(commands, "serve", SERVE, run=run_serve)
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on [127.0.0.1]")
    serve.add_argument("--port", type=int, help="port to listen on [OCRJURY_RATING_PORT, 8080]")
    add_proxy_options(serve)


def run_serve(options: argparse.Namespace) -> None:
    """Serve until told to stop."""
    stop_quietly()
    settings = Settings.from_environment()
    write_log()
    from ocrjury.frontends.web import Site

    _share_memory()
    if options.host not in LOOPBACK and not options.behind_proxy:
        raise InputError(
            f"--host {options.host} would be open to other machines in plain HTTP. Put a proxy "
            "with HTTPS before it and add --behind-proxy, or leave --host out."
        )
    proxy = proxy_of(options)
    header = trusted_header(options, settings, proxy)
    port = settings.rating_port if options.port is None else options.port
    if options.socket is None:
        check_port(options.host, port)
    address = settings.rating_url or f"http://{in_brackets(options.host)}:{port}"
    with open_at(existing_settings()) as work:
        telling = Telling(work.store)
        site = Site(
            work.store,
            address=address,
            now=settings.now,
            announce=announcer(work.store),
            follow=Following(work.store),
            proxy=proxy,
            sign_in_header=header,
            runs=ask_runs,
            stuck=lambda: telling.runs,
            print_pdf=print_certificate,
            metrics_token=read_secret(METRICS_TOKEN),
        )
        keep_address(settings, address)
        say(f"Rating page: {address}   Links: ocrjury raters invite   Ctrl-C stops it.")
        say(f"Lead's desk: {address}/desk   Link: ocrjury desk link")
        say(f"Store: {chosen_store(settings)}")
        _say_who_may_come_in(options, settings, address, header=header)
        sys.stdout.flush()
        with telling:
            _answer(site, host=options.host, port=port, socket=options.socket)


def _say_who_may_come_in(
    options: argparse.Namespace, settings: Settings, address: str, *, header: str | None
) -> None:
    say(f"Who may come in: {_admitted(options, header=header)}.")
    if options.behind_proxy and settings.rating_url is None:
        remark(f"OCRJURY_RATING_URL is not set: the page answers only at {address}.")


def _admitted(options: argparse.Namespace, *, header: str | None) -> str:
    """Sentence on the people who can reach the page, and the key that lets them in."""
    if options.socket is not None:
        reach = f"whom your proxy sends through {options.socket}"
    elif options.behind_proxy:
        reach = "whom your proxy sends"
    else:
        reach = "people at this machine only"
    keys = "a link" if header is None else f"a link, or a name that it sends in {header}"
    return f"{reach}, with {keys}"


def _answer(site: "Site", *, host: str, port: int, socket: Path | None) -> None:
    import uvicorn

    from ocrjury.cli.connections import MOST, BoundedConnection
    from ocrjury.deployments.supervision import leave_if_told
    from ocrjury.frontends.web import create_application

    application = create_application(site)
    leave_if_told()
    uvicorn.run(
        application,
        host=host,
        port=port,
        uds=None if socket is None else str(socket),
        log_config=None,  # uvicorn's own would write text even where JSON is asked for
        log_level="warning",
        # No address of a page goes into a log, and nobody learns what answers here.
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=5,
        http=BoundedConnection,
        limit_concurrency=MOST + 1,
    )


def print_certificate(html: str) -> bytes:
    """Print a page in a child process, which has half a minute."""
    # Most of the time nobody asks for one.
    from ocrjury.report.pdf import print_pdf

    return print_pdf(html, timeout=CERTIFICATE_SECONDS)


def _share_memory() -> None:
    """Let all threads of this process use two heaps (glibc): one each would take 10 MB more."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 2)


def announcer(store: "Store") -> Callable[[], object]:
    """Function that announces the store's news to Prefect, in a thread of its own."""
    one_at_a_time = threading.Lock()

    def send() -> None:
        # Most of the time nobody has to be told, and these take memory.
        from ocrjury.signals.events import send_signals
        from ocrjury.signals.own_server import prefect_address, prefect_key

        api = prefect_address()
        with one_at_a_time:
            send_signals(store.engine, api=api, key=prefect_key(api))

    def announce() -> None:
        threading.Thread(target=send, name="announce", daemon=True).start()

    return announce
