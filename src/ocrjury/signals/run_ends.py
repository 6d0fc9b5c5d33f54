"""Ends of a flow run: the word in Prefect's list of runs, and the type that gives its colour."""

from collections.abc import Mapping
from typing import Any, Final, Literal

WAITING_FOR_RATINGS: Final = "WaitingForRatings"
WAITING_FOR_DELIVERY: Final = "WaitingForDelivery"
HELD: Final = "Held"
REFUSED: Final = "Refused"
"""End of a run that was refused; its message says why."""

TYPES: Final[Mapping[str, Literal["CANCELLED", "FAILED"]]] = {
    WAITING_FOR_RATINGS: "CANCELLED",
    WAITING_FOR_DELIVERY: "CANCELLED",
    HELD: "FAILED",
}
"""Types of the ends that are no success: whoever waits is grey, who needs the lead is red.

Prefect names its events by the word, so that no automation on cancelled or failed runs fires.
"""


def is_good(state: Mapping[str, Any]) -> bool:
    """Return whether a run did what it could, by its last state as Prefect's API gives it.

    Examples
    --------
    >>> is_good({"type": "FAILED", "name": "Held"}), is_good({"type": "FAILED", "name": "Refused"})
    (True, False)
    """
    kind, word = str(state["type"]), str(state["name"])
    return kind == "COMPLETED" or TYPES.get(word) == kind
