"""The section of ``campaign.yaml`` about Label Studio; see `ocrjury.campaign.rating_sections`."""

from ipaddress import ip_address
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from ocrjury.campaign.problems import problem, together
from ocrjury.campaign.section_values import Section, Variable, Word
from ocrjury.readers.addresses import is_link_local

TOKEN_VARIABLE = "OCRJURY_LABEL_STUDIO_TOKEN"  # noqa: S105  # its name, not the token
_INSIDE = ("localhost", "local", "internal", "intranet", "lan", "home.arpa")


def _server(address: str) -> str:
    """Address of a server, without a slash at its end."""
    try:
        parts = urlsplit(address)
        host = parts.hostname if parts.port != 0 else None
    except ValueError:
        parts, host = urlsplit(""), None
    if parts.scheme not in {"http", "https"} or not host or parts.query or parts.fragment:
        raise PydanticCustomError("server", "not the address of a server")
    if parts.username or parts.password:
        raise PydanticCustomError("server", "an address with a password")
    if is_link_local(address):
        raise PydanticCustomError("server", "a link-local address, as that of a cloud's metadata")
    return address.rstrip("/")


def inside(address: str) -> bool:
    """Return whether an address, by its name alone, is of this machine or a private network.

    Examples
    --------
    >>> inside("http://127.0.0.1:8080"), inside("http://labelstudio:8080")
    (True, True)
    >>> inside("https://app.humansignal.com"), inside("http://8.8.8.8")
    (False, False)
    """
    host = (urlsplit(address).hostname or "").rstrip(".")
    try:
        number = ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(tuple(f".{end}" for end in _INSIDE))
    return number.is_private or number.is_loopback


class LabelStudio(Section):
    """A Label Studio server where raters work; its token is read from an environment variable."""

    url: Annotated[str, AfterValidator(_server)] = Field(
        description="the address of a Label Studio server without name and password, such as "
        "http://127.0.0.1:8080"
    )
    token_env: Variable = Field(
        default=TOKEN_VARIABLE,
        description="the NAME of an environment variable that holds an access token, such as "
        f"{TOKEN_VARIABLE}; the token itself never stands in this file",
    )
    allow_degraded: bool = Field(default=False, description="true or false")
    allow_external: bool = Field(default=False, description="true or false")
    images: Word | None = Field(
        default=None,
        description="an address below which the raters' browsers find the page images, or empty "
        "to send a picture with every task",
    )

    @model_validator(mode="after")
    def _allowed(self) -> Self:
        problems = []
        if not self.allow_degraded:
            message = (
                "Label Studio lacks blind: it has no roles, so that every user sees, changes and "
                "deletes what others rated. Take another frontend, or set allow_degraded: true "
                "for raters whom you trust; the report will say so."
            )
            problems.append(problem(("allow_degraded",), message, self.allow_degraded))
        if not (self.allow_external or inside(self.url)):
            message = (
                f"{self.url} is outside of this machine and its network, and documents would be "
                "sent there. Take a server inside, or set allow_external: true."
            )
            problems.append(problem(("allow_external",), message, self.allow_external))
        together("LabelStudio", problems)
        return self
