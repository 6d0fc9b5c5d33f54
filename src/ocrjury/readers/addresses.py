"""Addresses that files are read from and written to: which kinds there are, and which hosts not.

fsspec knows dozens of kinds, some of which run programs on other machines or keep copies of
documents. Link-local hosts give away the keys of a machine in a cloud.
"""

import os.path
import re
import socket
from ipaddress import IPv4Address, ip_address
from typing import Final
from urllib.parse import urlsplit

from ocrjury.errors import InputError

EXTRAS: Final = {
    **dict.fromkeys(("s3", "s3a"), "s3"),
    **dict.fromkeys(("gs", "gcs"), "gcs"),
    **dict.fromkeys(("az", "abfs"), "azure"),
    **dict.fromkeys(("http", "https"), "http"),
}
"""Optional extra of this package whose library opens the addresses of a protocol."""
PROTOCOLS: Final = (*EXTRAS, "file", "local", "memory", "zip", "tar")
_BETWEEN: Final = r"::(?![^\[]*\])"
"""Between the parts of an address, and not inside the brackets of an IPv6 host."""
_METADATA: Final = ("metadata", "metadata.google.internal")


def is_address(path: str) -> bool:
    """Return whether a path is an address for fsspec, not a local path."""
    return "://" in path or "::" in path


def check_address(address: str) -> None:
    """Refuse an address of another kind, or of a host that is no server of files.

    Raises
    ------
    InputError
        The sentence says which kinds there are.
    """
    *packed, last = re.split(_BETWEEN, address)
    kinds = [part.partition("://")[0] for part in (*packed, *([last] if "://" in last else []))]
    if strange := [kind for kind in kinds if kind not in PROTOCOLS]:
        raise InputError(
            f"{address} cannot be opened: {strange[0]}:// is not a kind of address for files; "
            f"there are {', '.join(f'{kind}://' for kind in PROTOCOLS)}."
        )
    if any(part.startswith("http") and is_link_local(part) for part in (*packed, last)):
        raise InputError(
            f"{address} cannot be opened: its host is link-local, as that of a cloud's "
            "metadata is; name a server of files."
        )


def is_link_local(address: str) -> bool:
    """Return whether the host of an address is link-local, however it is written.

    Examples
    --------
    >>> is_link_local("http://169.254.169.254/x"), is_link_local("http://0xa9fea9fe/")
    (True, True)
    >>> is_link_local("http://[fe80::1]/"), is_link_local("https://example.org")
    (True, False)
    """
    try:
        host = (urlsplit(address).hostname or "").rstrip(".")
    except ValueError:
        return False
    if host in _METADATA:
        return True
    try:
        number = ip_address(host.partition("%")[0])
    except ValueError:
        try:  # what the system takes for an address too: 0xa9fea9fe, 2852039166
            number = IPv4Address(socket.inet_aton(host))
        except OSError:
            return False
    mapped = getattr(number, "ipv4_mapped", None)
    return (mapped or number).is_link_local


def plain_path(path: str) -> str:
    """Path without ``..`` if it leads to the same place; beyond a link it may not."""
    plain = os.path.normpath(path)
    return plain if os.path.realpath(plain) == os.path.realpath(path) else path
