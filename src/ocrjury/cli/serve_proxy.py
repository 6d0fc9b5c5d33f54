"""Options of ``ocrjury serve`` for the proxy before the site."""

import argparse
import stat
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.campaign.settings import LOOPBACK, PROXY_SECRET, Settings, read_secret
from ocrjury.errors import InputError

if TYPE_CHECKING:
    from ocrjury.frontends.web.proxy import Network, Proxy


def add_proxy_options(serve: argparse.ArgumentParser) -> None:
    """Declare the options."""
    serve.add_argument(
        "--behind-proxy",
        action="store_true",
        help="take addresses from the last entry of X-Forwarded-For, which the proxy sets",
    )
    serve.add_argument(
        "--trusted-proxy",
        metavar="ADDRESS",
        action="append",
        default=[],
        help="address or network that the proxy comes from [this machine]; may be repeated",
    )
    serve.add_argument(
        "--socket",
        type=Path,
        help="listen on a Unix socket, in a folder that only the proxy reaches",
    )
    serve.add_argument(
        "--sign-in-header",
        metavar="NAME",
        help="let in whom the proxy names in this header, by email address or pseudonym "
        "[OCRJURY_SIGN_IN_HEADER]",
    )


def proxy_of(options: argparse.Namespace) -> "Proxy":
    """Proxy that the options and the environment describe; one that never sends, without any.

    Raises
    ------
    InputError
        The options contradict each other, or would trust everybody.
    """
    from ocrjury.frontends.web.proxy import THIS_MACHINE, Proxy

    secret = read_secret(PROXY_SECRET)
    if options.socket is not None:
        _check_folder(options.socket)
    if not options.behind_proxy:
        if options.trusted_proxy or options.socket:
            raise InputError("--trusted-proxy and --socket are for --behind-proxy; add it.")
        return Proxy()
    if options.trusted_proxy and options.socket:
        raise InputError("Nobody has an address at a Unix socket; leave --trusted-proxy out.")
    proxy = Proxy(tuple(map(_network, options.trusted_proxy)), secret, options.socket is not None)
    if proxy.networks or proxy.proves_itself:
        return proxy
    if options.host not in LOOPBACK:
        raise InputError(
            f"--host {options.host} lets other machines come past the proxy. Name where the proxy "
            f"comes from with --trusted-proxy, or what it sends in {PROXY_SECRET}."
        )
    return Proxy(THIS_MACHINE)


def trusted_header(options: argparse.Namespace, settings: Settings, proxy: "Proxy") -> str | None:
    """Header in which a trusted proxy names who signed in, None without one.

    Raises
    ------
    InputError
        Other accounts of this machine could send the header too.
    """
    header: str | None = options.sign_in_header or settings.sign_in_header
    if header is None or (options.behind_proxy and proxy.proves_itself):
        return header
    option = "--sign-in-header" if options.sign_in_header else "OCRJURY_SIGN_IN_HEADER"
    raise InputError(
        f"{option} believes what a request says; it needs --behind-proxy and a proxy that proves "
        f"itself: by a secret ({PROXY_SECRET}), by a Unix socket (--socket), or by an address that "
        "is not of this machine (--trusted-proxy)."
    )


def _network(text: str) -> "Network":
    try:
        return ip_network(text)
    except ValueError:
        raise InputError(
            f"--trusted-proxy is {text!r}; it must be an address or a network, such as 10.0.0.5 or "
            "10.0.0.0/29."
        ) from None


def _check_folder(socket: Path) -> None:
    """Refuse a socket in a folder that every account of this machine reaches."""
    folder = socket.absolute().parent
    if not folder.is_dir() or stat.S_IMODE(folder.stat().st_mode) & stat.S_IRWXO:
        raise InputError(
            f"--socket needs a folder that no other account reaches than the proxy's: mkdir -m 750 "
            f"{folder}, and give it the group of the proxy (chgrp)."
        )
