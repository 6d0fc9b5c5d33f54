"""Refusals that anybody can cause at no cost: counted in memory, and written down together.

A line of the audit log for each would let a stranger fill the database. Refusals of the
same kind within a minute are one line, however many there were.
"""

from collections import Counter
from collections.abc import Iterable
from threading import Lock
from typing import Final, NamedTuple

MOST_KINDS: Final = 100
"""Lines of one minute; what is of yet another kind is counted together."""
MOST_ADDRESSES: Final = 50
"""Addresses that are told apart in one line."""
ANYBODY: Final = "?"


class Refusal(NamedTuple):
    """One kind of refusal: who was refused, where, and the word for why."""

    actor: str
    where: str
    code: str


OTHERS: Final = Refusal(ANYBODY, "page", "various")


class RefusalCounts:
    """Counts of refusals by kind and address since the last writing.

    Attributes
    ----------
    seconds
        How long refusals are counted until they are written down.

    Examples
    --------
    >>> counts, kind = RefusalCounts(), Refusal("?", "page", "another_host")
    >>> for address in ("10.0.0.1", "10.0.0.2", "10.0.0.1"):
    ...     counts.count(kind, address)
    >>> [(refusal.code, how_often(seen)) for refusal, seen in counts.take()]
    [('another_host', '3 times from 2 addresses')]
    >>> counts.take()
    []
    """

    def __init__(self, *, seconds: float = 60) -> None:
        self.seconds = seconds
        self._counts: dict[Refusal, Counter[str]] = {}
        self._lock = Lock()

    def count(self, refusal: Refusal, address: str, times: int = 1) -> None:
        """Count a refusal; no number of kinds or addresses fills the memory."""
        with self._lock:
            if refusal not in self._counts and len(self._counts) >= MOST_KINDS:
                refusal = OTHERS
            seen = self._counts.setdefault(refusal, Counter())
            seen[address if address in seen or len(seen) < MOST_ADDRESSES else ""] += times

    def take(self) -> list[tuple[Refusal, Counter[str]]]:
        """Take what was counted; counting starts again."""
        with self._lock:
            counted, self._counts = self._counts, {}
        return list(counted.items())

    def give_back(self, counted: Iterable[tuple[Refusal, Counter[str]]]) -> None:
        """Count once more what could not be written down."""
        for refusal, seen in counted:
            for address, times in seen.items():
                self.count(refusal, address, times)


def main_address(seen: Counter[str]) -> str:
    """Address that was refused most often.

    >>> main_address(Counter({"10.0.0.1": 1, "10.0.0.2": 3, "": 90}))
    '10.0.0.2'
    """
    return max(filter(None, seen), key=lambda address: seen[address], default=ANYBODY)


def how_often(seen: Counter[str]) -> str:
    """Words for the number of times and of addresses.

    >>> how_often(Counter(a=1)), how_often(Counter(a=2, b=1))
    ('once', '3 times from 2 addresses')
    """
    times = seen.total()
    often = "once" if times == 1 else f"{times} times"
    if len(seen) == 1:
        return often
    more = " or more" if "" in seen else ""
    return f"{often} from {len(seen)}{more} addresses"
