"""The proxy before the site: how it proves itself, and which address it names.

Every account of this machine can come from the loopback, so an address alone proves no proxy that
signs people in; a secret does, or a Unix socket in a folder that only the proxy reaches.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from starlette.datastructures import Headers

SECRET_HEADER: Final = "X-Ocrjury-Proxy-Secret"  # noqa: S105  # its name
FORWARDED: Final = "X-Forwarded-For"
NARROWEST: Final = {4: 24, 6: 64}
"""Addresses that one person may use at will: limits count them as one."""
Network = IPv4Network | IPv6Network
THIS_MACHINE: Final = (ip_network("127.0.0.0/8"), ip_network("::1"))


@dataclass(frozen=True, slots=True)
class Proxy:
    """Proxy before a site, and how it is told from anybody else.

    Attributes
    ----------
    networks
        Where it comes from; none: anywhere, if it has the secret or the socket.
    secret
        What it sends in `SECRET_HEADER`; None: nothing is asked for.
    by_socket
        Whether the site listens on a Unix socket, to which nothing but the proxy comes.
    """

    networks: tuple[Network, ...] = ()
    secret: str | None = field(default=None, repr=False)
    by_socket: bool = False

    @property
    def proves_itself(self) -> bool:
        """Whether no other account of this machine can pass for the proxy."""
        remote = bool(self.networks) and not any(map(_holds_loopback, self.networks))
        return self.secret is not None or self.by_socket or remote

    def sent(self, peer: str | None, headers: Headers) -> bool:
        """Return whether the proxy sent a request from an address, or by a Unix socket (None)."""
        if not self.networks and self.secret is None and not self.by_socket:
            return False
        if self.networks and not _within(peer, self.networks):
            return False
        if self.secret is None:
            return True
        given = headers.getlist(SECRET_HEADER)
        return len(given) == 1 and hmac.compare_digest(given[0].encode(), self.secret.encode())


def forwarded_address(headers: Headers) -> str | None:
    """Address that the last proxy on the way added, None if it added none.

    Whoever sends a request may write lines of their own before it.

    Examples
    --------
    >>> lines = [(b"x-forwarded-for", b"6.6.6.6"), (b"x-forwarded-for", b"1.1.1.1, 10.0.0.7:443")]
    >>> forwarded_address(Headers(raw=lines))
    '10.0.0.7'
    """
    last = ",".join(headers.getlist(FORWARDED)).rpartition(",")[2].strip()
    return _address(last) or _address(last.rpartition(":")[0].strip("[]")) or None


def limited_as(address: str) -> str:
    """Group of addresses that are limited together.

    Examples
    --------
    >>> limited_as("10.0.0.7"), limited_as("2001:db8::1"), limited_as("::ffff:10.0.0.7")
    ('10.0.0.0/24', '2001:db8::/64', '10.0.0.0/24')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    return str(ip_network(f"{parsed}/{NARROWEST[parsed.version]}", strict=False))


def _address(text: str) -> str:
    """Address as it is written normally, empty if a text is none."""
    try:
        return str(ip_address(text))
    except ValueError:
        return ""


def _holds_loopback(network: Network) -> bool:
    """Return whether every account of this machine can come from a network."""
    return any(
        address.version == network.version and address.overlaps(network) for address in THIS_MACHINE
    )


def _within(peer: str | None, networks: Sequence[Network]) -> bool:
    try:
        return any(ip_address(peer or "") in network for network in networks)
    except ValueError:
        return False
