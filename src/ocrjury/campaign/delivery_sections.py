"""The sections of ``report`` that say where a report goes: recipients, a folder, webhooks."""

from collections.abc import Collection
from typing import Annotated, Literal, NamedTuple, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from ocrjury.campaign.problems import problem, together
from ocrjury.campaign.section_values import (
    A_LANGUAGE,
    Address,
    Positive,
    Section,
    Variable,
    Word,
    checked_address,
)
from ocrjury.language import Language

Occasion = Literal["PASS", "FAIL", "INCONCLUSIVE", "MET", "NOT MET", "NOT SHOWN"]
What = Literal["publication", "webhook", "report"]
A_WHEN = (
    "a list of PASS, FAIL, INCONCLUSIVE (the gate), MET, 'NOT MET' and 'NOT SHOWN' (the target), "
    "or empty for every report"
)

Occasions = Annotated[
    Annotated[tuple[Occasion, ...], Field(strict=False, min_length=1)] | None,
    Field(default=None, description=A_WHEN),
]


class Receiver(NamedTuple):
    """Receiver of a report: an address, a folder, or the name of a webhook."""

    what: What
    name: str


class _Sometimes(Section):
    """Something that only some reports are for."""

    when: Occasions = None

    def wants(self, words: Collection[str]) -> bool:
        """Return whether a report with this verdict and outcome is wanted."""
        return self.when is None or not set(self.when).isdisjoint(words)


class Recipient(_Sometimes):
    """A person who is mailed the report."""

    address: Address = Field(description="an email address")
    language: Language | None = Field(
        default=None, description=f"{A_LANGUAGE}, or empty for the report's first"
    )


def _recipient(value: object) -> object:
    """Section of a recipient who is given as a mere address."""
    return {"address": checked_address(value)} if isinstance(value, str) else value


def _place(text: str) -> str:
    """Folder or address without credentials."""
    parts = urlsplit(text) if "://" in text else None
    if "::" in text or (parts and ("@" in parts.netloc or parts.query or parts.fragment)):
        message = (
            "this is no plain folder or address; give one such as reports or s3://bucket/reports. "
            "Credentials never stand in this file: the library of the bucket reads them from its "
            "own environment variables or files."
        )
        raise PydanticCustomError("rule", "{message}", {"message": message})
    return text.rstrip("/") or text


def _site(text: str) -> str:
    parts = urlsplit(text)
    plain = parts.scheme in {"http", "https"} and parts.netloc and "@" not in parts.netloc
    if not plain or parts.query or parts.fragment:
        raise PydanticCustomError("site", "no address of a web server")
    return text.rstrip("/")


Recipients = Annotated[
    tuple[Annotated[Recipient, BeforeValidator(_recipient)], ...], Field(strict=False)
]


class Publish(Section):
    """The folder or bucket to which reports are published."""

    to: Annotated[str, Field(min_length=1), AfterValidator(_place)] = Field(
        description="a folder, or an address such as s3://bucket/reports"
    )
    keep: Positive | None = Field(
        default=None, description="a whole number of at least 1, or empty to keep all reports"
    )
    link: Annotated[str, AfterValidator(_site)] | None = Field(
        default=None,
        description="the address under which people read that folder, such as "
        "https://reports.example.org, or empty",
    )


class Webhook(_Sometimes):
    """An address of a chat or a program that is told of every report.

    Whoever has the address may post there, so it is read from an environment variable.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,29}$")] = Field(
        description="a short name for logs: lower-case letters, digits and hyphens"
    )
    kind: Literal["slack", "teams", "json"] = "json"
    url_env: Variable = Field(
        description="the NAME of an environment variable that holds the address, such as "
        "OCRJURY_SLACK_URL; the address itself never stands in this file",
    )


Leads = Annotated[tuple[Address, ...], Field(strict=False)]
Webhooks = Annotated[tuple[Webhook, ...], Field(strict=False)]


class Mail(Section):
    """The server that sends reports; its password is read from an environment variable."""

    host: Word = Field(description="the name of an SMTP server")
    port: Annotated[int, Field(ge=1, le=65535)] = Field(
        default=587, description="a whole number from 1 to 65535"
    )
    sender: Address = Field(description="an email address")
    starttls: bool = Field(default=True, description="true or false")
    username: Word | None = Field(default=None, description="the name to sign in with, or empty")
    password_env: Variable | None = Field(
        default=None,
        description="the NAME of an environment variable that holds the password, such as "
        "OCRJURY_MAIL_PASSWORD; the password itself never stands in this file",
    )

    @model_validator(mode="after")
    def _signs_in(self) -> Self:
        if (self.username is None) != (self.password_env is None):
            message = "username and password_env belong together; give both or neither."
            together("Mail", [problem((), message)])
        return self


class Deliveries(Section):
    """Recipients of a report, and the ways in which it reaches them."""

    recipients: Recipients = Field(default=(), description="a list of email addresses")
    leads: Leads | None = Field(
        default=None,
        description="a list of email addresses, or empty for the recipients of every report",
    )
    mail: Mail | None = Field(default=None, description="a section with host and sender, or empty")
    publish: Publish | None = Field(default=None, description="a section with to, or empty")
    webhooks: Webhooks = Field(
        default=(), description="a list of sections with name, kind and url_env"
    )

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [hook.name for hook in self.webhooks]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            message = f"{twice[0]!r} names two webhooks; give each a name of its own."
            together("Report", [problem(("webhooks",), message)])
        return self

    def deliveries(self) -> dict[str, object]:
        """Plain values of who gets a report and how, by key; a section may hold more than that."""
        return self.model_dump(mode="json", by_alias=True, include=set(Deliveries.model_fields))

    @property
    def leads_told(self) -> tuple[str, ...]:
        """Addresses that are told when an evaluation needs a lead, each once."""
        usual = [recipient.address for recipient in self.recipients if recipient.when is None]
        chosen = usual if self.leads is None else self.leads
        return tuple({address.lower(): address for address in chosen}.values())

    def is_recipient(self, address: str) -> bool:
        """Return whether an address gets reports."""
        return address.lower() in {recipient.address.lower() for recipient in self.recipients}

    def language_of(self, address: str) -> str | None:
        """Language that a recipient asked for, None for the report's first."""
        spoken = {recipient.address.lower(): recipient.language for recipient in self.recipients}
        return spoken.get(address.lower())

    def receivers(self, words: Collection[str]) -> list[Receiver]:
        """All to whom a report goes, by its verdict and outcome; a folder comes before the rest.

        Recipients are mailed only where there is a mail server. An address is one receiver however
        it is spelled, as its email has one id.
        """
        folder = [Receiver("publication", self.publish.to)] if self.publish else []
        hooks = [Receiver("webhook", hook.name) for hook in self.webhooks if hook.wants(words)]
        people: dict[str, str] = {}
        for recipient in self.recipients if self.mail else ():
            if recipient.wants(words):
                people.setdefault(recipient.address.lower(), recipient.address)
        return [*folder, *hooks, *(Receiver("report", name) for name in people.values())]
