"""The rating page as one of the frontends: it reads the store, so nothing is handed out or back."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from ocrjury.frontends.ingest import (
    CAPABILITIES,
    Capability,
    OpenRound,
    PublishReceipt,
    RawRating,
)
from ocrjury.store.rounds import list_assignments


@dataclass(frozen=True, slots=True)
class WebFrontend:
    """The rating page; every rating comes in by itself, through the same validator."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Return everything there is."""
        return CAPABILITIES

    def publish(self, round_: OpenRound) -> PublishReceipt:
        """Return what is open; whoever has a link sees it at once."""
        found = list_assignments(round_.store.engine, round_.evaluation, state="open")
        return PublishReceipt(sum(one.round == round_.number for one in found), ())

    def poll(self, round_: OpenRound, *, since: datetime | None = None) -> Iterable[RawRating]:  # noqa: ARG002  # the port's
        """Return nothing: nobody has to fetch what raters send here."""
        return ()

    def close(self, round_: OpenRound) -> None:
        """Do nothing: a closed round takes no rating."""
